/** What a body costs while it comes, in pieces of any size, and how long one from a stranger may be. */
import { once } from "node:events";
import type { Socket } from "node:net";
import { expect, it } from "vitest";
import { routes } from "../../src/routes/index.ts";
import { createAccount } from "../support/accounts.ts";
import { startApp } from "../support/app.ts";
import { measureBytesInUse } from "../support/bytes-in-use.ts";
import { findExampleBody } from "../support/example-calls.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { connectTo, formatGet } from "../support/raw-http.ts";

/** Below what a JSON body of a mebibyte may come in. */
const BODY_BYTES = 60_000;
/** For each byte that came, an object of Node's would take hundreds. */
const MAX_FOR_A_BYTE = 20;

it("keeps no reference to the chunks of a body", async () => {
  const app = await startApp();
  const { cookie } = await createAccount(app);
  const head = [
    "POST /api/admin/books HTTP/1.1",
    "Host: localhost",
    `Cookie: ${cookie}`,
    "Content-Type: application/json",
    "Transfer-Encoding: chunked",
  ].join("\r\n");
  const request = `${head}\r\n\r\n${"1\r\n \r\n".repeat(BODY_BYTES)}`;
  const connected = once(app.server, "connection");
  const client = connectTo(app.server);
  const [peer]: Socket[] = await connected;
  const before = measureBytesInUse();
  client.write(request);
  while ((peer?.bytesRead ?? 0) < request.length) await new Promise(setImmediate);
  expect(measureBytesInUse() - before).toBeLessThan(MAX_FOR_A_BYTE * BODY_BYTES);
  client.destroy();
});

it.each([
  ["a form", "/api/auth/login", 1024],
  ["a JSON body of a mebibyte", "/api/admin/books", 65_536],
])("rejects %s in chunks of one byte with 413 and reads no more of it", async (_what, path, maxChunks) => {
  const app = await startApp();
  const { cookie } = await createAccount(app);
  const headers = [`Cookie: ${cookie}`, "Content-Type: application/json", "Transfer-Encoding: chunked"];
  const connected = once(app.server, "connection");
  const client = connectTo(app.server).on("error", () => {});
  const [peer]: Socket[] = await connected;
  let response = "";
  client.setEncoding("latin1").on("data", (text) => {
    response += text;
  });
  client.write(formatGet(path, headers, "POST") + "1\r\n \r\n".repeat(1_000_000));
  await new Promise((resolve) => client.once("close", resolve));
  expect(response).toMatch(/^HTTP\/1.1 413 .*"body_too_large"/s);
  expect(response).toContain(`${maxChunks} chunks`);
  expect(peer?.bytesRead).toBeLessThan(3_000_000);
});

it("accepts at most 16 KiB from an unauthenticated client", async () => {
  const app = await startApp();
  const forms = routes.filter((route) => route.access.isPublic && findExampleBody(route) !== undefined);
  expect(forms.map(({ id }) => id)).toEqual(
    expect.arrayContaining(["login", "requestDownload", "requestLanguageDownload"]),
  );
  for (const route of forms) {
    const body = JSON.stringify(findExampleBody(route));
    const send = (bytes: number) =>
      app.api.call(route.method, route.path, {
        headers: { "Content-Type": "application/json" },
        body: body.padEnd(bytes),
      });
    expectProblem(await send(16 * 1024 + 1), 413, { code: "body_too_large" });
    expect((await send(16 * 1024)).status, route.id).not.toBe(413);
  }
});
