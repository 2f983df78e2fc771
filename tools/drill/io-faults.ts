/** The load on a disk that fails at random (fiu-utils, from Debian): nothing that was answered may be lost. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { seededRandom } from "../lib/seeded-random.ts";
import { SERVER, ServerProcess, UNLIMITED } from "../lib/server-process.ts";
import { ServiceClient } from "../lib/service-client.ts";
import { Checks } from "./checks/checks.ts";
import { startLoad } from "./load/load.ts";
import { Scene } from "./scene.ts";
import { callersOf, newAdmin, newKey, setUp } from "./set-up.ts";

const FIU_RUN = "/usr/bin/fiu-run";
export const hasFiu = (): boolean => existsSync(FIU_RUN);

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

/** Their first loads modules, and Node never tries a failed load again: nothing fails before. */
const LOADING = [
  "POST /api/admin/books/{id}/files",
  "PUT /api/admin/books/{id}/covers/{code}",
  "POST /api/download/submit-all",
  "GET /api/download/{token}",
];

export interface FaultsRun {
  /** How many requests of each kind were answered with success, and how many were refused. */
  done: ReadonlyMap<string, number>;
  rejected: ReadonlyMap<string, number>;
  /** With which statuses and codes. */
  refusals: ReadonlySet<string>;
  losses: readonly string[];
  /** What the server has written last. */
  lines: readonly string[];
}

/** The server under fiu, which can be told to let calls fail. */
function failingServer(variables: Readonly<Record<string, string>>, folder: string): ServerProcess {
  const args = ["-x", "-f", join(folder, "fiu"), process.execPath, SERVER];
  return new ServerProcess(variables, { command: { program: FIU_RUN, args }, keep: "no requests" });
}

function setFaults(server: ServerProcess, folder: string, { isOn }: { isOn: boolean }): void {
  const commands = Object.entries(POINTS).map(([name, probability]) =>
    isOn ? `enable_random name=${name},probability=${probability},failinfo=${EIO}` : `disable name=${name}`,
  );
  const options = commands.flatMap((command) => ["-c", command]);
  execFileSync("fiu-ctrl", ["-f", join(folder, "fiu"), ...options, String(server.pid)]);
}

interface ErrorsOptions {
  requests: number;
  seed: number;
}

/** Until so many requests were answered while calls failed; then kills the server, and looks what the next one finds. */
export async function runIoFaults({ requests, seed }: ErrorsOptions): Promise<FaultsRun> {
  const folder = await mkdtemp(join(tmpdir(), "drill-faults-"));
  const variables = { DATA_DIR: join(folder, "data"), ...UNLIMITED, ...newAdmin() };
  const scene = new Scene({ diskStatuses: [503, 507] });
  const checks = new Checks(variables.DATA_DIR);
  let server = failingServer(variables, folder);
  try {
    const { base } = await server.ready();
    const credentials = await setUp(scene, new ServiceClient(base), variables);
    const callers = callersOf(base, credentials);
    const load = startLoad(scene, callers, seededRandom(seed));
    const goOnUntil = async (isEnough: () => boolean) => {
      while (server.isRunning && scene.unexpected.length === 0 && !isEnough()) await sleep(50);
    };
    await goOnUntil(() => LOADING.every((kind) => (scene.done.get(kind) ?? 0) > 2));
    const before = scene.sent;
    setFaults(server, folder, { isOn: true });
    await goOnUntil(() => scene.sent - before >= requests);
    load.stop();
    await load.ended;
    if (!server.isRunning) throw new Error(`The server has ended:\n${server.lastLines.join("\n")}`);
    setFaults(server, folder, { isOn: false });
    // What a commit that failed at its very end has left in the WAL would be found there until another takes its place.
    await newKey(scene, callers.admin, "after the faults");
    await server.end("SIGKILL");
    const lines = server.lastLines;
    server = new ServerProcess(variables);
    const { base: newBase } = await server.ready();
    const { losses } = await checks.run(scene, callersOf(newBase, credentials));
    const { done, rejected, refusals } = scene;
    return { done, rejected, refusals, losses, lines };
  } finally {
    await server.end("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  }
}
