/** Moves the rows of one database to another: copied, compared, and only then usable. */

import type { Database, ExistingDatabase } from "../../db/database.ts";
import { readInstallation, updateInstallation } from "../../db/installation.ts";
import type { Db } from "../../db/kysely.ts";
import {
  compareDigests,
  copyPart,
  countRows,
  listParts,
  MOVED_TABLES,
  type TableDigest,
} from "../../db/moved-tables.ts";
import { assertCurrent } from "../../db/open-database.ts";
import { readSequences, setSequences } from "../../db/sequences.ts";
import { conflict, OperatorError } from "../../errors.ts";
import type { Progress } from "../progress.ts";

interface RowMoveDeps {
  source: ExistingDatabase;
  /** The name of the source in messages. */
  sourceName: string;
  target: Database;
  progress: Progress;
}

export interface MovedRows {
  tables: TableDigest[];
  /** Why the target is slow until its server has vacuumed the tables by itself; undefined if they are. */
  vacuumError: unknown;
}

export class RowMove {
  readonly #deps: RowMoveDeps;
  #done = 0;

  constructor(deps: RowMoveDeps) {
    this.#deps = deps;
  }

  /**
   * Copies all rows of one snapshot and compares them with the source. After an interruption, another call continues.
   * @throws OperatorError if the target has other data
   * @throws 409 `database_older`, `database_changed`
   */
  async run(): Promise<MovedRows> {
    const { source, target, progress } = this.#deps;
    await assertCurrent(source);
    await this.#mark();
    await source.hold();
    const [total, copied] = [await this.#count(source), await this.#count({ db: target.report })];
    this.#begin("Copying rows", total, copied);
    for (const part of MOVED_TABLES.flatMap(listParts)) await copyPart(source.db, target, part, this.#onRows);
    this.#begin("Comparing rows", total);
    const tables: TableDigest[] = [];
    for (const table of MOVED_TABLES) tables.push(await this.#compareTable(table));
    // Before the end, so that the same command repeats it after an interruption.
    const vacuumError = await this.#vacuum();
    const numbers = await readSequences(source.kind, source.db);
    const { lastHour } = await readInstallation(source.db);
    await target.commit(async () => {
      await setSequences(target.source.kind, target.writer, numbers);
      await updateInstallation(target.writer, { lastHour, movingFrom: null });
    });
    progress.end();
    return { tables, vacuumError };
  }

  /**
   * Marks the target, so that no server accepts it before the end. An interrupted move from the same source continues.
   * @throws OperatorError if the target has other data
   */
  async #mark(): Promise<void> {
    const { sourceName, target } = this.#deps;
    const { movingFrom, lastHour } = await readInstallation(target.read);
    if (movingFrom === sourceName) return;
    if (movingFrom !== null) {
      throw new OperatorError(
        `The target contains an interrupted move from ${movingFrom}. Finish that one, or use an empty database.`,
      );
    }
    await assertNoRows(target.read);
    if (lastHour !== null)
      throw new OperatorError("The target isn't empty: a service has run on it. Use an empty database.");
    await target.commit(async () => {
      // The only row of them that the migrations insert.
      await target.writer.deleteFrom("catalogue_version").execute();
      await updateInstallation(target.writer, { movingFrom: sourceName });
    });
  }

  /** The rows are there without it, too. @returns the error, if any */
  #vacuum(): Promise<unknown> {
    this.#begin("Vacuuming tables", MOVED_TABLES.length);
    return this.#deps.target
      .vacuum(MOVED_TABLES, () => this.#onRows(1))
      .then(
        () => undefined,
        (error: unknown) => error,
      );
  }

  #begin(doing: string, total: number, done = 0): void {
    this.#done = done;
    this.#deps.progress.begin(doing, total, () => this.#done);
  }

  readonly #onRows = (count: number): void => {
    this.#done += count;
  };

  async #compareTable(table: (typeof MOVED_TABLES)[number]): Promise<TableDigest> {
    const { source, target } = this.#deps;
    const digest = await compareDigests([source.db, target.read], table, this.#onRows);
    if (digest) return digest;
    throw conflict(
      "database_changed",
      `The rows of ${table} differ from those of the source, which was changed since the move began. Begin again with an empty target.`,
    );
  }

  async #count({ db }: Pick<ExistingDatabase, "db">): Promise<number> {
    let total = 0;
    for (const table of MOVED_TABLES) total += await countRows(db, table);
    return total;
  }
}

async function assertNoRows(db: Db): Promise<void> {
  for (const table of MOVED_TABLES) {
    if (table === "catalogue_version" || (await countRows(db, table)) === 0) continue;
    throw new OperatorError(`The target isn't empty: its table ${table} has rows. Use an empty database.`);
  }
}
