/** Stored bytes under random work on two instances, each with its own connections to one PostgreSQL server. */
import { expect, it, onTestFinished, vi } from "vitest";
import { readConfig } from "../../src/config.ts";
import { openDatabase } from "../../src/db/open-database.ts";
import { BytesWalk } from "../support/bytes-walk.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { createDatabaseSettings } from "../support/test-database.ts";

const ROUNDS = 40;

it.each([1, 2])(
  "every row has its bytes after each step, and nothing else is left in the end: seed %i",
  {
    timeout: 120_000,
  },
  async (seed) => {
    const dataDir = createTempFolder();
    const config = readConfig({ DATA_DIR: dataDir, ...(await createDatabaseSettings(dataDir)) });
    const open = () => openDatabase(config, () => {});
    const databases = [await open(), await open()] as const;
    onTestFinished(async () => {
      vi.restoreAllMocks();
      for (const database of databases) await database.close();
    });
    const walk = new BytesWalk({ dataDir, databases, seed });
    await walk.prepare();
    for (let round = 0; round < ROUNDS; round += 1) await walk.walkOn();
    await walk.end();
    expect([...walk.done.keys()].length).toBeGreaterThan(5);
  },
);
