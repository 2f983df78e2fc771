/** A database whose check takes minutes in one statement, which only ends with its process. */
import { openWriter } from "../../src/db/sqlite/connection.ts";

const ROWS = 10_000;

/** Adds a foreign table whose rows SQLite checks with a tenth of a second of work each. */
export function addSlowCheck(file: string): void {
  const database = openWriter(file);
  try {
    database.pragma("ignore_check_constraints = on");
    database.exec("create table slow (a check (length(replace(hex(zeroblob(10000000 + a)), '0', '1')) > 0))");
    const insert = database.prepare("insert into slow values (?)");
    database.transaction(() => {
      for (let row = 0; row < ROWS; row += 1) insert.run(row);
    })();
  } finally {
    database.close();
  }
}
