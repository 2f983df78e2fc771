/** The server as it is run, in a process of its own, and what Linux says of that process from outside. */
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SERVER, ServerProcess, UNLIMITED } from "../lib/server-process.ts";
import { IMAGE_ENVIRONMENT } from "./measured-process.ts";
import { ADMIN } from "./service-process.ts";

export interface RealServer {
  port: number;
  pid: number;
  stop(): Promise<void>;
}

/** Resolves with the first 200. @param script the server's own, or that of another checkout */
export async function startRealServer(
  dataDir: string,
  variables: Readonly<Record<string, string>> = {},
  script = SERVER,
): Promise<RealServer> {
  const server = new ServerProcess(
    { ...IMAGE_ENVIRONMENT, ...variables, DATA_DIR: dataDir },
    { keep: "no requests", script: [script] },
  );
  const { base } = await server.ready();
  return {
    port: Number(new URL(base).port),
    pid: server.pid ?? Number.NaN,
    stop: () => server.stop(),
  };
}

/** Work with a server on an empty folder, which has an administrator and no limits on what one address may ask. */
export async function withRealServer<T>(
  variables: Readonly<Record<string, string>>,
  work: (server: RealServer) => Promise<T>,
  script = SERVER,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "bench-server-"));
  const settings = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password, ...UNLIMITED, ...variables };
  const server = await startRealServer(folder, settings, script);
  try {
    return await work(server);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

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
      // Closed in the meantime.
      return [];
    }
  });
