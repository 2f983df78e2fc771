/** `adopt-files [--yes]`: makes the stored files those of the database, after it has shown both. */
import { z } from "zod";
import { openStorage } from "../adapters/files/storage.ts";
import { createIdSource, systemClock } from "../adapters/system.ts";
import { readConfig } from "../config.ts";
import { assertMoveFinished } from "../db/installation.ts";
import { forgetServer, readLastServer } from "../db/last-server.ts";
import { nameDatabase, openAnyDatabase } from "../db/open-database.ts";
import { lockDataDir } from "../db/sqlite/data-dir.ts";
import { describeSides, recordServiceId } from "../services/files/service-id.ts";
import type { Call } from "./command.ts";
import { readFirstLine } from "./hidden-input.ts";

const adoptOptions = z.object({ yes: z.boolean().default(false) });

/** @throws InstallationError if a server is running on the data folder */
export async function adoptFiles({ options }: Call): Promise<number> {
  const { yes: isSure } = adoptOptions.parse(options);
  const config = readConfig();
  const { dataDir, postgres } = config;
  const newId = createIdSource(systemClock);
  await using opened = new AsyncDisposableStack();
  opened.use(lockDataDir(dataDir));
  const { store } = opened.adopt(await openStorage(config), (each) => each.closeStorage());
  const database = opened.adopt(await openAnyDatabase(config), (each) => each.close());
  await assertMoveFinished(database.read);
  const deps = { database, databaseName: nameDatabase(config), store, newId };
  const sides = await describeSides(deps);
  const server = postgres ? undefined : readLastServer(dataDir);
  const last = server === undefined ? "" : `The instance of ${dataDir} last ran on ${server}.\n`;
  process.stdout.write(`${sides.database}\n${sides.files}\n${last}`);
  if (!(isSure || (await isConfirmed()))) {
    process.stderr.write("Nothing was changed.\n");
    return 1;
  }
  await database.runWhileNoneMigrates(() => recordServiceId(deps, newId()));
  if (!postgres) forgetServer(dataDir);
  process.stdout.write("The files belong to this database now. Check them with bookdist check-data.\n");
  return 0;
}

async function isConfirmed(): Promise<boolean> {
  process.stderr.write(
    "Shall these files belong to this database? A service that uses them now can't start any more. [yes/no] ",
  );
  return (await readFirstLine()).trim().toLowerCase() === "yes";
}
