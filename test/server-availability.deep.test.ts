/** What a real server says of itself from its start to its end. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, fetch } from "undici";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { freePort } from "../tools/lib/server-process.ts";
import { RemoteAdmin } from "./support/remote-admin.ts";
import { readMetrics } from "./support/scrape.ts";
import { ServiceProcess } from "./support/service-process.ts";
import { createTempFolder } from "./support/temp-folder.ts";

const ADMIN = { ADMIN_EMAIL: "anna@example.org", ADMIN_PASSWORD: "correct horse battery" };
/** More than all buffers between two sockets hold. */
const LARGE = Buffer.alloc(32 * 1024 * 1024, "All work and no play makes Jack a dull boy.\n");
const newDataDir = (): string => join(createTempFolder(), "data");

/** A connection for each request: a stop closes idle ones, also the one on which fetch is just sending. */
const dispatcher = new Agent({ pipelining: 0 });
const get = (address: string) => fetch(address, { dispatcher });

/** The status, and the word for it. */
async function saidAt(address: string): Promise<string> {
  const response = await get(address);
  const said = z.object({ status: z.unknown(), code: z.unknown().optional() }).parse(await response.json());
  return `${response.status} ${said.code ?? said.status}`;
}

/** A server in the middle of a download that waits for its reader. */
async function inMidDownload() {
  const service = new ServiceProcess({ DATA_DIR: newDataDir(), ...ADMIN });
  const base = await service.waitUntilListening();
  const admin = await RemoteAdmin.login(base, ADMIN);
  await admin.publish("es", LARGE);
  const link = await admin.linkTo("es", "reader@example.org");
  const socket = connect(Number(new URL(base).port), "127.0.0.1");
  const ask = (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  ask(link);
  const [first] = await once(socket, "data");
  socket.pause();
  const rest = async (): Promise<string> => {
    const chunks: Buffer[] = [first];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk)).resume();
    await once(socket, "close");
    return Buffer.concat(chunks).toString("latin1");
  };
  return { service, base, link, ask, rest };
}

const METRICS_TOKEN = "q7Vd0Zk2mXr9LbT4wYc6NfHs1JgPu8Ae";

describe("a start", () => {
  it("is ready within three seconds, and returns 503 until then", async () => {
    const port = await freePort(0);
    const base = `http://127.0.0.1:${port}`;
    const dataDir = newDataDir();
    await mkdir(dataDir, { recursive: true });
    // A start reads this file first, and a pipe isn't read before somebody writes: the test says when it goes on.
    const held = join(dataDir, "GeoLite2-City.mmdb");
    execFileSync("mkfifo", [held]);
    const service = new ServiceProcess({ DATA_DIR: dataDir, PORT: String(port), METRICS_TOKEN, ...ADMIN });
    const said = async (path: string, wanted: string) => {
      const seen = new Set<string>();
      for (; !seen.has(wanted); await sleep(10)) seen.add(await saidAt(base + path).catch(() => "refused"));
      return seen;
    };
    expect(await said("/api/health", "503 unavailable")).not.toContain("200 ok");
    expect(await said("/api/health/ready", "503 starting")).not.toContain("200 ready");
    await writeFile(held, "no database");
    const seen = await said("/api/health/ready", "200 ready");
    const scraped = await fetch(`${base}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    const metrics = readMetrics(await scraped.text());
    // A machine with other work to do is slow, not wrong: what counts is the time that the process itself took.
    expect(metrics.process_cpu_seconds_total).toBeLessThan(3);
    expect(metrics.bookdist_http_connections).toBeGreaterThan(0);
    expect(seen).not.toContain("refused");
    await service.waitForLog("listening");
    expect(service.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  it("goes on if it can't set files aside, with an error in the log", async () => {
    const dataDir = newDataDir();
    const first = new ServiceProcess({ DATA_DIR: dataDir });
    await first.waitUntilListening();
    await first.end("SIGTERM");
    await writeFile(join(dataDir, "files", "removed"), "not a folder");
    const service = new ServiceProcess({ DATA_DIR: dataDir });
    const base = await service.waitUntilListening();
    expect((await get(`${base}/api/health/ready`)).status).toBe(200);
    const message = "could not delete what crashed uploads left behind; the next start tries again";
    expect(await service.waitForLog(message)).toMatchObject({ level: "error" });
    expect(await service.end("SIGTERM")).toMatchObject({ code: 0 });
  });
});

describe("a stop", () => {
  it("returns 503 to new requests while a download continues, and then ends", async () => {
    const { service, base, link, rest } = await inMidDownload();
    expect(await saidAt(`${base}/api/health/ready`)).toBe("200 ready");
    service.kill("SIGTERM");
    await service.waitForLog("stopping");
    expect(await saidAt(`${base}/api/health/ready`)).toBe("503 stopping");
    expect((await get(`${base}/api/health`)).status).toBe(200);
    for (const path of ["/api/books", "/api/auth/session", "/api/nothing", link]) {
      const rejected = await get(base + path);
      const { headers } = rejected;
      expect([rejected.status, headers.get("connection"), headers.get("retry-after")]).toEqual([
        503,
        "close",
        "5",
      ]);
      expect(headers.get("content-type")).toBe("application/problem+json");
    }
    // A connection that asks for nothing isn't waited for.
    const silent = connect(Number(new URL(base).port), "127.0.0.1").on("error", () => {});
    await once(silent, "ready");
    const closed = once(silent.resume(), "close");
    expect(service.lines.some(({ msg }) => msg === "stopped")).toBe(false);
    expect((await rest()).endsWith(LARGE.subarray(-100).toString())).toBe(true);
    expect(await service.ended).toEqual({ code: 0, signal: null, errors: "" });
    await closed;
    expect(service.lines.filter(({ level }) => level === "error")).toEqual([]);
    await expect(get(`${base}/api/health`)).rejects.toThrow();
  });

  it("is reported on the connection of the download, too", async () => {
    const { service, ask, rest } = await inMidDownload();
    service.kill("SIGTERM");
    await service.waitForLog("stopping");
    ask("/api/health/ready");
    const responses = await rest();
    expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 503"]);
    expect(responses).toContain('"code":"stopping"');
    expect((await service.ended).code).toBe(0);
  });
});
