/** The database file, looked at by SQLite itself. */
import { join } from "node:path";
import { openReader } from "../../../src/db/sqlite/connection.ts";
import type { Findings } from "./findings.ts";

export function checkDatabase(dataDir: string, findings: Findings): void {
  const connection = openReader(join(dataDir, "database.sqlite"));
  try {
    const integrity = connection.pragma("integrity_check", { simple: true });
    if (integrity !== "ok") findings.lost(`the database is damaged: ${integrity}`);
    const dangling = connection.pragma("foreign_key_check");
    if (JSON.stringify(dangling) !== "[]")
      findings.lost(`rows refer to nothing: ${JSON.stringify(dangling)}`);
  } finally {
    connection.close();
  }
}
