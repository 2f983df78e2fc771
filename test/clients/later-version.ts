/** A server of a later version, as far as clients are concerned: the real one behind a proxy that adds to its responses. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";

/** The new value of each enumeration. */
export const ADDED = "added_later";

/** Fields whose values later versions may add to. */
const ENUMERATIONS = new Set(["role", "fileType", "sourceType", "direction"]);

interface LaterVersion {
  baseUrl: string;
  stop(): Promise<void>;
}

/** @param baseUrl of the server behind it */
export async function startLaterVersion(baseUrl: string): Promise<LaterVersion> {
  const server = createServer((req, res) => {
    forward(baseUrl, req, res).catch((error: unknown) => res.destroy(new Error("proxy", { cause: error })));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function forward(baseUrl: string, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { "content-type": type, cookie } = req.headers;
  const body = await buffer(req);
  const response = await fetch(`${baseUrl}${req.url}`, {
    method: req.method ?? "GET",
    headers: { ...(type && { "Content-Type": type }), ...(cookie && { Cookie: cookie }) },
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  });
  const mediaType = response.headers.get("content-type") ?? "";
  const isProblem = mediaType.startsWith("application/problem+json");
  const content = Buffer.from(await response.arrayBuffer());
  const isJson = isProblem || mediaType.startsWith("application/json");
  res.writeHead(response.status, {
    "Content-Type": mediaType,
    "Set-Cookie": response.headers.getSetCookie(),
  });
  res.end(isJson ? JSON.stringify(grown(JSON.parse(content.toString()), isProblem)) : content);
}

/** Every object has a further field, and every enumeration a value that this version doesn't know. */
function grown(value: unknown, isProblem: boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => grown(each, isProblem));
  if (typeof value !== "object" || value === null) return value;
  const isAdded = (name: string) => ENUMERATIONS.has(name) || (isProblem && name === "code");
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    isAdded(name) ? ADDED : grown(field, isProblem),
  ]);
  return { ...Object.fromEntries(fields), fieldAddedLater: { isKnown: false } };
}
