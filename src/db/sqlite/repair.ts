/** Makes missing indexes of a SQLite file again; a service that uses it waits for each. */
import { type Repair, repairParts } from "../schema-repair.ts";
import { openWriter } from "./connection.ts";
import { findMissingInSqlite } from "./schema-parts.ts";

export async function repairSqlite(file: string): Promise<Repair[]> {
  const connection = openWriter(file);
  try {
    return await repairParts({
      kind: "sqlite",
      findMissing: async () => findMissingInSqlite(connection),
      run: async (statement) => void connection.exec(statement),
      read: async (statement) => connection.prepare(statement).all(),
    });
  } finally {
    connection.close();
  }
}
