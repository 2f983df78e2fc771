/** Moves the data of a folder to a database server, and back. */

import type { Progress } from "../backup/verification.ts";
import { silent } from "../backup/verification.ts";
import type { Config } from "../config.ts";
import type { TableDigest } from "../db/moved-tables.ts";
import { nameOf, openAnyDatabase, openExisting } from "../db/open-database.ts";
import { lockDataDir } from "../db/sqlite/data-dir.ts";
import { conflict } from "../errors.ts";
import { RowMove } from "./row-move.ts";

interface Move {
  /** Where the data is, and where it is to be; both have the same data folder. */
  from: Config;
  to: Config;
  progress?: Progress;
}

/**
 * Copies all rows from one database to the other. The source stays as it is.
 * @throws DataDirInUseError if a server is running on the data folder
 * @throws OperatorError if the target has other data
 */
export async function moveRows({ from, to, progress = silent }: Move): Promise<TableDigest[]> {
  const lock = lockDataDir(from.dataDir);
  try {
    const source = await openExisting(from);
    try {
      return await moveInto(to, { source, sourceName: nameOf(from), progress });
    } finally {
      await source.close();
    }
  } finally {
    lock.release();
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
