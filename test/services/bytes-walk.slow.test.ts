/** Stored bytes under random work, crashes, failures of the store and restores. `BYTE_WALKS=500 BYTE_WALK_SEED=2` runs more. */
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { openSqlite } from "../../src/db/sqlite/database.ts";
import { BytesWalk } from "../support/bytes-walk.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const WALKS = Number(process.env.BYTE_WALKS ?? 4);
const FIRST_SEED = Number(process.env.BYTE_WALK_SEED ?? 1);
const ROUNDS = 60;

it.each(Array.from({ length: WALKS }, (_, index) => FIRST_SEED + index))(
  "every row has its bytes after each step, and nothing else is left in the end: seed %i",
  { timeout: 60_000 },
  async (seed) => {
    const dataDir = createTempFolder();
    const database = await openSqlite(join(dataDir, "database.sqlite"), join(dataDir, "backups"));
    onTestFinished(async () => {
      vi.restoreAllMocks();
      await database.close();
    });
    const walk = new BytesWalk({ dataDir, databases: [database, database], seed });
    await walk.prepare();
    for (let round = 0; round < ROUNDS; round += 1) await walk.walkOn();
    await walk.end();
    expect([...walk.done.keys()].length).toBeGreaterThan(5);
  },
);
