/** Bytes and the rows that name them, on a store and a database of their own. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pino } from "pino";
import { describe, expect, it, onTestFinished } from "vitest";
import { FolderStore } from "../../src/adapters/files/folder-store.ts";
import { createIdSource, systemScheduler } from "../../src/adapters/system.ts";
import { updateInstallation } from "../../src/db/installation.ts";
import { openSqlite } from "../../src/db/sqlite/database.ts";
import { HOUR } from "../../src/lib/time.ts";
import { createWriters, readersOf } from "../../src/repositories/index.ts";
import { createStoredFiles } from "../../src/services/files/create-stored-files.ts";
import type { Claim } from "../../src/services/files/removals.ts";
import { FakeClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { passTimeFaster } from "../support/fast-time.ts";
import { createTxt, expectStored, hashBytes } from "../support/stored-files.ts";
import { createTempFolder } from "../support/temp-folder.ts";

async function start() {
  const dataDir = createTempFolder();
  const database = await openSqlite(join(dataDir, "database.sqlite"), join(dataDir, "backups"));
  onTestFinished(() => database.close());
  const directory = join(dataDir, "files");
  const clock = new FakeClock();
  const newId = createIdSource(clock);
  const store = new FolderStore({ directory, newId });
  const { reads } = readersOf(database, []);
  const { writeRecords: write } = createWriters({ database, clock, addressStorage: "full" });
  const deps = { store, reads, write, database, newId, clock, schedule: systemScheduler };
  const log = pino({ enabled: false });
  const config = { replacedFilesDays: 30 };
  const { stored, released } = createStoredFiles({ ...deps, config, log, isClockTrusted: () => true });
  await released.recordFirst();
  const keep = async (text: string, writeRow: () => Promise<unknown> = async () => {}) => {
    const received = await store.receive(Readable.from([createTxt(text)]), { maxBytes: 1000 });
    const writeAll = async (claim: Claim) => {
      await write(claim);
      return writeRow();
    };
    await stored.keep(received, writeAll).finally(() => received.discard());
  };
  /** As a deletion does. */
  const release = (texts: readonly string[], dueAt: number) =>
    write(({ releasedBytes }) => releasedBytes.release(texts.map(hashOf), dueAt));
  return { dataDir, directory, clock, store, database, reads, write, released, keep, release };
}

const hashOf = (text: string) => hashBytes(createTxt(text));

it("rejects an upload of bytes whose removal has hung for ten seconds, and takes it over after five minutes", async () => {
  const { dataDir, clock, store, keep, release, released, reads } = await start();
  await keep("text");
  const end = Promise.withResolvers<void>();
  const remove = store.remove.bind(store);
  store.remove = () => end.promise;
  await release(["text"], clock.now());
  const releasing = released.removeNow([hashOf("text")]);
  await eventually(async () => {
    expect(await reads.releasedBytes.find(hashOf("text"))).toMatchObject({ state: "removing" });
  });
  store.remove = remove;
  passTimeFaster(100);
  const code = "storage_unavailable";
  await expect(keep("text")).rejects.toMatchObject({ status: 503, code });
  clock.advance(5 * 60_000);
  await keep("text");
  end.resolve();
  await releasing;
  await expectStored(dataDir, createTxt("text"));
});

describe("what is due is set aside, and what isn't gets its time again", () => {
  type Scene = Awaited<ReturnType<typeof start>>;
  it.each<[string, (scene: Scene) => Promise<unknown>]>([
    ["after a day without a sweep", async ({ clock }) => clock.advance(25 * HOUR)],
    ["if the clock was put back by a day", async ({ clock }) => clock.advance(-26 * HOUR)],
    [
      "if the database has gone back",
      ({ store, write, clock }) =>
        store
          .recordSweepMark("newer")
          .then(() => write(({ lastSweep }) => lastSweep.record("older", clock.now()))),
    ],
    ["if the files are others", ({ directory }) => rm(join(directory, "removed-sweep"))],
    [
      "after a move, a restore or an adoption",
      ({ database }) => database.commit(() => updateInstallation(database.writer, { serviceId: "another" })),
    ],
  ])("%s", async (_, change) => {
    const scene = await start();
    const { dataDir, store, keep, release, released, clock } = scene;
    for (const text of ["due", "not due"]) await keep(text);
    await change(scene);
    await release(["due"], clock.now() - 1);
    await release(["not due"], clock.now() + 1000);
    await released.run();
    await expectStored(dataDir, createTxt("not due"));
    expect(await store.isSetAside(hashOf("due"))).toBe(true);
    clock.advance(1000);
    await released.run();
    await expectStored(dataDir, createTxt("not due"));
    clock.advance(HOUR - 1000);
    await released.run();
    await expectStored(dataDir);
    expect(await store.isSetAside(hashOf("not due"))).toBe(false);
  });
});
