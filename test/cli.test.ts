import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openWriter } from "../src/db/connection.ts";
import { RemoteAdmin } from "./support/remote-admin.ts";
import { CLI, runCli as run } from "./support/run-cli.ts";
import { ServiceProcess } from "./support/service-process.ts";
import { sha256Of } from "./support/stored-files.ts";
import { tempFolder } from "./support/temp-folder.ts";

const PASSWORD = "correct horse battery";
const newDataDir = (): string => join(tempFolder(), "data");

const createAdmin = (dataDir: string, address: string, input = `${PASSWORD}\n`, name?: string) =>
  run({
    args: ["create-admin", address, ...(name === undefined ? [] : [name])],
    input,
    variables: { DATA_DIR: dataDir },
  });

const login = (base: string, address: string) =>
  RemoteAdmin.login(base, { ADMIN_EMAIL: address, ADMIN_PASSWORD: PASSWORD });

async function serverOn(dataDir: string) {
  const service = new ServiceProcess({ DATA_DIR: dataDir });
  return { service, base: await service.listening() };
}

describe("a command that isn't one", () => {
  it.each([
    [[], "Unknown command"],
    [["create-administrator"], "Unknown command create-administrator. Commands: create-admin, doctor"],
    [["create-admin"], "Usage: npm run create-admin -- <e-mail> [name]"],
  ])("says what there is: %j", async (args, message) => {
    const dataDir = newDataDir();
    const { code, errors } = await run({ args, variables: { DATA_DIR: dataDir } });
    expect(code).toBe(64);
    expect(errors).toContain(message);
    expect(existsSync(dataDir)).toBe(false);
  });
});

describe("create-admin refuses, before it opens anything,", () => {
  it("a wrong configuration", async () => {
    const dataDir = newDataDir();
    const variables = { DATA_DIR: dataDir, PORT: "x", LOG_LEVEL: "y" };
    const { code, errors } = await run({
      args: ["create-admin", "anna@example.org"],
      input: PASSWORD,
      variables,
    });
    expect(code).toBe(78);
    expect(errors).toMatch(/^The configuration is not valid:\n {2}PORT: .*\n {2}LOG_LEVEL: .*\n$/);
    expect(existsSync(dataDir)).toBe(false);
  });

  it("what isn't fit for an account, and names all of it", async () => {
    const dataDir = newDataDir();
    const { code, errors } = await createAdmin(dataDir, "anna", "short\n", "n".repeat(201));
    expect(code).toBe(1);
    expect(errors).toMatch(/^3 values are not valid\.\n {2}email: .*\n {2}name: .*\n {2}password: .*\n$/);
    expect(errors).not.toContain("short");
    expect(existsSync(dataDir)).toBe(false);
  });

  it.each([
    ["T3 one of the commonest passwords", "administrator1\n", "password: is among the commonest passwords"],
    ["no password", "", "password: "],
    ["an empty line", `\n${PASSWORD}\n`, "password: "],
  ])("%s", async (_, input, fault) => {
    const dataDir = newDataDir();
    const { code, out, errors } = await createAdmin(dataDir, "anna@example.org", input);
    expect(code).toBe(1);
    expect(out).toBe("");
    expect(errors).toContain(fault);
    expect(existsSync(dataDir)).toBe(false);
  });
});

describe("create-admin", () => {
  it("makes the first administrator on an empty folder, and another beside a running server", async () => {
    const dataDir = newDataDir();
    const first = await createAdmin(dataDir, " Anna@Example.org", `${PASSWORD}\r\nmore\n`, "Anna");
    expect(first).toEqual({ code: 0, out: `anna@example.org can log in now (${dataDir}).\n`, errors: "" });
    expect(existsSync(join(dataDir, "database.sqlite-wal"))).toBe(false);

    const { service, base } = await serverOn(dataDir);
    const anna = await login(base, "anna@example.org");
    const session = await fetch(`${base}/api/auth/session`, { headers: { cookie: anna.cookie } });
    expect(await session.json()).toMatchObject({ user: { name: "Anna", role: "admin" } });
    expect(service.lines.filter(({ level }) => level === "warn")).toEqual([]);

    expect((await createAdmin(dataDir, "ben@example.org")).code).toBe(0);
    await login(base, "ben@example.org");
    await login(base, "anna@example.org");
    expect((await service.end()).code).toBe(0);
  });

  it("leaves an account that exists as it is", async () => {
    const dataDir = newDataDir();
    await createAdmin(dataDir, "anna@example.org");
    const again = await createAdmin(dataDir, "ANNA@example.org", "another long pass phrase\n");
    expect(again).toEqual({ code: 1, out: "", errors: "There is a user with this e-mail.\n" });
    const { base } = await serverOn(dataDir);
    await login(base, "anna@example.org");
  });

  it("leaves a newer version's database alone", async () => {
    const dataDir = newDataDir();
    await createAdmin(dataDir, "anna@example.org");
    const newer = openWriter(join(dataDir, "database.sqlite"));
    newer.exec("insert into kysely_migration values ('0099-newer', '2030-01-01')");
    newer.close();
    const { code, errors } = await createAdmin(dataDir, "ben@example.org");
    expect(code).toBe(78);
    expect(errors).toMatch(/^The database was made by a newer version .*\n$/);
  });

  it.skipIf(!existsSync("/usr/bin/script"))("doesn't show the password on a terminal", async () => {
    const dataDir = newDataDir();
    const command = `${process.execPath} ${CLI} create-admin anna@example.org`;
    const env = { PATH: process.env.PATH, DATA_DIR: dataDir };
    const terminal = spawn("/usr/bin/script", ["-qec", command, "/dev/null"], { env, stdio: "pipe" });
    onTestFinished(() => void terminal.stdin.end());
    let shown = "";
    terminal.stdout.on("data", (chunk: Buffer) => {
      shown += chunk.toString();
      if (shown.endsWith("Password (12 characters or more): ")) terminal.stdin.write(`${PASSWORD}\r`);
    });
    const [code] = await once(terminal, "close");
    expect(shown).toMatch(/^Password \(12 characters or more\): \s+anna@example\.org can log in now/);
    expect(shown).not.toContain("horse");
    expect(code).toBe(0);
  });
});

describe("doctor", () => {
  const doctor = (dataDir: string, ...args: string[]) =>
    run({ args: ["doctor", ...args], variables: { DATA_DIR: dataDir } });

  it("looks over the data beside a running server, and ends with 1 when there are errors", async () => {
    const dataDir = newDataDir();
    await createAdmin(dataDir, "anna@example.org");
    const { base } = await serverOn(dataDir);
    await (await login(base, "anna@example.org")).publish("en", Buffer.from("text"));
    const sound = await doctor(dataDir);
    expect(sound).toMatchObject({ code: 0, errors: "" });
    expect(sound.out).toMatch(/^ +0 {2}missing_bytes\n.*Looked at 1 files, .*\nHealthy\.\n$/s);

    rmSync(join(dataDir, "files", sha256Of(Buffer.from("text")).slice(0, 2)), { recursive: true });
    const { code, out } = await doctor(dataDir);
    expect(code).toBe(1);
    expect(out).toMatch(/^error {2}file book\.txt .*\n {4}The bytes .*\n {4}Upload .* 1 {2}missing_bytes\n/s);
    const asJson = await doctor(dataDir, "--deep", "--json");
    expect(JSON.parse(asJson.out)).toMatchObject({
      isHealthy: false,
      findings: [{ check: "missing_bytes", object: { name: "book.txt" } }],
    });
  });

  it("refuses options that it doesn't know, and a folder without a database", async () => {
    const dataDir = newDataDir();
    expect(await doctor(dataDir, "--depe")).toMatchObject({ code: 64, out: "" });
    const errors = `There is no database in ${dataDir}.\n`;
    expect(await doctor(dataDir)).toEqual({ code: 1, out: "", errors });
    expect(existsSync(dataDir)).toBe(false);
  });
});
