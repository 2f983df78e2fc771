/** A request that a test sends bit by bit. */
import { type ClientRequest, request } from "node:http";
import { portOf } from "../../tools/lib/listening.ts";
import type { TestApp } from "./app.ts";

/** A request with a new API key, whose body the test writes itself. */
export async function openRequest(
  { server, make }: Pick<TestApp, "server" | "make">,
  method: string,
  path: string,
  headers: Readonly<Record<string, string | number>>,
): Promise<ClientRequest> {
  const { key } = await make.apiKey();
  const credential = { Authorization: `Bearer ${key}` };
  const to = { port: portOf(server), host: "127.0.0.1", method, path };
  return request({ ...to, headers: { ...headers, ...credential } }).on("error", () => {});
}
