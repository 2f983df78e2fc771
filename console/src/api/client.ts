/** The client of the service's API, typed by its document. Every failure is a `Problem`. */
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.d.ts";

export type Schemas = components["schemas"];

/** The types of the values that queries can have. */
export type QueryValues = components["parameters"];

export const api = createClient<paths>();

/** What is wrong with one value of a request. */
export interface FieldProblem {
  path: string;
  message: string;
  code: string;
}

/** An error of the API (RFC 9457), or of the way to it (status 0). */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  /** The errors of single fields. */
  readonly fields: readonly FieldProblem[];
  /** Seconds after which the same request can succeed. */
  readonly retryAfter: number | undefined;
  /** The path of what is in the way. */
  readonly location: string | undefined;
  /** How far the work is for which the request has waited in vain. */
  readonly progress: { done: number; of: number } | undefined;

  constructor(status: number, body: unknown, readHeader: (name: string) => string | null = () => null) {
    const { code, detail, error, errors, progress } = isRecord(body) ? body : {};
    super([detail, error].find((text) => typeof text === "string") ?? "");
    this.status = status;
    this.code = typeof code === "string" ? code : "";
    this.fields = Array.isArray(errors) ? errors.flatMap(readFieldError) : [];
    const retryAfter = readHeader("Retry-After");
    this.retryAfter = retryAfter ? Number(retryAfter) : undefined;
    this.location = readHeader("Location") ?? undefined;
    this.progress = readProgress(progress);
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

function readProgress(progress: unknown) {
  if (!isRecord(progress)) return undefined;
  const { done, of } = progress;
  return typeof done === "number" && typeof of === "number" ? { done, of } : undefined;
}

function readFieldError(error: unknown): FieldProblem[] {
  if (!isRecord(error) || typeof error.path !== "string" || typeof error.message !== "string") return [];
  const code = typeof error.code === "string" ? error.code : "";
  return [{ path: error.path, message: error.message, code }];
}

type Outcome<T> = Promise<{ data?: T; error?: unknown; response: Response }>;

/**
 * The body of a successful response.
 * @throws Problem
 */
export async function receive<T>(request: Outcome<T>): Promise<T> {
  const { data, response } = await succeed(request);
  if (data === undefined) throw new Problem(response.status, {});
  return data;
}

/**
 * Waits for a successful response without a body.
 * @throws Problem
 */
export async function complete(request: Outcome<unknown>): Promise<void> {
  await succeed(request);
}

async function succeed<T>(request: Outcome<T>) {
  const outcome = await request.catch(() => {
    throw new Problem(0, {});
  });
  const { error, response } = outcome;
  if (!response.ok) throw new Problem(response.status, error, (name) => response.headers.get(name));
  return outcome;
}

/** The header of a change that is made only to this version of a record; any other is a 412. */
export const ifMatch = (version: string | undefined) =>
  version === undefined ? {} : { "If-Match": `"${version}"` };
