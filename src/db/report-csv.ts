/** The rows of a statement as records of CSV, written in the thread that has read them. */
import { type CsvCell, csvText } from "../lib/csv.ts";
import { isoTime } from "../lib/time.ts";
import type { Connection } from "./connection.ts";

/** Columns whose names end with `At` hold epoch milliseconds, and go out as times in UTC. */
export function csvOf(
  connection: Connection,
  { sql, parameters }: { sql: string; parameters: readonly unknown[] },
  options: { raw: boolean },
): ArrayBuffer {
  const statement = connection.prepare<unknown[], CsvCell[]>(sql).raw();
  const times = statement.columns().flatMap(({ name }, index) => (name.endsWith("At") ? [index] : []));
  const rows = statement.all(...parameters);
  for (const row of rows) {
    for (const index of times) {
      const time = row[index];
      if (typeof time === "number") row[index] = isoTime(time);
    }
  }
  return new TextEncoder().encode(csvText(rows, options)).buffer;
}
