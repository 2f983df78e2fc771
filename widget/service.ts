/** The service's public operations, as this page may call them. */
import type { DownloadLink, LanguageDownloadLink } from "../src/schemas/download-requests.schemas.ts";

export type Link = Partial<DownloadLink & LanguageDownloadLink> &
  Pick<DownloadLink, "downloadUrl" | "expiresAt">;

const MAX_WAIT_MS = 30_000;

/** A response with an error status. */
export class Refusal extends Error {
  readonly status: number;
  readonly requestId: string;
  /** Of the values that aren't right. */
  readonly paths: readonly string[];

  constructor(status: number, requestId = "", errors: readonly { path: string }[] = []) {
    super(`The service responded with ${status}`);
    this.status = status;
    this.requestId = requestId;
    this.paths = errors.map(({ path }) => path);
  }
}

/** The page's origin isn't one of `CORS_ORIGINS`. */
export class ForeignPage extends Error {}

export class Service {
  readonly address: string;
  readonly #signal: AbortSignal;

  /** @param signal ends all requests */
  constructor(address: string, signal: AbortSignal) {
    this.address = address;
    this.#signal = signal;
  }

  /** @throws Refusal for an error response; TypeError or DOMException without a response */
  async call<T>(path: string, { signal, ...options }: RequestInit = {}): Promise<T> {
    const response = await this.fetch(path, { ...options, ...(signal && { signal }) });
    if (response.ok) return await response.json();
    const problem = await response.json().catch(() => undefined);
    throw new Refusal(response.status, problem?.requestId, problem?.errors);
  }

  fetch(path: string, { signal, ...options }: RequestInit = {}): Promise<Response> {
    const signals = [this.#signal, AbortSignal.timeout(MAX_WAIT_MS), ...(signal ? [signal] : [])];
    return fetch(this.address + path, { credentials: "omit", ...options, signal: AbortSignal.any(signals) });
  }

  /** Why there was no response: any page may read the texts, but only those of `CORS_ORIGINS` the books. */
  async explain(error: unknown): Promise<unknown> {
    if (!(error instanceof TypeError)) return error;
    const isThere = await this.call("/api/widget/texts/en.json").then(Boolean, () => false);
    return isThere ? new ForeignPage() : error;
  }
}

/** The service of a script's address, or of the attribute `service`; undefined for what isn't one. */
export function findService(attribute: string | null, scriptAddress: string | undefined): string | undefined {
  const given = attribute ? readAddress(attribute) : scriptAddress;
  return given?.replace(/[?#].*$/, "").replace(/\/(api\/widget\.js)?$/, "");
}

/** An address of the web, and nothing that could be a script. */
export function readAddress(text: string | null): string | undefined {
  if (text === null || !URL.canParse(text, document.baseURI)) return undefined;
  const { protocol, href } = new URL(text, document.baseURI);
  return /^https?:$/.test(protocol) ? href : undefined;
}
