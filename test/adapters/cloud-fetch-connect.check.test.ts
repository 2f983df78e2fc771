/** Names, addresses and certificates: the address that was checked is the one connected to. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createServer as createHttpsServer } from "node:https";
import { Socket } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { Agent, buildConnector, request } from "undici";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createGuardedConnector } from "../../src/adapters/cloud-fetch.ts";
import { selfSignedCertificate } from "./cloud-fetch-certificate.ts";
import { bytesOf, fetchFrom, reasonOf, secret, startHost, watch } from "./cloud-fetch-host.ts";

const name = "files.example.org";
/** Of global unicast, but never assigned: public by the rules, without a host. */
const publicAddress = "2d00::1";

const startFile = () => startHost((_request, response) => response.end("file"));

/** Answers look-ups in the order given, the last one for ever. */
const resolver = (...responses: string[][]) =>
  vi.fn(async (_hostname: string) => (responses.length > 1 ? responses.shift() : responses[0]) ?? []);

/** Every address that sockets of this process try from now on. */
function watchAttempts(onAttempt: () => void): string[] {
  const attempts: string[] = [];
  const listen = (message: unknown) => {
    if (typeof message !== "object" || message === null || !("socket" in message)) return;
    if (!(message.socket instanceof Socket)) return;
    message.socket.on("connectionAttempt", (address: string) => {
      attempts.push(address);
      onAttempt();
    });
  };
  subscribe("net.client.socket", listen);
  onTestFinished(() => void unsubscribe("net.client.socket", listen));
  return attempts;
}

describe("a host name", () => {
  it.each([
    ["loopback", ["127.0.0.1"]],
    ["private", ["10.0.0.1"]],
    ["metadata", ["169.254.169.254"]],
    ["IPv6 loopback", ["::1"]],
    ["unique local", ["fd00::1"]],
    ["mapped", ["::ffff:127.0.0.1"]],
    ["NAT64", ["64:ff9b::7f00:1"]],
    ["one inner among public ones", ["2606:4700:4700::1111", "8.8.8.8", "192.168.0.1"]],
    ["no address at all", ["localhost"]],
  ])("of an internal address is rejected and not connected to: %s", async (_name, addresses) => {
    const attempts = watchAttempts(() => {});
    const resolve = resolver(addresses);
    expect(await reasonOf(fetchFrom([], { resolve }).open(`https://${name}/?${secret}`))).toBe(
      "refused_address",
    );
    expect(resolve.mock.calls).toEqual([[name]]);
    expect(attempts).toEqual([]);
  });

  it("whose address changes after the check: the checked address is connected to, without another look-up", async () => {
    const resolve = resolver([publicAddress], ["127.0.0.1"]);
    const leave = new AbortController();
    const attempts = watchAttempts(() => leave.abort());
    const fetcher = fetchFrom([], { resolve, connectTimeoutMs: 5000 });
    await expect(fetcher.open(`https://${name}/`, { signal: leave.signal })).rejects.toThrow();
    expect(attempts).toEqual([publicAddress]);
    expect(resolve).toHaveBeenCalledOnce();
  });

  it("of a redirect is checked, too", async () => {
    const host = await startHost((_request, response) => {
      response.writeHead(302, { location: `https://${name}/?${secret}` }).end();
    });
    const resolve = resolver(["10.0.0.1"]);
    expect(await reasonOf(fetchFrom([host], { resolve }).open(host.url()))).toBe("refused_address");
    expect(resolve.mock.calls).toEqual([[name]]);
  });

  it.each([
    ["is unknown", async () => Promise.reject(Object.assign(new Error("queryA"), { code: "ENOTFOUND" }))],
    ["has no address", async () => []],
  ])("whose look-up fails with %s is a failed connection", async (_name, resolve) => {
    expect(await reasonOf(fetchFrom([], { resolve }).open(`https://${name}/`))).toBe("connection_failed");
  });

  it("that is never resolved exceeds the time limit, for connecting or in total, or is aborted", async () => {
    const resolve = () => new Promise<never>(() => {});
    const left = fetchFrom([], { resolve }).open(`https://${name}/`, { signal: AbortSignal.timeout(100) });
    await expect(left).rejects.toThrow("timeout");
    for (const limit of [{ connectTimeoutMs: 100 }, { totalTimeoutMs: 100 }]) {
      expect(await reasonOf(fetchFrom([], { resolve, ...limit }).open(`https://${name}/`))).toBe("timed_out");
    }
  });

  it("isn't looked up if the fetch was aborted before", async () => {
    const resolve = resolver([publicAddress]);
    const fetched = fetchFrom([], { resolve }).open(`https://${name}/`, { signal: AbortSignal.abort() });
    await expect(fetched).rejects.toThrow("aborted");
    await new Promise(setImmediate);
    expect(resolve).not.toHaveBeenCalled();
  });
});

describe("a trusted host and port", () => {
  it("can have any address; it is requested by its name", async () => {
    const host = await startFile();
    const resolve = resolver(["127.0.0.1"]);
    const fetcher = fetchFrom([], { resolve, allowHosts: [`${name}:${host.port}`] });
    expect((await bytesOf(fetcher, `http://${name}:${host.port}/`)).toString()).toBe("file");
    expect(host.requests[0]?.headers.host).toBe(`${name}:${host.port}`);
    expect(resolve).toHaveBeenCalledOnce();
  });

  it("isn't trusted at the usual port", async () => {
    const host = await startFile();
    const attempts = watchAttempts(() => {});
    const fetcher = fetchFrom([], { resolve: resolver(["127.0.0.1"]), allowHosts: [`${name}:${host.port}`] });
    expect(await reasonOf(fetcher.open(`https://${name}/`))).toBe("refused_address");
    expect(attempts).toEqual([]);
  });

  it("is looked up by the system by default", async () => {
    const host = await startFile();
    const fetcher = fetchFrom([], { allowHosts: [`localhost:${host.port}`] });
    expect((await bytesOf(fetcher, `http://localhost:${host.port}/`)).toString()).toBe("file");
  });
});

describe("the connector by itself", () => {
  it.each(["127.0.0.1", "[::1]", "[::ffff:7f00:1]"])(
    "rejects %s, for which there is no look-up",
    async (address) => {
      const host = await startFile();
      const attempts = watchAttempts(() => {});
      const agent = new Agent({ connect: createGuardedConnector(buildConnector, { allowHosts: [] }) });
      onTestFinished(() => agent.destroy());
      const fetched = request(`http://${address}:${host.port}/`, { dispatcher: agent });
      expect(await reasonOf(fetched)).toBe("refused_address");
      expect(attempts).toEqual([]);
    },
  );
});

describe("TLS", () => {
  const trusted = selfSignedCertificate(name);
  const unexpected = selfSignedCertificate(name);

  /** An HTTPS host with a certificate for `name`, found under every name at 127.0.0.1. */
  async function startTlsHost({ key, cert }: typeof trusted) {
    const names: unknown[] = [];
    const server = createHttpsServer(
      { key, cert, ALPNProtocols: ["h2", "http/1.1"] },
      (_request, response) => {
        response.end("file");
      },
    );
    server.on("secureConnection", (socket) => names.push([socket.servername, socket.alpnProtocol]));
    const { port } = await watch(server, []);
    const fetcher = (asked: string) =>
      fetchFrom([], { resolve: resolver(["127.0.0.1"]), allowHosts: [`${asked}:${port}`] });
    return {
      port,
      names,
      open: (asked: string) => bytesOf(fetcher(asked), `https://${asked}:${port}/?${secret}`),
    };
  }

  function trust(cert: string) {
    const before = getCACertificates("default");
    setDefaultCACertificates([...before, cert]);
    onTestFinished(() => setDefaultCACertificates(before));
  }

  it("sends the name and checks the certificate for it, not for the address", async () => {
    trust(trusted.cert);
    const host = await startTlsHost(trusted);
    expect((await host.open(name)).toString()).toBe("file");
    expect(host.names).toEqual([[name, "http/1.1"]]);
  });

  it("rejects a certificate for another name", async () => {
    trust(trusted.cert);
    const host = await startTlsHost(trusted);
    expect(await reasonOf(host.open("other.example.org"))).toBe("connection_failed");
  });

  it("rejects a certificate that no trusted authority has signed", async () => {
    trust(trusted.cert);
    const host = await startTlsHost(unexpected);
    expect(await reasonOf(host.open(name))).toBe("connection_failed");
  });
});
