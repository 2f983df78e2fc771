/** A small S3 store in memory that responds as a sick one does, or as something that isn't a store. */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { listen } from "../../tools/lib/listening.ts";

type Operation = "HEAD" | "GET" | "PUT" | "DELETE" | "COPY" | "LIST";

interface StoredObject {
  bytes: Buffer;
  headers: Record<string, string>;
}

interface Call {
  operation: Operation;
  /** The key of the object, without the bucket. */
  key: string;
  object: StoredObject | undefined;
  req: IncomingMessage;
  res: ServerResponse;
}

/** Responds in place of the store. @returns false to let the store respond */
type Sickness = (call: Call) => boolean;

export interface SickStore {
  settings: Record<string, string>;
  objects: ReadonlyMap<string, StoredObject>;
  /** Until `recover`. */
  fallSick(sickness: Sickness): void;
  recover(): void;
  /** Requests whose response has neither ended nor was broken off by the service. */
  openRequests(): number;
}

export async function startSickStore(): Promise<SickStore> {
  const objects = new Map<string, StoredObject>();
  const open = new Set<ServerResponse>();
  let sickness: Sickness = () => false;
  const server = createServer(async (req, res) => {
    open.add(res);
    res.once("close", () => {
      open.delete(res);
    });
    const bytes = await buffer(req).catch(() => undefined);
    if (bytes === undefined) return;
    const url = new URL(req.url ?? "", "http://store");
    const key = decodeURIComponent(url.pathname).replace(/^\/[^/]*\/?/, "");
    const call = { operation: operationOf(req, url), key, object: objects.get(key), req, res };
    if (!sickness(call)) respond(objects, call, url, bytes);
  });
  const port = await listen(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    settings: {
      STORAGE_URL: `s3://books?region=eu-central-1&endpoint=http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: "key",
      AWS_SECRET_ACCESS_KEY: "secret",
    },
    objects,
    fallSick(next) {
      sickness = next;
    },
    recover() {
      sickness = () => false;
    },
    openRequests: () => open.size,
  };
}

function operationOf(req: IncomingMessage, url: URL): Operation {
  if (req.method === "GET" && (url.searchParams.has("list-type") || url.searchParams.has("uploads")))
    return "LIST";
  if (req.method === "PUT" && req.headers["x-amz-copy-source"] !== undefined) return "COPY";
  const { method } = req;
  if (method === "HEAD" || method === "GET" || method === "PUT" || method === "DELETE") return method;
  throw new Error(`The store doesn't know ${req.method}`);
}

function respond(objects: Map<string, StoredObject>, call: Call, url: URL, bytes: Buffer): void {
  const { operation, key, object, req, res } = call;
  if (operation === "PUT") {
    const metadata = Object.entries(req.headers).filter(([name]) => name.startsWith("x-amz-meta-"));
    const headers = Object.fromEntries(metadata.map(([name, value]) => [name, String(value)]));
    objects.set(key, { bytes, headers });
    res.writeHead(200, { ETag: etagOf(bytes) }).end();
  } else if (operation === "DELETE") {
    objects.delete(key);
    res.writeHead(204).end();
  } else if (operation === "LIST") {
    res.writeHead(200, XML).end(listOf(objects, url));
  } else if (operation === "COPY") {
    const from = decodeURIComponent(String(req.headers["x-amz-copy-source"])).replace(/^\/?[^/]*\//, "");
    const source = objects.get(from);
    if (source) objects.set(key, source);
    const tag = source && etagOf(source.bytes);
    res.writeHead(source ? 200 : 404, XML).end(`<CopyObjectResult><ETag>${tag}</ETag></CopyObjectResult>`);
  } else if (object) send(call, object.bytes);
  else res.writeHead(404, XML).end("<Error><Code>NoSuchKey</Code></Error>");
}

function listOf(objects: ReadonlyMap<string, StoredObject>, url: URL): string {
  if (!url.searchParams.has("list-type")) return "<ListMultipartUploadsResult/>";
  const prefix = url.searchParams.get("prefix") ?? "";
  const contents = [...objects]
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, { bytes }]) => `<Contents><Key>${name}</Key><Size>${bytes.length}</Size></Contents>`);
  return `<ListBucketResult><Name>books</Name>${contents.join("")}</ListBucketResult>`;
}

/** The object, or the range of it that is asked for. */
export function send({ req, res, object }: Call, bytes: Buffer): void {
  const [, start = "0", end = `${bytes.length - 1}`] =
    /^bytes=(\d+)-(\d+)$/.exec(req.headers.range ?? "") ?? [];
  const part = bytes.subarray(Number(start), Number(end) + 1);
  const headers = {
    ...object?.headers,
    ETag: etagOf(object?.bytes ?? bytes),
    "Content-Length": part.length,
    "Last-Modified": new Date(0).toUTCString(),
  };
  res.writeHead(req.headers.range === undefined ? 200 : 206, headers);
  res.end(req.method === "HEAD" ? undefined : part);
}

/** Sends a body until the service breaks the connection off. @returns the number of bytes that the service has taken */
export function sendWithoutEnd(res: ServerResponse, chunk: Buffer): () => number {
  let taken = 0;
  const next = () =>
    void res.write(chunk, (error) => {
      if (error) return;
      taken += chunk.length;
      setImmediate(next);
    });
  next();
  return () => taken;
}

const XML = { "Content-Type": "application/xml" };

const etagOf = (bytes: Buffer): string => `"${createHash("md5").update(bytes).digest("hex")}"`;
