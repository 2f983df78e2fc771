/** The tables are described as the migrations make them. */
import { describe, expect, it } from "vitest";
import { columnsOf, TABLE_NAMES, TABLES } from "../../src/db/schema.ts";
import { findKey, readExpectedParts } from "../../src/db/schema-parts.ts";
import { startApp } from "../support/app.ts";

/** Tables of the migrations that no statement of the service names through Kysely. */
const OTHERS = ["book_numbers", "kysely_migration", "kysely_migration_lock"];

describe("the description of tables", () => {
  it("names all tables of the migrations", () => {
    const made = readExpectedParts("sqlite").filter(({ kind }) => kind === "table");
    expect([...TABLE_NAMES, ...OTHERS].sort()).toEqual(made.map(({ table }) => table).sort());
  });

  it("names all columns, and says which can be absent", async () => {
    const { container } = await startApp();
    const found = await container.database.read.introspection.getTables();
    for (const table of TABLE_NAMES) {
      const described: Readonly<Record<string, string>> = TABLES[table].columns;
      const columns = found.find(({ name }) => name === table)?.columns ?? [];
      expect([...columnsOf(table)].sort(), table).toEqual(columns.map(({ name }) => name).sort());
      for (const { name, isNullable } of columns) {
        // SQLite's keys may be null where the table doesn't say otherwise.
        if (findKey(table).includes(name)) continue;
        expect(described[name]?.includes("?"), `${table}.${name}`).toBe(isNullable);
      }
    }
  });

  it.each(["sqlite", "postgres"] as const)("has a table after those to which it refers: %s", (dialect) => {
    const references = readExpectedParts(dialect).filter(
      ({ kind, table }) => kind === "reference" && !OTHERS.includes(table),
    );
    const order: readonly string[] = TABLE_NAMES;
    const positions = references.map(({ table, meaning }) => {
      const parent = /references "?(\w+)/i.exec(meaning)?.[1] ?? "";
      return { table, parent, isAfter: order.indexOf(parent) <= order.indexOf(table) };
    });
    expect(positions.length).toBeGreaterThan(20);
    expect(positions.filter(({ isAfter, parent }) => !isAfter || parent === "")).toEqual([]);
  });

  it("has the keys of both databases", () => {
    const keys = readExpectedParts("postgres").filter(
      ({ kind, table }) => kind === "primary" && TABLE_NAMES.some((name) => name === table),
    );
    expect(keys.length).toBe(TABLE_NAMES.length);
    for (const { table, meaning } of keys)
      expect(meaning.replaceAll('"', "").toLowerCase(), table).toContain(
        `(${findKey(table).join(", ")})`.toLowerCase(),
      );
  });
});
