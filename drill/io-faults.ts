/** The load on a disk that fails at random (fiu-utils, from Debian): nothing that was answered may be lost. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { dice } from "../test/support/dice.ts";
import { Checks } from "./checks/checks.ts";
import { Client } from "./client.ts";
import { startLoad } from "./load/load.ts";
import { Scene } from "./scene.ts";
import { Server } from "./server.ts";
import { callersOf, newAdmin, setUp, UNLIMITED } from "./set-up.ts";

const FIU_RUN = "/usr/bin/fiu-run";
export const hasFiu = (): boolean => existsSync(FIU_RUN);

const SERVER = fileURLToPath(new URL("../src/server.ts", import.meta.url));
const EIO = 5;
/**
 * How often each kind of call fails. `write` isn't among them: Node wakes its own threads by it, and ends when that
 * fails, as on no system it does.
 */
const POINTS: Readonly<Record<string, number>> = {
  "posix/io/sync/fsync": 0.02,
  "posix/io/sync/fdatasync": 0.02,
  "posix/io/rw/pwrite": 0.002,
  "posix/io/dir/rename": 0.05,
  "posix/io/dir/unlink": 0.05,
  "posix/io/oc/open": 0.01,
};

export interface FaultsRun {
  answered: number;
  /** How often each kind of request was refused, by status and code. */
  refused: ReadonlyMap<string, number>;
  losses: readonly string[];
  /** What the server has written last. */
  lines: readonly string[];
}

/** The server under fiu, which can be told to let calls fail. */
export function failingServer(variables: Readonly<Record<string, string>>, folder: string): Server {
  const args = ["-x", "-f", join(folder, "fiu"), process.execPath, SERVER];
  return new Server(variables, { program: FIU_RUN, args });
}

export function setFaults(server: Server, folder: string, points: Readonly<Record<string, number>>): void {
  const commands = Object.entries(points).map(([name, probability]) =>
    probability === 0
      ? `disable name=${name}`
      : `enable_random name=${name},probability=${probability},failinfo=${EIO}`,
  );
  const options = commands.flatMap((command) => ["-c", command]);
  execFileSync("fiu-ctrl", ["-f", join(folder, "fiu"), ...options, String(server.pid)]);
}

/** Until so many writes were answered or refused. Looks at what is there before and after a kill. */
export async function runIoFaults({
  requests,
  seed,
}: {
  requests: number;
  seed: number;
}): Promise<FaultsRun> {
  const folder = await mkdtemp(join(tmpdir(), "drill-faults-"));
  const variables = { DATA_DIR: join(folder, "data"), ...UNLIMITED, ...newAdmin() };
  const scene = new Scene({ diskStatuses: [503, 507] });
  const checks = new Checks(variables.DATA_DIR);
  let server = failingServer(variables, folder);
  try {
    const { base } = await server.started;
    const credentials = await setUp(scene, new Client(base), variables);
    const load = startLoad(scene, callersOf(base, credentials), dice(seed));
    setFaults(server, folder, POINTS);
    while (server.isRunning && scene.unexpected.length === 0 && sent(scene) < requests) await sleep(50);
    load.stop();
    await load.ended;
    if (!server.isRunning) throw new Error(`The server has ended:\n${server.lines.join("\n")}`);
    setFaults(server, folder, Object.fromEntries(Object.keys(POINTS).map((name) => [name, 0])));
    await server.end("SIGKILL");
    const lines = server.lines;
    server = new Server(variables);
    const { base: newBase } = await server.started;
    const { losses } = await checks.run(scene, callersOf(newBase, credentials));
    return { answered: scene.answered, refused: scene.refused, losses, lines };
  } finally {
    await server.end("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  }
}

const sent = ({ answered, refused }: Scene): number =>
  answered + refused.values().reduce((sum, count) => sum + count, 0);
