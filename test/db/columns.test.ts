/** The columns that statements name are those of the tables. */
import { expect, it } from "vitest";
import { columnsOf } from "../../src/db/columns.ts";
import { TABLES } from "../../src/db/moved-tables.ts";
import { startApp } from "../support/app.ts";

it.each([
  ...TABLES,
  "examined_files",
  "installation",
  "jobs",
  "last_sweep",
  "rate_limits",
  "secret_fingerprint",
  "service_id",
] as const)("%s", async (table) => {
  const { container } = await startApp();
  const tables = await container.database.read.introspection.getTables();
  const columns = tables.find(({ name }) => name === table)?.columns.map(({ name }) => name);
  expect([...columnsOf(table)].sort()).toEqual(columns?.sort());
});
