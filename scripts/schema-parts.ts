/**
 * Writes the indexes and constraints that the migrations make, of both databases, and the whole schema of a SQLite file: run
 * it after a migration was added.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readMigrations } from "../src/db/migrations.ts";
import { createPool, endPool } from "../src/db/postgres/connection.ts";
import { openPostgres } from "../src/db/postgres/database.ts";
import { readPostgresParts } from "../src/db/postgres/schema-parts.ts";
import { type FoundPart, sortParts } from "../src/db/schema-parts.ts";
import { openWriter } from "../src/db/sqlite/connection.ts";
import { applyAll } from "../src/db/sqlite/migrator.ts";
import { describeSchema } from "../src/db/sqlite/newest-schema.ts";
import { readSqliteParts } from "../src/db/sqlite/schema-parts.ts";
import { PostgresProcess } from "../tools/lib/postgres-process.ts";
import { freePort } from "../tools/lib/server-process.ts";

function write(dialect: "sqlite" | "postgres", found: readonly FoundPart[]): void {
  const parts = sortParts(found).map(({ kind, table, name, meaning }) =>
    JSON.stringify({ kind, table, name, meaning }),
  );
  const file = new URL(`../src/db/${dialect}/schema-parts.json`, import.meta.url);
  writeFileSync(file, `[\n${parts.join(",\n")}\n]\n`);
}

/** By the migrations one after the other, as an upgrade. */
async function writeMigratedFile(folder: string): Promise<void> {
  const connection = openWriter(join(folder, "database.sqlite"));
  try {
    await applyAll(connection, await readMigrations());
    write("sqlite", readSqliteParts(connection));
    const file = new URL("../src/db/sqlite/newest-schema.json", import.meta.url);
    writeFileSync(file, `${JSON.stringify(describeSchema(connection), undefined, 1)}\n`);
  } finally {
    connection.close();
  }
}

async function readMigratedServer(folder: string): Promise<FoundPart[]> {
  const server = new PostgresProcess({
    folder: join(folder, "server"),
    port: await freePort(0),
    settings: ["fsync=off"],
  });
  await server.start();
  const options = { url: server.url, size: 2, connectTimeoutMs: 5000, statementTimeoutMs: 60_000 };
  try {
    await (await openPostgres({ ...options, reportUrl: server.url })).close();
    const pool = createPool(options);
    try {
      return await readPostgresParts(pool);
    } finally {
      await endPool(pool);
    }
  } finally {
    await server.stop();
  }
}

const folder = mkdtempSync(join(tmpdir(), "bds-schema-"));
try {
  await writeMigratedFile(folder);
  write("postgres", await readMigratedServer(folder));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
