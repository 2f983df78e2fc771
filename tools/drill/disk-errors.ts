/** The load on a disk that fails at random (fiu-utils, from Debian): nothing that was acknowledged may be lost. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SERVER, ServerProcess, UNLIMITED } from "../lib/server-process.ts";
import { temporaryFolder } from "../lib/temporary-folder.ts";
import { Recorder } from "../recorder/recorder.ts";

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

export interface DiskErrorsRun {
  /** How many requests of each kind were acknowledged, and how many were rejected. */
  done: ReadonlyMap<string, number>;
  rejected: ReadonlyMap<string, number>;
  /** With which statuses and codes. */
  refusals: ReadonlySet<string>;
  losses: readonly string[];
  /** The last output of the server. */
  lines: readonly string[];
}

/** The server under fiu, which lets calls fail on command. */
function createFailingServer(variables: Readonly<Record<string, string>>, folder: string): ServerProcess {
  const args = ["-x", "-f", join(folder, "fiu"), process.execPath, SERVER];
  return new ServerProcess(variables, { command: { program: FIU_RUN, args }, keep: "no requests" });
}

function setFailures(server: ServerProcess, folder: string, { isOn }: { isOn: boolean }): void {
  const commands = Object.entries(POINTS).map(([name, probability]) =>
    isOn ? `enable_random name=${name},probability=${probability},failinfo=${EIO}` : `disable name=${name}`,
  );
  const options = commands.flatMap((command) => ["-c", command]);
  execFileSync("fiu-ctrl", ["-f", join(folder, "fiu"), ...options, String(server.pid)]);
}

/** Until so many requests had a response while calls failed; then kills the server, and compares what the next one finds. */
export async function runDiskErrors(requests: number, seed: number): Promise<DiskErrorsRun> {
  using temporary = temporaryFolder("drill-errors");
  const folder = temporary.path;
  const dataDir = join(folder, "data");
  const recorder = new Recorder({ seed, dataDir, diskStatuses: [503, 507] });
  const { ledger } = recorder;
  const variables = { DATA_DIR: dataDir, ...UNLIMITED, ...recorder.admin };
  let server = createFailingServer(variables, folder);
  try {
    const { base } = await server.waitUntilReady();
    await recorder.begin(base);
    const load = recorder.startLoad(base);
    const goOnUntil = async (isEnough: () => boolean) => {
      while (server.isRunning && ledger.unexpected.length === 0 && !isEnough()) await sleep(50);
    };
    await goOnUntil(() => LOADING.every((kind) => (ledger.done.get(kind) ?? 0) > 2));
    const before = ledger.sent;
    setFailures(server, folder, { isOn: true });
    await goOnUntil(() => ledger.sent - before >= requests);
    await load.stop();
    if (!server.isRunning) throw new Error(`The server has ended:\n${server.lastLines.join("\n")}`);
    setFailures(server, folder, { isOn: false });
    // What a commit that failed at its very end has left in the WAL would be found there until another takes its place.
    await recorder.addKey(base, "after the errors");
    await server.end("SIGKILL");
    const lines = server.lastLines;
    server = new ServerProcess(variables);
    const { base: newBase } = await server.waitUntilReady();
    const { losses } = await recorder.compare(newBase);
    const { done, rejected, refusals } = ledger;
    return { done, rejected, refusals, losses, lines };
  } finally {
    await server.end("SIGKILL");
  }
}
