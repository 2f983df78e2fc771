/** The whole service on a disk that is full, or fails at random. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { hasFiu, runDiskErrors } from "../tools/drill/disk-errors.ts";
import { ServerProcess, UNLIMITED } from "../tools/lib/server-process.ts";
import { sum } from "../tools/recorder/ledger.ts";
import { KINDS } from "../tools/recorder/load/load.ts";
import { Recorder } from "../tools/recorder/recorder.ts";
import { mountSmallDisk } from "./support/small-disk.ts";

const TIME_LIMIT_MS = 180_000;
const SEED = 20_261_121;
const REFUSALS_A_TRY = 300;
const WRITES_BETWEEN_TRIES = 200;

/** A reader gets a file also when that can't be noted. */
const REFUSED_KINDS = KINDS.filter((kind) => !kind.startsWith("GET "));

/** The load on a disk of its own. */
async function startOn(path: string) {
  const dataDir = join(path, "data");
  const recorder = new Recorder({ seed: SEED, dataDir, diskStatuses: [507] });
  const { ledger } = recorder;
  const start = () => {
    const server = new ServerProcess({ DATA_DIR: dataDir, ...UNLIMITED, ...recorder.admin });
    onTestFinished(async () => void (await server.end("SIGKILL")));
    return server;
  };
  const server = start();
  const { base } = await server.waitUntilReady();
  await recorder.begin(base);
  const load = recorder.startLoad(base);
  const { reader } = recorder.callers(base);
  const until = async (isEnough: () => boolean) => {
    while (ledger.unexpected.length === 0 && !isEnough()) await sleep(20);
  };
  return { server, start, ledger, reader, load, compare: () => recorder.compare(base), until };
}

describe("errors of the disk under load", () => {
  it(
    "a full disk: responds 507 to each kind of write, serves reads, loses nothing acknowledged, and recovers by itself",
    async ({ skip }) => {
      const disk = mountSmallDisk("64m");
      if (!disk) return skip("only root may mount a small disk");
      const { server, start, ledger, reader, load, compare, until } = await startOn(disk.path);
      await until(() => REFUSED_KINDS.every((kind) => ledger.done.has(kind)));
      const isEachRefused = () => REFUSED_KINDS.every((kind) => ledger.rejected.has(kind));
      disk.fill();
      for (let tries = 1; !isEachRefused() && ledger.unexpected.length === 0; tries += 1) {
        // What isn't there can't be changed: if nothing is archived when the disk is full, nothing can be restored.
        await until(() => isEachRefused() || sum(ledger.rejected) > tries * REFUSALS_A_TRY);
        if (isEachRefused()) break;
        disk.empty();
        const writes = ledger.acknowledged;
        await until(() => ledger.acknowledged > writes + WRITES_BETWEEN_TRIES);
        disk.fill();
      }
      for (const path of ["/api/health", "/api/books", "/api/languages"]) {
        expect((await reader.send(path)).status, path).toBe(200);
      }
      disk.empty();
      const before = new Map(ledger.done);
      await until(() =>
        REFUSED_KINDS.every((kind) => (ledger.done.get(kind) ?? 0) > (before.get(kind) ?? 0)),
      );
      await load.stop();
      expect([...ledger.refusals]).toEqual(["507 disk_full"]);
      expect((await compare()).losses).toEqual([]);
      await server.end("SIGKILL");
      expect((await start().waitUntilReady()).swept).toBe(0);
    },
    TIME_LIMIT_MS,
  );

  it(
    "random I/O errors: responds 503, loses no acknowledged write, and doesn't crash",
    async ({ skip }) => {
      if (!hasFiu()) return skip("there is no fiu-run here: it is in Debian's fiu-utils");
      const { losses, refusals, lines } = await runDiskErrors(250, SEED);
      expect(losses, lines.join("\n")).toEqual([]);
      expect([...refusals].sort()).toEqual(["503 database_unavailable", "503 storage_unavailable"]);
    },
    TIME_LIMIT_MS,
  );
});
