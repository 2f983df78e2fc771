/** The server as it is run, in a process of its own, and what Linux says of that process from outside. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { SERVER, ServerProcess, UNLIMITED } from "../lib/server-process.ts";
import { temporaryFolder } from "../lib/temporary-folder.ts";
import { IMAGE_ENVIRONMENT } from "./measured-process.ts";
import { ADMIN } from "./service-process.ts";

export interface RealServer {
  port: number;
  pid: number;
}

/**
 * Work with a server on an empty folder, which has an administrator and no limits on what one address may ask.
 * @param script the server's own, or that of another checkout
 */
export async function withRealServer<T>(
  variables: Readonly<Record<string, string>>,
  work: (server: RealServer) => Promise<T>,
  script = SERVER,
): Promise<T> {
  using folder = temporaryFolder("bench-server");
  const login = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password };
  const server = new ServerProcess(
    { ...IMAGE_ENVIRONMENT, ...login, ...UNLIMITED, ...variables, DATA_DIR: folder.path },
    { keep: "no requests", script: [script] },
  );
  try {
    const { base } = await server.waitUntilReady();
    return await work({ port: Number(new URL(base).port), pid: server.pid ?? Number.NaN });
  } finally {
    await server.stop();
  }
}

/** Resident memory in bytes. */
export function readMemory({ pid }: RealServer): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

/** What the server has open: the paths of files, and what Linux calls the rest. */
export const listDescriptors = ({ pid }: RealServer): string[] =>
  readdirSync(`/proc/${pid}/fd`).flatMap((number) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${number}`)];
    } catch {
      // Closed in the meantime.
      return [];
    }
  });
