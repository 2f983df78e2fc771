/** Requests to receivers that are slow, endless or inside the network. */
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebhookClient, type WebhookClientOptions } from "../../src/adapters/webhook-client.ts";
import { type Host, startHost, startRawHost } from "./cloud-fetch-host.ts";

const NEVER = new AbortController().signal;

function createClient(
  host: Pick<Host, "hostAndPort"> | undefined,
  given: Partial<WebhookClientOptions> = {},
) {
  const client = new WebhookClient({ allowHosts: host ? [host.hostAndPort] : [], ...given });
  onTestFinished(() => client.close());
  return client;
}

const message = (url: string) => ({ url, headers: { "webhook-id": "1" }, body: "{}", signal: NEVER });

describe("a receiver", () => {
  it("gets one request, and its status is returned with Retry-After", async () => {
    const host = await startHost((_, response) =>
      response.writeHead(429, { "Retry-After": "7" }).end("later"),
    );
    const result = await createClient(host).post(message(host.url("/hook")));
    expect(result).toEqual({ status: 429, retryAfter: "7" });
    expect(host.requests).toMatchObject([{ method: "POST", headers: { "webhook-id": "1" } }]);
  });

  it("that sends without end is left after 64 KiB", async () => {
    let sent = 0;
    const host = await startHost((_, response) => {
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384))) sent += 16_384;
      };
      response.writeHead(200).on("drain", write);
      write();
    });
    expect(await createClient(host).post(message(host.url()))).toMatchObject({ status: 200 });
    await expect.poll(() => host.openSockets()).toBe(0);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  it.each([
    ["silent", () => startRawHost((socket) => socket.resume())],
    [
      "slow with its headers",
      () =>
        startRawHost(async (socket) => {
          socket.write("HTTP/1.1 200 OK\r\n");
          for (let number = 0; number < 100 && !socket.destroyed; number++) {
            socket.write(`X-${number}: 1\r\n`);
            await pause(20);
          }
        }),
    ],
  ])("that is %s costs the time of one request", async (_name, start) => {
    const host = await start();
    const client = createClient(host, { totalTimeoutMs: 300 });
    expect(await client.post(message(host.url()))).toEqual({ status: null, error: expect.any(String) });
    await expect.poll(() => host.openSockets()).toBe(0);
  });

  it("that drips its response has responded", async () => {
    const host = await startHost(async (_, response) => {
      response.writeHead(204 + 1);
      while (!response.destroyed) {
        response.write(".");
        await pause(20);
      }
    });
    const client = createClient(host, { totalTimeoutMs: 300 });
    expect(await client.post(message(host.url()))).toMatchObject({ status: 205 });
    await expect.poll(() => host.openSockets()).toBe(0);
  });

  it("isn't asked once the caller has ended", async () => {
    const host = await startHost((_, response) => response.end());
    const signal = AbortSignal.abort(new Error("over"));
    expect(await createClient(host).post({ ...message(host.url()), signal })).toMatchObject({ status: null });
    expect(host.requests).toEqual([]);
  });
});

describe("an address", () => {
  it.each([
    ["of a name that resolves to an internal address", ["10.0.0.8"], "url_host_not_public"],
    ["of a name that also resolves to one", ["93.184.215.14", "::1"], "url_host_not_public"],
    ["of a public name", ["93.184.215.14"], undefined],
  ])("%s is judged when a webhook is made", async (_name, addresses, code) => {
    const client = createClient(undefined, { resolve: async () => addresses });
    expect((await client.findAddressError("https://crm.example.org/"))?.code).toBe(code);
  });

  it("of an unknown or a slow name isn't refused: it is judged again with each request", async () => {
    const unknown = createClient(undefined, { resolve: () => Promise.reject(new Error("ENOTFOUND")) });
    const slow = createClient(undefined, { resolve: () => new Promise(() => {}), resolveTimeoutMs: 20 });
    for (const client of [unknown, slow])
      expect(await client.findAddressError("https://crm.example.org/")).toBeUndefined();
  });

  it("that has become internal gets no request", async () => {
    const host = await startHost((_, response) => response.end());
    const client = createClient(undefined, { resolve: async () => ["127.0.0.1"] });
    const result = await client.post(message("https://crm.example.org/"));
    expect(result).toEqual({ status: null, error: expect.stringContaining("public") });
    expect(host.requests).toEqual([]);
  });
});
