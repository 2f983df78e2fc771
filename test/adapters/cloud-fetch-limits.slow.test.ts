/** Fetches that are too large, too slow, cut off or given up, and what is left of them. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { bytesOf, fetchFrom, type Host, reasonOf, startHost, startRawHost } from "./cloud-fetch-host.ts";

const startFile = (size: number) => startHost((_request, response) => response.end(Buffer.alloc(size, "x")));

/** Sends without end and without saying how much, as fast as it is read. */
const startEndless = () =>
  startHost((_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(16_384)));
    };
    response.on("drain", more);
    more();
  });

/** Sends the beginning of a larger file and nothing more. */
const startStalling = () =>
  startHost((_request, response) => response.setHeader("content-length", 1000).write("beginning"));

const closed = (host: Host) => eventually(() => expect(host.openSockets()).toBe(0));

describe("a file's size", () => {
  it("is rejected before the body if the header exceeds the limit", async () => {
    const host = await startHost((_request, response) => {
      response.writeHead(200, { "content-length": 1001 }).flushHeaders();
    });
    expect(await reasonOf(fetchFrom([host], { maxBytes: 1000 }).open(host.url()))).toBe("too_large");
    await closed(host);
  });

  it("ends the stream at the limit without a header, and never more is held", async () => {
    const host = await startEndless();
    const stream = await fetchFrom([host], { maxBytes: 100_000 }).open(host.url());
    let received = 0;
    stream.on("data", (chunk: Buffer) => {
      received += chunk.length;
    });
    expect(await reasonOf(once(stream, "end"))).toBe("too_large");
    expect(received).toBeLessThanOrEqual(100_000);
    await closed(host);
  });

  it("can be limited further for one fetch, but not raised", async () => {
    const host = await startFile(1000);
    const fetcher = fetchFrom([host], { maxBytes: 1000 });
    expect(await bytesOf(fetcher, host.url())).toHaveLength(1000);
    expect(await reasonOf(fetcher.open(host.url(), { maxBytes: 999 }))).toBe("too_large");
    const larger = await startFile(1001);
    const other = fetchFrom([larger], { maxBytes: 1000 });
    expect(await reasonOf(other.open(larger.url(), { maxBytes: 5000 }))).toBe("too_large");
  });
});

describe("the time limit", () => {
  it("is exceeded if no response arrives", async () => {
    const host = await startHost(() => {});
    expect(await reasonOf(fetchFrom([host], { idleTimeoutMs: 100 }).open(host.url()))).toBe("timed_out");
    await closed(host);
  });

  it("is exceeded if the body stalls, after the received bytes were passed on", async () => {
    const host = await startStalling();
    const stream = await fetchFrom([host], { idleTimeoutMs: 1500 }).open(host.url());
    const [chunk] = await once(stream, "data");
    expect(String(chunk)).toBe("beginning");
    expect(await reasonOf(once(stream, "end"))).toBe("timed_out");
    await closed(host);
  });

  it("in total is exceeded even if a host keeps sending", async () => {
    const host = await startHost((_request, response) => {
      const timer = setInterval(() => response.write("x"), 10);
      response.once("close", () => clearInterval(timer));
    });
    const stream = await fetchFrom([host], { totalTimeoutMs: 1500 }).open(host.url());
    expect(await reasonOf(stream.toArray())).toBe("timed_out");
    await closed(host);
  });

  it("is exceeded for a host that sends single bytes, long before the total", async () => {
    const host = await startHost((_request, response) => {
      const timer = setInterval(() => response.write("x"), 10);
      response.once("close", () => clearInterval(timer));
    });
    const minRate = { bytesPerSecond: 10_000, windowMs: 1000 };
    const stream = await fetchFrom([host], { minRate }).open(host.url());
    expect(await reasonOf(stream.toArray())).toBe("timed_out");
    await closed(host);
  });

  it("in total includes the redirects", async () => {
    const host = await startHost(async (_request, response) => {
      await sleep(200);
      response.writeHead(302, { location: "/" }).end();
    });
    // Each step is well within the limit, all six of them are not.
    expect(await reasonOf(fetchFrom([host], { totalTimeoutMs: 600 }).open(host.url()))).toBe("timed_out");
  });

  it("isn't exceeded because the reader is slow", async () => {
    const size = 8_000_000;
    const host = await startFile(size);
    const minRate = { bytesPerSecond: 100_000, windowMs: 1000 };
    const options = { maxBytes: size, idleTimeoutMs: 1500, minRate };
    const stream = await fetchFrom([host], options).open(host.url());
    await sleep(4000);
    expect(Buffer.concat(await stream.toArray())).toHaveLength(size);
  });
});

describe("a broken connection", () => {
  it("during a file is never taken for its end", async () => {
    const host = await startRawHost((socket) => {
      socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nbeginning"));
    });
    expect(await reasonOf(bytesOf(fetchFrom([host]), host.url()))).toBe("connection_failed");
  });

  it("during a chunked file is never taken for its end", async () => {
    const host = await startRawHost((socket) => {
      socket.once("data", () =>
        socket.end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nbeginning\r\n"),
      );
    });
    expect(await reasonOf(bytesOf(fetchFrom([host]), host.url()))).toBe("connection_failed");
  });

  it.each([
    ["nothing", ""],
    ["words", "SSH-2.0-OpenSSH_9.6\r\n"],
    ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx"],
    ["endless headers", `HTTP/1.1 200 OK\r\n${"A: b\r\n".repeat(20_000)}`],
  ])("or a response that isn't HTTP fails: %s", async (_name, answer) => {
    const host = await startRawHost((socket) => {
      socket.once("data", () => socket.end(answer));
    });
    expect(await reasonOf(fetchFrom([host]).open(host.url()))).toBe("connection_failed");
  });

  it("or no response at all fails", async () => {
    const gone = { hostAndPort: "127.0.0.1:1" };
    const fetcher = fetchFrom([{ ...(await startFile(1)), ...gone }]);
    expect(await reasonOf(fetcher.open("http://127.0.0.1:1/?rlkey=s3cr3t"))).toBe("connection_failed");
  });
});

describe("an abort", () => {
  const reason = new Error("the reader left");

  it("before the fetch prevents the connection", async () => {
    const host = await startFile(1);
    await expect(fetchFrom([host]).open(host.url(), { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
    expect(host.connections).toBe(0);
  });

  it("before the response closes the connection", async () => {
    const host = await startHost(() => leave.abort(reason));
    const leave = new AbortController();
    await expect(fetchFrom([host]).open(host.url(), { signal: leave.signal })).rejects.toBe(reason);
    await closed(host);
  });

  it("during the body ends the stream with the signal's reason and closes the connection", async () => {
    const host = await startEndless();
    const leave = new AbortController();
    const stream = await fetchFrom([host], { maxBytes: Infinity }).open(host.url(), { signal: leave.signal });
    await once(stream, "data");
    leave.abort(reason);
    await expect(stream.toArray()).rejects.toBe(reason);
    await closed(host);
  });

  it.each<[string, (stream: Readable) => void]>([
    ["destroying the stream", (stream) => void stream.destroy()],
    ["destroying it with an error", (stream) => void stream.on("error", () => {}).destroy(reason)],
    [
      "leaving a loop",
      async (stream) => {
        for await (const _chunk of stream) break;
      },
    ],
  ])("by %s closes the connection", async (_name, leave) => {
    const host = await startEndless();
    leave(await fetchFrom([host], { maxBytes: Infinity }).open(host.url()));
    await closed(host);
  });

  it("by closing the adapter ends what is in progress and rejects later fetches", async () => {
    const responses: ServerResponse[] = [];
    const host = await startHost((_request, response) => {
      responses.push(response);
      if (responses.length === 1) response.write("beginning");
    });
    const fetcher = fetchFrom([host]);
    const reading = reasonOf((await fetcher.open(host.url())).toArray());
    const waiting = reasonOf(fetcher.open(host.url()));
    await eventually(() => expect(responses).toHaveLength(2));
    await fetcher.close();
    expect(await Promise.all([reading, waiting, reasonOf(fetcher.open(host.url()))])).toEqual([
      "connection_failed",
      "connection_failed",
      "connection_failed",
    ]);
    await closed(host);
  });
});
