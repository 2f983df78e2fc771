/** The server as it is run, in a process of its own, and what Linux says of that process from outside. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort, UNLIMITED } from "../demo/server-process.ts";
import { IMAGE_ENVIRONMENT } from "./image-environment.ts";
import { ADMIN } from "./service-process.ts";

const SERVER = join(import.meta.dirname, "../../src/server.ts");
const POLL_MS = 3;

export interface RealServer {
  port: number;
  pid: number;
  /** From its start to its first 200. */
  startSeconds: number;
  stop(): Promise<void>;
}

/** Resolves with the first 200. The server's log goes nowhere, but it is written. */
export async function startRealServer(
  dataDir: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<RealServer> {
  const port = await freePort(0);
  const place = { DATA_DIR: dataDir, PORT: String(port), HOST: "127.0.0.1" };
  const env = { ...process.env, ...IMAGE_ENVIRONMENT, ...variables, ...place };
  const start = performance.now();
  const child = spawn(process.execPath, [SERVER], { env, stdio: ["ignore", "ignore", "inherit"] });
  const exit = once(child, "exit");
  while (!(await isHealthy(port))) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}`);
    await wait(POLL_MS);
  }
  return {
    port,
    pid: child.pid ?? Number.NaN,
    startSeconds: (performance.now() - start) / 1000,
    async stop() {
      child.kill();
      await exit;
    },
  };
}

/** Work with a server on an empty folder, which has an administrator and no limits on what one address may ask. */
export async function withRealServer<T>(
  variables: Readonly<Record<string, string>>,
  work: (server: RealServer) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "bench-server-"));
  const server = await startRealServer(folder, {
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    ...UNLIMITED,
    ...variables,
  });
  try {
    return await work(server);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

const isHealthy = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/api/health`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Resident memory in bytes: now, and the most since `forgetPeak`. */
export function memoryOf({ pid }: RealServer): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) * 1024;
  return { now: bytes("VmRSS"), peak: bytes("VmHWM") };
}

/** By the 5 of proc_pid_clear_refs(5). */
export function forgetPeak({ pid }: RealServer): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

/** What the server has open: the paths of files, and what Linux calls the rest. */
export const descriptorsOf = ({ pid }: RealServer): string[] =>
  readdirSync(`/proc/${pid}/fd`).flatMap((number) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${number}`)];
    } catch {
      // Closed meanwhile.
      return [];
    }
  });
