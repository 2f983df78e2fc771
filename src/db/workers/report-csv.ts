/** The rows of statements as records of CSV, written in the thread that has read them. */
import { LRUCache } from "lru-cache";
import { zonedTime } from "../../lib/calendar.ts";
import { type CsvCell, csvText } from "../../lib/csv.ts";
import { collectYoungest } from "../../lib/spent-bytes.ts";

import type { Connection } from "../connection.ts";
import type { RecordsOptions } from "./report-protocol.ts";

/** Some filters' exports at a time: each has one statement for all of its pages but the first and the last. */
const MOST_STATEMENTS = 20;

/** Columns whose names end with `At` hold epoch milliseconds, and go out as times, in UTC or a zone that is given. */
export class ReportCsv {
  readonly #connection: Connection;
  readonly #statements = new LRUCache<string, ReturnType<typeof prepared>>({ max: MOST_STATEMENTS });

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  recordsOf(
    { sql, parameters }: { sql: string; parameters: readonly unknown[] },
    { raw, delimiter, timezone, isLastFirst }: RecordsOptions,
  ): ArrayBuffer {
    // Nothing is left of the page before but what is to be collected; in the midst of a page its rows would stay.
    collectYoungest();
    const { statement, times } = this.#prepared(sql);
    const rows = statement.all(...parameters);
    for (const row of rows) {
      for (const index of times) {
        const time = row[index];
        if (typeof time === "number") row[index] = zonedTime(time, timezone);
      }
    }
    if (isLastFirst) rows.reverse();
    return new TextEncoder().encode(csvText(rows, { raw, delimiter })).buffer;
  }

  #prepared(sql: string) {
    const known = this.#statements.get(sql);
    if (known) return known;
    const made = prepared(this.#connection, sql);
    this.#statements.set(sql, made);
    return made;
  }
}

function prepared(connection: Connection, sql: string) {
  const statement = connection.prepare<unknown[], CsvCell[]>(sql).raw();
  const times = statement.columns().flatMap(({ name }, index) => (name.endsWith("At") ? [index] : []));
  return { statement, times };
}
