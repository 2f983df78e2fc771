/** Moves rows and stored files between a data folder and the servers that several instances share. */
import { openStorage } from "../adapters/files/storage.ts";
import { idsFrom, systemClock } from "../adapters/system.ts";
import { type Progress, silent } from "../backup/verification.ts";
import type { Config } from "../config.ts";
import type { TableDigest } from "../db/moved-tables.ts";
import { nameOf, openAnyDatabase, openExisting } from "../db/open-database.ts";
import { lockDataDir } from "../db/sqlite/data-dir.ts";
import { conflict } from "../errors.ts";
import type { DoctorReport } from "../schemas/doctor.schemas.ts";
import { moveFiles } from "./file-move.ts";
import { RowMove } from "./row-move.ts";

interface Move {
  /** Where the data is, and where it is to be; both have the same data folder. */
  from: Config;
  to: Config;
  progress?: Progress;
}

export interface Moved {
  /** Undefined if the database stays where it is. */
  tables: TableDigest[] | undefined;
  /** What was read at the target; undefined if the files stay where they are. */
  files: DoctorReport["examined"] | undefined;
}

/**
 * Copies the rows, the stored files, or both, wherever `to` differs from `from`. The source stays as it is.
 * @throws DataDirInUseError if a server is running on the data folder
 * @throws OperatorError if a target has other data
 */
export async function moveData({ from, to, progress = silent }: Move): Promise<Moved> {
  const lock = lockDataDir(from.dataDir);
  try {
    const isRowMove = from.postgres?.url !== to.postgres?.url;
    const tables = isRowMove ? await moveRows({ from, to, progress }) : undefined;
    const isFileMove = JSON.stringify(from.storage) !== JSON.stringify(to.storage);
    const files = isFileMove ? await moveStored({ from, to, progress }) : undefined;
    return { tables, files };
  } finally {
    lock.release();
  }
}

async function moveRows({ from, to, progress }: Required<Move>): Promise<TableDigest[]> {
  const source = await openExisting(from);
  try {
    return await moveInto(to, { source, sourceName: nameOf(from), progress });
  } finally {
    await source.close();
  }
}

type Given = Omit<ConstructorParameters<typeof RowMove>[0], "target">;

async function moveInto(to: Config, given: Given): Promise<TableDigest[]> {
  const target = await openAnyDatabase(to);
  let digests: TableDigest[] = [];
  try {
    const isAlone = await target.atOneInstance("move", async () => {
      digests = await new RowMove({ ...given, target }).run();
    });
    if (isAlone) return digests;
    throw conflict("move_running", "Another move into the same database is running.");
  } finally {
    await target.close();
  }
}

/** The rows at the target name the files. */
async function moveStored({ from, to, progress }: Required<Move>): Promise<DoctorReport["examined"]> {
  const deps = { newId: idsFrom(systemClock), clock: systemClock };
  await using opened = new AsyncDisposableStack();
  const database = opened.adopt(await openExisting(to), (each) => each.close());
  const source = opened.adopt(await openStorage(from, deps), (each) => each.closeStorage());
  const target = opened.adopt(await openStorage(to, deps), (each) => each.closeStorage());
  return await moveFiles({ db: database.db, from: source.store, to: target.store, progress });
}
