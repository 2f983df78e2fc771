// A request as the fuzz means it, and as it goes out.

/** Who sends it; what the name stands for is looked up when it goes out. */
export type Sender =
  | "anonymous"
  | "admin"
  | "editor"
  | "analyst"
  | "viewer"
  | "guest"
  | "changer"
  | "reading key"
  | "writing key"
  | "full key"
  | "junk cookie"
  | "junk key";

export type Headers = readonly (readonly [name: string, value: string])[];

export type Body =
  | { kind: "none" }
  | { kind: "json"; value: unknown }
  | { kind: "form"; parts: readonly Part[] }
  | { kind: "bytes"; type: string; bytes: Buffer };

export interface Part {
  name: string;
  fileName?: string;
  content: Buffer | string;
}

export interface Draft {
  method: string;
  /** With parameters in braces. */
  path: string;
  params: Readonly<Record<string, unknown>>;
  query: Readonly<Record<string, unknown>>;
  sender: Sender;
  headers: Headers;
  body: Body;
  /** A request target that replaces path and query. */
  target?: string;
  /** More bytes than will come. */
  claimedLength?: number;
}

/** What a recipe gives of a draft. */
export type Parts = Partial<Pick<Draft, "params" | "query" | "body" | "sender" | "headers">>;

export interface RawRequest {
  method: string;
  target: string;
  headers: Headers;
  body: Buffer | undefined;
  claimedLength: number | undefined;
}

const BOUNDARY = "----boundary-of-the-fuzz";

/** @param credential the headers that the sender's name stands for */
export function encodeRequest(draft: Draft, credential: Headers): RawRequest {
  const { type, bytes } = encodeBody(draft.body);
  const own = new Set(draft.headers.map(([name]) => name.toLowerCase()));
  const usual: Headers = [
    ["User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"],
    ...(type === undefined ? [] : [["Content-Type", type] as const]),
    ...credential,
  ];
  return {
    method: draft.method,
    target: draft.target ?? formatTarget(draft),
    headers: [...usual.filter(([name]) => !own.has(name.toLowerCase())), ...draft.headers],
    body: bytes,
    claimedLength: draft.claimedLength,
  };
}

export function formatTarget({ path, params, query }: Pick<Draft, "path" | "params" | "query">): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encode(params[name]));
  const pairs = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return pairs.length === 0 ? filled : `${filled}?${pairs.join("&")}`;
}

/** Half a character has no UTF-8 form: WTF-8 goes out in its place. */
function encode(value: unknown): string {
  const text = typeof value === "string" ? value : String(value);
  return text.isWellFormed() ? encodeURIComponent(text) : "%ED%A0%80";
}

function encodeBody(body: Body): { type: string | undefined; bytes: Buffer | undefined } {
  if (body.kind === "none") return { type: undefined, bytes: undefined };
  if (body.kind === "bytes") return body;
  if (body.kind === "json")
    return { type: "application/json", bytes: Buffer.from(JSON.stringify(body.value) ?? "") };
  return { type: `multipart/form-data; boundary=${BOUNDARY}`, bytes: encodeForm(body.parts) };
}

const encodeForm = (parts: readonly Part[]): Buffer =>
  Buffer.concat([...parts.map(encodePart), Buffer.from(`--${BOUNDARY}--\r\n`)]);

function encodePart({ name, fileName, content }: Part): Buffer {
  const file =
    fileName === undefined ? "" : `; filename="${fileName}"\r\nContent-Type: application/octet-stream`;
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from("\r\n")]);
}

/** The fields of a body; none of one that has none. */
export const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? { ...value } : {};
