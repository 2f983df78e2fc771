/** Rules, policies, triggers and views that somebody else has put into a PostgreSQL database. */
import { sql } from "kysely";
import { expect, it } from "vitest";
import { openPostgres } from "../../src/db/postgres/database.ts";
import { startApp } from "../support/app.ts";
import { runCli } from "../support/run-cli.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { createDatabaseSettings } from "../support/test-database.ts";

const PROGRAMS = [
  [
    "rule spy on sessions",
    "create rule spy as on insert to sessions do also delete from audit_log",
    `drop rule "spy" on "sessions"`,
  ],
  [
    "rule gone on users",
    "create rule gone as on delete to users do instead nothing",
    `drop rule "gone" on "users"`,
  ],
  [
    "policy hidden on books",
    "create policy hidden on books using (false)",
    `drop policy "hidden" on "books"`,
  ],
  [
    "trigger same on books",
    "create trigger same before update on books for each row execute function suppress_redundant_updates_trigger()",
    `drop trigger "same" on "books"`,
  ],
  ["view everybody", "create view everybody as select email from users", `drop view "everybody"`],
] as const;

it.each(PROGRAMS)("a start and the deep check report %s", async (name, statement, removal) => {
  const { container, dataDir } = await startApp();
  const { database } = container;
  await database.commit(() => sql.raw(statement).execute(database.writer));
  const { foreign } = await database.examine(10);
  expect(foreign.programs.map(({ name }) => name)).toEqual([name.split(" ")[1]]);
  const { DATABASE_URL: url = "" } = await createDatabaseSettings(dataDir);
  const options = { url, reportUrl: url, size: 1, connectTimeoutMs: 5000, statementTimeoutMs: 5000 };
  const refused = openPostgres(options);
  await expect(refused).rejects.toThrow(
    `triggers, views, rules or policies that this service did not create: ${name}.`,
  );
  await expect(refused).rejects.toThrow(`with psql (${removal})`);
  await database.commit(() => sql.raw(removal).execute(database.writer));
  await (await openPostgres(options)).close();
});

it("a rule ends a start with 78 and one line, and is reported by the doctor", async () => {
  const { container, dataDir } = await startApp();
  const { database } = container;
  await database.commit(() => sql.raw(PROGRAMS[0][1]).execute(database.writer));
  const { DATABASE_URL = "", AUTH_SECRET = "" } = await createDatabaseSettings(dataDir);
  const variables = { DATABASE_URL, AUTH_SECRET, DATA_DIR: createTempFolder(), PORT: "0" };
  const start = await runCli({ args: ["serve"], variables });
  expect(start).toMatchObject({ code: 78, out: "" });
  expect(start.errors).toMatch(/^The database [^\n]* rule spy on sessions\.[^\n]*\n$/);
  const doctor = await runCli({ args: ["doctor", "--deep"], variables });
  expect(doctor.out).toContain("This service did not create the rule spy on sessions.");
  expect(doctor.code).not.toBe(0);
});
