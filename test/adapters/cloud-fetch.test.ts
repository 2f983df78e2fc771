/** Fetching a file from another host: what is asked, followed, refused and taken for a file. */
import { randomBytes } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { eventually } from "../support/eventually.ts";
import { bytesOf, fetchFrom, reasonOf, secret, startHost, startRawHost } from "./cloud-fetch-host.ts";

/** Answers `/0` with a redirect to `/1` and so on, as often as told, then with the file. */
const redirecting = (times: number) =>
  startHost(({ url = "" }, response) => {
    const step = Number.parseInt(url.slice(1), 10);
    if (step < times) response.writeHead(302, { location: `/${step + 1}?${secret}` }).end();
    else response.end("the file");
  });

const redirectTo = (location: string, status = 302) =>
  startHost((_request, response) => response.writeHead(status, { location }).end());

describe("a file", () => {
  it("arrives byte for byte", async () => {
    const file = randomBytes(300_000);
    const host = await startHost((_request, response) => response.end(file));
    expect(await bytesOf(fetchFrom([host]), host.url())).toEqual(file);
  });

  it("arrives completely if it is sent in chunks or ended by closing", async () => {
    const chunked = await startHost(async (_request, response) => {
      response.write("one ");
      await new Promise((sent) => response.write("two ", sent));
      response.end("three");
    });
    const closing = await startRawHost((socket) => {
      socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nold style"));
    });
    const fetcher = fetchFrom([chunked, closing]);
    expect((await bytesOf(fetcher, chunked.url())).toString()).toBe("one two three");
    expect((await bytesOf(fetcher, closing.url())).toString()).toBe("old style");
  });

  it("can be empty", async () => {
    const host = await startHost((_request, response) => response.end());
    expect(await bytesOf(fetchFrom([host]), host.url())).toHaveLength(0);
  });

  it("is requested without credentials, cookies, origin or compression", async () => {
    const host = await startHost((_request, response) => response.end("x"));
    await bytesOf(fetchFrom([host]), host.url("/a"));
    expect(host.requests).toEqual([
      {
        method: "GET",
        url: `/a?${secret}`,
        headers: {
          host: host.hostAndPort,
          connection: "close",
          accept: "*/*",
          "accept-encoding": "identity",
          "user-agent": "Mozilla/5.0 (compatible; BookDistributionService)",
        },
      },
    ]);
  });

  it("leaves no connection open", async () => {
    const host = await startHost((_request, response) => response.end("x"));
    const fetcher = fetchFrom([host]);
    await Promise.all(Array.from({ length: 5 }, () => bytesOf(fetcher, host.url())));
    await eventually(() => expect(host.openSockets()).toBe(0));
    expect(host.connections).toBe(5);
  });
});

describe("addresses that are rejected before any connection", () => {
  it("include hosts that aren't allowed", async () => {
    const host = await startHost((_request, response) => response.end("inside"));
    const other = await startHost((_request, response) => response.end("allowed"));
    expect(await reasonOf(fetchFrom([]).open(host.url()))).toBe("refused_address");
    expect(await reasonOf(fetchFrom([other]).open(host.url()))).toBe("refused_address");
    expect(host.connections).toBe(0);
  });

  it.each([
    "https://127.0.0.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0177.0.0.1/",
    "https://[::1]/",
    "https://[::ffff:7f00:1]/",
    "https://localhost/",
    "https://8.8.8.8/",
    "https://user:password@example.org/",
    "https://example.org:8443/",
    "http://example.org/",
    "ftp://example.org/",
    "file:///etc/passwd",
    "not a url",
  ])("%s", async (url) => {
    const resolve = vi.fn(async () => ["127.0.0.1"]);
    expect(await reasonOf(fetchFrom([], { resolve }).open(url))).toBe("refused_address");
    expect(resolve).not.toHaveBeenCalled();
  });

  it("are matched in any spelling of an allowed host's address, only with its own port", async () => {
    const host = await startHost((_request, response) => response.end("allowed"));
    const fetcher = fetchFrom([host]);
    expect((await bytesOf(fetcher, `http://0x7f.1:${host.port}/`)).toString()).toBe("allowed");
    expect(await reasonOf(fetcher.open("http://0x7f.1/"))).toBe("refused_address");
    expect(await reasonOf(fetcher.open(`http://user@127.0.0.1:${host.port}/`))).toBe("refused_address");
    expect(host.connections).toBe(1);
  });
});

describe("a redirect", () => {
  it.each([301, 302, 303, 307, 308])("with status %s is followed with GET", async (status) => {
    const target = await startHost((_request, response) => response.end("moved"));
    const host = await redirectTo(target.url("/there"), status);
    expect((await bytesOf(fetchFrom([host, target]), host.url())).toString()).toBe("moved");
    expect(target.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([`GET /there?${secret}`]);
  });

  it("can be relative; up to five are followed", async () => {
    const host = await redirecting(5);
    expect((await bytesOf(fetchFrom([host]), host.url("/0"))).toString()).toBe("the file");
    expect(host.requests).toHaveLength(6);
  });

  it("isn't followed if it is the sixth, or a loop", async () => {
    const host = await redirecting(6);
    expect(await reasonOf(fetchFrom([host]).open(host.url("/0")))).toBe("too_many_redirects");
    const loop = await redirectTo("/");
    expect(await reasonOf(fetchFrom([loop]).open(loop.url()))).toBe("too_many_redirects");
    expect([host.requests.length, loop.requests.length]).toEqual([6, 6]);
  });

  it("to an internal host is rejected, and the host isn't contacted", async () => {
    const inside = await startHost((_request, response) => response.end("secrets"));
    const host = await redirectTo(inside.url());
    expect(await reasonOf(fetchFrom([host]).open(host.url()))).toBe("refused_address");
    expect(inside.connections).toBe(0);
  });

  it.each([
    "https://10.0.0.1/",
    "//[::ffff:10.0.0.1]/",
    "http://example.org/",
    "https://user:password@example.org/",
    "file:///etc/passwd",
    "http://[",
  ])("to %s is rejected", async (location) => {
    const host = await redirectTo(location);
    const resolve = vi.fn(async () => ["127.0.0.1"]);
    expect(await reasonOf(fetchFrom([host], { resolve }).open(host.url()))).toBe("refused_address");
    expect(resolve).not.toHaveBeenCalled();
  });

  it("doesn't carry cookies along", async () => {
    const host = await startHost(({ url }, response) => {
      if (url?.startsWith("/b")) response.end("x");
      else response.writeHead(302, { location: "/b", "set-cookie": "session=1; Path=/" }).end();
    });
    await bytesOf(fetchFrom([host]), host.url("/a"));
    expect(host.requests.map(({ headers }) => [headers.cookie, headers.referer])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  it("can lead to addresses longer than a link can be, as signed ones are", async () => {
    const signature = "s".repeat(6000);
    const host = await startHost(({ url = "" }, response) => {
      if (url.includes(signature)) response.end("signed");
      else response.writeHead(302, { location: `/?signature=${signature}` }).end();
    });
    expect((await bytesOf(fetchFrom([host]), host.url())).toString()).toBe("signed");
  });

  it("is followed without reading its body to the end", async () => {
    const target = await startHost((_request, response) => response.end("moved"));
    const host = await startHost((_request, response) => {
      response.writeHead(302, { location: target.url() });
      response.write("an endless body"); // and never an end
    });
    expect((await bytesOf(fetchFrom([host, target]), host.url())).toString()).toBe("moved");
    await eventually(() => expect(host.openSockets()).toBe(0));
  });

  it.each([300, 302, 304])("with status %s and without a location isn't a file", async (status) => {
    const host = await startHost((_request, response) => response.writeHead(status).end());
    expect(await reasonOf(fetchFrom([host]).open(host.url()))).toBe("bad_status");
  });
});

describe("a response that isn't the file is rejected:", () => {
  it.each([204, 206, 404, 500])("status %s", async (status) => {
    const host = await startHost((_request, response) => {
      response.writeHead(status);
      response.end(status === 204 ? undefined : "words");
    });
    expect(await reasonOf(fetchFrom([host]).open(host.url()))).toBe("bad_status");
    await eventually(() => expect(host.openSockets()).toBe(0));
  });

  it.each(["TEXT/HTML;charset=x", "application/xhtml+xml"])(
    "a page of type %s, such as a log-in or a virus warning",
    async (type) => {
      const host = await startHost((_request, response) => {
        response.setHeader("content-type", type);
        response.end("<title>Google Drive - Virus scan warning</title>");
      });
      expect(await reasonOf(fetchFrom([host]).open(host.url()))).toBe("not_a_file");
      await eventually(() => expect(host.openSockets()).toBe(0));
      const page = await bytesOf(fetchFrom([host]), host.url(), { acceptHtml: true });
      expect(page.toString()).toContain("Virus scan warning");
    },
  );

  it.each(["text/plain", "text/htmlbook"])("unlike a file of type %s", async (type) => {
    const host = await startHost((_request, response) => response.setHeader("content-type", type).end("x"));
    expect((await bytesOf(fetchFrom([host]), host.url())).toString()).toBe("x");
  });

  it("a compressed body that wasn't requested", async () => {
    const responseTo = (encoding: string) =>
      startHost((_request, response) => response.setHeader("content-encoding", encoding).end("x"));
    const [gzip, identity] = [await responseTo("gzip"), await responseTo("Identity")];
    expect(await reasonOf(fetchFrom([gzip]).open(gzip.url()))).toBe("not_a_file");
    expect((await bytesOf(fetchFrom([identity]), identity.url())).toString()).toBe("x");
  });
});
