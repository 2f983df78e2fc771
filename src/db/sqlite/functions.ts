/** Functions of PostgreSQL that SQLite lacks, so that statements can use them on both. */
import type Database from "better-sqlite3";

/** `split_part(text, separator, n)`: the n-th part, from 1; empty if there are fewer. */
export function addFunctions(connection: Database.Database): void {
  connection.function(
    "split_part",
    { deterministic: true, directOnly: true },
    (text: unknown, separator: unknown, n: unknown) =>
      String(text).split(String(separator), Number(n))[Number(n) - 1] ?? "",
  );
}
