/** Moves rows and stored files between a data folder and the servers that several instances share. */
import { openStorage } from "../../adapters/files/storage.ts";
import { createIdSource, systemClock } from "../../adapters/system.ts";
import type { Config } from "../../config.ts";
import { renewEpoch } from "../../db/installation.ts";
import { assertNotLastOnServer, forgetServer } from "../../db/last-server.ts";
import type { TableDigest } from "../../db/moved-tables.ts";
import { nameDatabase, openAnyDatabase, openAnyExisting, openExisting } from "../../db/open-database.ts";
import { lockDataDir } from "../../db/sqlite/data-dir.ts";
import { conflict } from "../../errors.ts";
import { listBackedUpTables } from "../../repositories/kept-bytes.repository.ts";
import type { DoctorReport } from "../../schemas/doctor.schemas.ts";
import { recordServiceId } from "../../services/files/service-id.ts";
import { type Progress, silent } from "../progress.ts";
import { moveFiles } from "./file-move.ts";
import { type MovedRows, RowMove } from "./row-move.ts";

interface Move {
  /** Where the data is, and where it is to be; both have the same data folder. */
  from: Config;
  to: Config;
  progress?: Progress;
}

export interface Moved {
  /** Undefined if the database stays where it is. */
  tables: TableDigest[] | undefined;
  /** Of `MovedRows`. */
  vacuumError: unknown;
  /** What was read at the target; undefined if the files stay where they are. */
  files: DoctorReport["examined"] | undefined;
}

/**
 * Copies the rows, the stored files, or both, wherever `to` differs from `from`. The source stays as it is.
 * @throws InstallationError if a server is running on the data folder
 * @throws OperatorError if a target has other data
 */
export async function moveData({ from, to, progress = silent }: Move): Promise<Moved> {
  using _lock = lockDataDir(from.dataDir);
  assertNotLastOnServer(from);
  const isRowMove = from.postgres?.url !== to.postgres?.url;
  const rows = isRowMove ? await moveRows({ from, to, progress }) : undefined;
  const isFileMove = JSON.stringify(from.storage) !== JSON.stringify(to.storage);
  const files = isFileMove ? await moveStored({ from, to, progress }) : undefined;
  await giveNewId(to);
  if (!to.postgres) forgetServer(to.dataDir);
  return { tables: rows?.tables, vacuumError: rows?.vacuumError, files };
}

async function moveRows({ from, to, progress }: Required<Move>): Promise<MovedRows> {
  await using source = await openExisting(from);
  return await moveInto(to, { source, sourceName: nameDatabase(from), progress });
}

type Given = Omit<ConstructorParameters<typeof RowMove>[0], "target">;

async function moveInto(to: Config, given: Given): Promise<MovedRows> {
  const target = await openAnyDatabase(to);
  let moved: MovedRows | undefined;
  try {
    await target.runAtOneInstance("move", async () => {
      moved = await new RowMove({ ...given, target }).run();
    });
    if (moved) return moved;
    throw conflict("move_running", "Another move into the same database is running.");
  } finally {
    await target.close();
  }
}

/** A start that still names the source on one side is refused then. */
async function giveNewId(to: Config): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const { store } = opened.adopt(await openStorage(to), (each) => each.closeStorage());
  const database = opened.adopt(await openAnyDatabase(to), (each) => each.close());
  const newId = createIdSource(systemClock);
  await recordServiceId({ database, databaseName: nameDatabase(to), store, newId }, newId());
  await renewEpoch(database, newId());
}

/** The rows at the target name the files. */
async function moveStored({ from, to, progress }: Required<Move>): Promise<DoctorReport["examined"]> {
  await using opened = new AsyncDisposableStack();
  const database = opened.use(await openAnyExisting(to));
  const source = opened.adopt(await openStorage(from), (each) => each.closeStorage());
  const target = opened.adopt(await openStorage(to), (each) => each.closeStorage());
  const tables = listBackedUpTables(await database.readMigrations());
  return await moveFiles({ db: database.db, tables, from: source.store, to: target.store, progress });
}
