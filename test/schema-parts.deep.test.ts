/** A server whose database lacks indexes starts and says so, and the command makes them again beside it. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { createFilledFolder } from "./support/backups.ts";
import { runCli } from "./support/run-cli.ts";
import { ServiceProcess } from "./support/service-process.ts";
import { createTempFolder } from "./support/temp-folder.ts";

it("the start names each, the doctor too, and --repair-indexes makes them while the server runs", async () => {
  const dataDir = await createFilledFolder(1000);
  const file = join(dataDir, "database.sqlite");
  const database = new Database(file);
  database.exec("drop index book_files_active; drop index languages_parent");
  database.close();
  const variables = { DATA_DIR: dataDir };
  const server = new ServiceProcess(variables);
  await server.waitUntilReady();
  const said = () => server.lines.filter(({ level }) => level === "error").map(({ msg }) => String(msg));
  // The comparison follows the start.
  await expect.poll(() => said().length, { timeout: 30_000 }).toBe(2);
  expect(said()).toEqual([
    expect.stringMatching(
      /^The database lacks the unique index book_files_active on book_files\. Make it again: create unique index/,
    ),
    expect.stringMatching(
      /^The database lacks the index languages_parent on languages\. Make it again: create index/,
    ),
  ]);

  const before = await runCli({ args: ["doctor", "--json"], variables });
  expect(before.code).toBe(1);
  expect(JSON.parse(before.out).findings).toMatchObject([
    {
      check: "missing_constraint",
      severity: "error",
      object: { id: "book_files_active", name: "book_files" },
    },
    { check: "missing_index", severity: "warning", object: { id: "languages_parent", name: "languages" } },
  ]);
  const repaired = await runCli({ args: ["doctor", "--json", "--repair-indexes"], variables });
  expect(repaired.errors).toBe(
    "Made again: unique index book_files_active on book_files.\nMade again: index languages_parent on languages.\n",
  );
  expect([repaired.code, JSON.parse(repaired.out).isHealthy]).toEqual([0, true]);
});

it("a restored backup lacks nothing", async () => {
  const dataDir = await createFilledFolder(1000);
  const [out, restored] = [createTempFolder(), join(createTempFolder(), "data")];
  expect((await runCli({ args: ["backup", "--out", out], variables: { DATA_DIR: dataDir } })).code).toBe(0);
  const [name = ""] = readdirSync(out);
  expect((await runCli({ args: ["restore", join(out, name)], variables: { DATA_DIR: restored } })).code).toBe(
    0,
  );
  const report = await runCli({ args: ["doctor", "--deep", "--json"], variables: { DATA_DIR: restored } });
  expect([report.code, JSON.parse(report.out).findings]).toEqual([0, []]);
});
