/** The client of the service's API, typed by its document. Every failure is a `Problem`. */
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.d.ts";

export type Schemas = components["schemas"];

/** The types of the values that queries can have. */
export type QueryValues = components["parameters"];

/** The service ends most requests itself after 35 seconds: one that is silent for longer hangs, or can't be reached. */
export const SILENCE_MS = 45_000;

/** For what the service may do in many steps, or with a large file. */
export const LONG_WORK_MS = 300_000;

/** Sends a request that is given up when no response, or no end of its body, has come in time. */
const fetchWithin = (ms: number) => async (request: Request) => {
  const end = new AbortController();
  const start = () => setTimeout(() => end.abort(), ms);
  const timer = start();
  try {
    return await fetch(request, { signal: AbortSignal.any([request.signal, end.signal]) });
  } finally {
    clearTimeout(timer);
    start();
  }
};

export const api = createClient<paths>({ fetch: fetchWithin(SILENCE_MS) });

/** For requests that change or read many records, which have no limit of the service. */
export const longWork = { fetch: fetchWithin(LONG_WORK_MS) };

/** The code of a request that was given up. */
export const SILENT = "silent";

/** What is wrong with one value of a request. */
export interface FieldProblem {
  path: string;
  message: string;
  code: string;
  /** A valid value that is probably meant. */
  suggestion: string | undefined;
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
  /** Who changed the record that isn't in the expected version, and when. */
  readonly lastChange: { at: string; by: string } | undefined;

  constructor(status: number, body: unknown, readHeader: (name: string) => string | null = () => null) {
    const { code, detail, error, errors, progress, lastChange } = isRecord(body) ? body : {};
    super([detail, error].find((text) => typeof text === "string") ?? "");
    this.status = status;
    this.code = typeof code === "string" ? code : "";
    this.fields = Array.isArray(errors) ? errors.flatMap(readFieldError) : [];
    const retryAfter = readHeader("Retry-After");
    this.retryAfter = retryAfter ? Number(retryAfter) : undefined;
    this.location = readHeader("Location") ?? undefined;
    this.progress = readProgress(progress);
    this.lastChange = readLastChange(lastChange);
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

function readProgress(progress: unknown) {
  if (!isRecord(progress)) return undefined;
  const { done, of } = progress;
  return typeof done === "number" && typeof of === "number" ? { done, of } : undefined;
}

function readLastChange(lastChange: unknown) {
  if (!isRecord(lastChange)) return undefined;
  const { at, by } = lastChange;
  return typeof at === "string" && typeof by === "string" ? { at, by } : undefined;
}

function readFieldError(error: unknown): FieldProblem[] {
  if (!isRecord(error) || typeof error.path !== "string" || typeof error.message !== "string") return [];
  const code = typeof error.code === "string" ? error.code : "";
  const suggestion = typeof error.suggestion === "string" ? error.suggestion : undefined;
  return [{ path: error.path, message: error.message, code, suggestion }];
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
  const outcome = await request.catch((error) => {
    throw isAbort(error) ? createSilence() : new Problem(0, {});
  });
  const { error, response } = outcome;
  if (!response.ok) throw new Problem(response.status, error, (name) => response.headers.get(name));
  return outcome;
}

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === "AbortError";

export const createSilence = () => new Problem(0, { code: SILENT });

/** Whether a request that failed may have been carried out: no response of the service itself came. */
export const mayBeDone = (error: unknown): error is Problem =>
  error instanceof Problem && [0, 502, 503, 504].includes(error.status);

/** The header of a change that is made only to this version of a record; any other is a 412. */
export const ifMatch = (version: string | undefined) =>
  version === undefined ? {} : { "If-Match": `"${version}"` };
