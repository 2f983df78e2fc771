/** The whole service on a disk that is full, or fails at random. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { Checks } from "../tools/drill/checks/checks.ts";
import { hasFiu, runIoFaults } from "../tools/drill/io-faults.ts";
import { KINDS, startLoad } from "../tools/drill/load/load.ts";
import { Scene, sum } from "../tools/drill/scene.ts";
import { callersOf, newAdmin, setUp } from "../tools/drill/set-up.ts";
import { seededRandom } from "../tools/lib/seeded-random.ts";
import { ServerProcess, UNLIMITED } from "../tools/lib/server-process.ts";
import { ServiceClient } from "../tools/lib/service-client.ts";
import { smallDisk } from "./support/small-disk.ts";

const TIME_LIMIT_MS = 180_000;
const SEED = 20_261_121;
const REFUSALS_A_TRY = 300;
const WRITES_BETWEEN_TRIES = 200;

/** A reader gets a file also when that can't be noted. */
const REFUSED_KINDS = KINDS.filter((kind) => !kind.startsWith("GET "));

/** The load on a disk of its own. */
async function startOn(path: string) {
  const variables = { DATA_DIR: join(path, "data"), ...UNLIMITED, ...newAdmin() };
  const start = () => {
    const server = new ServerProcess(variables);
    onTestFinished(async () => void (await server.end("SIGKILL")));
    return server;
  };
  const server = start();
  const { base } = await server.ready();
  const scene = new Scene({ diskStatuses: [507] });
  const callers = callersOf(base, await setUp(scene, new ServiceClient(base), variables));
  const load = startLoad(scene, callers, seededRandom(SEED));
  const check = () => new Checks(variables.DATA_DIR).run(scene, callers);
  const until = async (isEnough: () => boolean) => {
    while (scene.unexpected.length === 0 && !isEnough()) await sleep(20);
  };
  return { server, start, scene, callers, load, check, until };
}

describe("errors of the disk under load", () => {
  it(
    "a full disk: 507 to each kind of write, reads go on, nothing answered is lost, and it recovers by itself",
    async ({ skip }) => {
      const disk = smallDisk("64m");
      if (!disk) return skip("only root may mount a small disk");
      const { server, start, scene, callers, load, check, until } = await startOn(disk.path);
      await until(() => REFUSED_KINDS.every((kind) => scene.done.has(kind)));
      const isEachRefused = () => REFUSED_KINDS.every((kind) => scene.rejected.has(kind));
      disk.fill();
      for (let tries = 1; !isEachRefused() && scene.unexpected.length === 0; tries += 1) {
        // What isn't there can't be changed: if nothing is archived when the disk is full, nothing can be restored.
        await until(() => isEachRefused() || sum(scene.rejected) > tries * REFUSALS_A_TRY);
        if (isEachRefused()) break;
        disk.empty();
        const writes = scene.answered;
        await until(() => scene.answered > writes + WRITES_BETWEEN_TRIES);
        disk.fill();
      }
      for (const path of ["/api/health", "/api/books", "/api/languages"]) {
        expect((await callers.reader.send(path)).status, path).toBe(200);
      }
      disk.empty();
      const before = new Map(scene.done);
      await until(() => REFUSED_KINDS.every((kind) => (scene.done.get(kind) ?? 0) > (before.get(kind) ?? 0)));
      load.stop();
      await load.ended;
      expect([...scene.refusals]).toEqual(["507 disk_full"]);
      expect((await check()).losses).toEqual([]);
      await server.end("SIGKILL");
      expect((await start().ready()).swept).toBe(0);
    },
    TIME_LIMIT_MS,
  );

  it(
    "random I/O errors: 503, no answered write lost, no crash",
    async ({ skip }) => {
      if (!hasFiu()) return skip("there is no fiu-run here: it is in Debian's fiu-utils");
      const { losses, refusals, lines } = await runIoFaults({ requests: 250, seed: SEED });
      expect(losses, lines.join("\n")).toEqual([]);
      expect([...refusals].sort()).toEqual(["503 database_unavailable", "503 storage_unavailable"]);
    },
    TIME_LIMIT_MS,
  );
});
