/** Commands and servers whose variables name another database or other files than before. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startApp } from "./support/app.ts";
import { runCli } from "./support/run-cli.ts";
import { startAndEnd } from "./support/start-and-end.ts";
import { createTempFolder } from "./support/temp-folder.ts";

const B = "01a1fb60-0000-7000-8000-00000000000b";

/** A data folder of a service that has ended, with a book of one file. */
async function ended(): Promise<string> {
  const dataDir = createTempFolder();
  const app = await startApp({}, { dataDir });
  await app.make.published("The Well", "en", "the well");
  await app.container.close();
  return dataDir;
}

it("a command before the first start, and one after it, use the same id", async () => {
  const dataDir = join(createTempFolder(), "data");
  const run = (email: string) =>
    runCli({
      args: ["create-admin", email],
      input: "correct horse battery\n",
      variables: { DATA_DIR: dataDir },
    });
  expect(await run("a@example.org")).toMatchObject({ code: 0 });
  const read = () => readFileSync(join(dataDir, "files", "service-id"), "utf8");
  const before = read();
  await startAndEnd({ DATA_DIR: dataDir });
  expect(await run("b@example.org")).toMatchObject({ code: 0 });
  expect(read()).toBe(before);
});

it("bookdist adopt-files prints both sides and asks; then the service starts", async () => {
  const dataDir = await ended();
  writeFileSync(join(dataDir, "files", "service-id"), `${B}\n`);
  const run = (args: string[], input = "") =>
    runCli({ args, input, variables: { DATA_DIR: dataDir, PORT: "0", HOST: "127.0.0.1" } });
  const failed = await run(["serve"]);
  expect([failed.code, failed.errors]).toEqual([78, expect.stringMatching(/bookdist adopt-files\.\n$/)]);
  const asked = await run(["adopt-files"], "no\n");
  expect(asked).toMatchObject({ code: 1, errors: expect.stringContaining("Nothing was changed.") });
  expect(asked.out).toContain(`has the id ${B} and contains 1 files`);
  expect(readFileSync(join(dataDir, "files", "service-id"), "utf8")).toBe(`${B}\n`);
  expect(await run(["adopt-files"])).toMatchObject({ code: 1 });
  expect(await run(["adopt-files"], "yes\n")).toMatchObject({ code: 0 });
  expect(await startAndEnd({ DATA_DIR: dataDir })).toMatchObject({ setAside: 0 });
  writeFileSync(join(dataDir, "files", "service-id"), `${B}\n`);
  expect(await run(["adopt-files", "--yes"])).toMatchObject({ code: 0 });
  await startAndEnd({ DATA_DIR: dataDir });
});

describe("the data folder of an instance that last ran on PostgreSQL", () => {
  it.each([
    [["create-admin", "a@example.org"]],
    [["check-data"]],
    [["backup"]],
    [["sweep", "--confirm"]],
    [["serve"]],
    [["import", "."]],
    [["reset-password", "a@example.org"]],
    [["export", "out"]],
    [["move", "--to-storage", "s3://books?region=eu-1"]],
  ])("with %j but without DATABASE_URL ends with 78 and writes nothing", async (args) => {
    const dataDir = createTempFolder();
    writeFileSync(join(dataDir, "last-server"), "db.example.org/books\n");
    const variables = { DATA_DIR: dataDir, PORT: "0", HOST: "127.0.0.1" };
    const { code, errors } = await runCli({
      args,
      input: "correct horse battery\n",
      variables,
      cwd: createTempFolder(),
    });
    expect([code, errors]).toEqual([78, expect.stringContaining("last ran on db.example.org/books")]);
    expect(errors).toContain("bookdist move --from-database");
    expect(existsSync(join(dataDir, "database.sqlite"))).toBe(false);
  });

  it("can be used with SQLite again on demand", async () => {
    const dataDir = await ended();
    writeFileSync(join(dataDir, "last-server"), "db.example.org/books\n");
    await expect(startAndEnd({ DATA_DIR: dataDir })).rejects.toThrow("last ran on db.example.org/books");
    const adopted = await runCli({ args: ["adopt-files", "--yes"], variables: { DATA_DIR: dataDir } });
    expect(adopted.out).toContain("last ran on db.example.org/books");
    await startAndEnd({ DATA_DIR: dataDir });
  });
});
