import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { openWriter } from "../src/db/sqlite/connection.ts";
import { RemoteAdmin } from "./support/remote-admin.ts";
import { CLI, runCli as run } from "./support/run-cli.ts";
import { ServiceProcess } from "./support/service-process.ts";
import { hashBytes } from "./support/stored-files.ts";
import { createTempFolder } from "./support/temp-folder.ts";

const PASSWORD = "correct horse battery";
const newDataDir = (): string => join(createTempFolder(), "data");

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
  return { service, base: await service.waitUntilListening() };
}

describe("create-admin rejects, before it opens anything,", () => {
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

  it("invalid values of an account, all of which it names", async () => {
    const dataDir = newDataDir();
    const { code, errors } = await createAdmin(dataDir, "anna", "short\n", "n".repeat(201));
    expect(code).toBe(1);
    expect(errors).toMatch(/^3 values are not valid\.\n {2}email: .*\n {2}name: .*\n {2}password: .*\n$/);
    expect(errors).not.toContain("short");
    expect(existsSync(dataDir)).toBe(false);
  });

  it.each([
    ["one of the commonest passwords", "administrator1\n", "password: must not be a common password"],
    ["no password", "", "password: "],
    ["an empty line", `\n${PASSWORD}\n`, "password: "],
  ])("%s", async (_, input, failure) => {
    const dataDir = newDataDir();
    const { code, out, errors } = await createAdmin(dataDir, "anna@example.org", input);
    expect(code).toBe(1);
    expect(out).toBe("");
    expect(errors).toContain(failure);
    expect(existsSync(dataDir)).toBe(false);
  });
});

describe("create-admin", () => {
  it("creates the first administrator on an empty folder, and another beside a running server", async () => {
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

  it("leaves an existing account unchanged", async () => {
    const dataDir = newDataDir();
    await createAdmin(dataDir, "anna@example.org");
    const again = await createAdmin(dataDir, "ANNA@example.org", "another long pass phrase\n");
    expect(again).toEqual({ code: 1, out: "", errors: "Another user has this e-mail address.\n" });
    const { base } = await serverOn(dataDir);
    await login(base, "anna@example.org");
  });

  it("leaves the database of a newer version unchanged", async () => {
    const dataDir = newDataDir();
    await createAdmin(dataDir, "anna@example.org");
    const newer = openWriter(join(dataDir, "database.sqlite"));
    newer.exec("insert into kysely_migration values ('0099-newer', '2030-01-01')");
    newer.close();
    const { code, errors } = await createAdmin(dataDir, "ben@example.org");
    expect(code).toBe(78);
    expect(errors).toMatch(/^A newer version of this service created the database .*\n$/);
  });
});

/** Answers the prompts of a command on a terminal, one after the other. @returns what the terminal has shown */
async function onTerminal(dataDir: string, command: string, responses: readonly string[]) {
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir };
  const args = ["-qec", `${process.execPath} ${CLI} ${command}`, "/dev/null"];
  const terminal = spawn("/usr/bin/script", args, { cwd: createTempFolder(), env, stdio: "pipe" });
  onTestFinished(() => void terminal.stdin.end());
  let shown = "";
  let prompts = 0;
  terminal.stdout.on("data", (chunk: Buffer) => {
    shown += chunk.toString();
    if (shown.match(PROMPT)?.length !== prompts + 1) return;
    terminal.stdin.write(responses[prompts] ?? "");
    prompts += 1;
  });
  const [code] = await once(terminal, "close");
  return { code, shown: shown.replaceAll("\r", "") };
}

const PROMPT = /(Password \(12 characters or more\)|The same password again): /g;
const ASKED = "Password (12 characters or more): \n";
const ASKED_AGAIN = "The same password again: \n";

describe.skipIf(!existsSync("/usr/bin/script"))("the password on a terminal", () => {
  it("is prompted for until it was typed twice alike, and isn't shown", async () => {
    const dataDir = newDataDir();
    const typed = [`${PASSWORD}\r`, "korrekt horse battery\r", `${PASSWORD}\r`, `${PASSWORD}\r`];
    const { code, shown } = await onTerminal(dataDir, "create-admin anna@example.org", typed);
    const differ = "The passwords do not match. Try again.\n";
    const done = `anna@example.org can log in now (${dataDir}).\n`;
    expect(shown).toBe(ASKED + ASKED_AGAIN + differ + ASKED + ASKED_AGAIN + done);
    expect(code).toBe(0);
  });

  it.each([
    ["too short", "eleven char", "must be at least 12 characters long"],
    ["a common password", "password1234", "must not be a common password"],
  ])("that is %s is rejected before it is prompted for again", async (_, bad, error) => {
    const dataDir = newDataDir();
    const typed = [`${bad}\r`, `${PASSWORD}\r`, `${PASSWORD}\r`];
    const { code, shown } = await onTerminal(dataDir, "create-admin anna@example.org", typed);
    const done = `anna@example.org can log in now (${dataDir}).\n`;
    expect(shown).toBe(`${ASKED}The password ${error}. Try again.\n${ASKED}${ASKED_AGAIN}${done}`);
    expect(code).toBe(0);
  });

  it.each([
    ["at once", ["\u0003"], ASKED],
    ["at the second prompt", [`${PASSWORD}\r`, "\u0003"], ASKED + ASKED_AGAIN],
  ])("Ctrl-C ends the command silently %s, with nothing changed", async (_, typed, expected) => {
    const dataDir = newDataDir();
    const ended = await onTerminal(dataDir, "create-admin anna@example.org", typed);
    expect(ended).toEqual({ code: 130, shown: expected });
    expect(existsSync(dataDir)).toBe(false);
  });
});

describe("reset-password", () => {
  const reset = (dataDir: string, address: string, input: string, ...more: string[]) =>
    run({ args: ["reset-password", address, ...more], input, variables: { DATA_DIR: dataDir } });

  it("beside a running server replaces the password and ends all sessions", async () => {
    const dataDir = newDataDir();
    await createAdmin(dataDir, "anna@example.org");
    const { base } = await serverOn(dataDir);
    const { cookie } = await login(base, "anna@example.org");
    const keyOf = async (scopes: string[]) => {
      const made = await fetch(`${base}/api/admin/api-keys`, {
        method: "POST",
        headers: { cookie, "content-type": "application/json" },
        body: JSON.stringify({ name: "Key", scopes }),
      });
      return z.object({ key: z.string() }).parse(await made.json()).key;
    };
    const [catalogue] = [await keyOf(["view_books"]), await keyOf(["submit_downloads"])];
    const books = async () =>
      (await fetch(`${base}/api/admin/books`, { headers: { authorization: `Bearer ${catalogue}` } })).status;
    expect(await books()).toBe(200);
    expect(
      await reset(dataDir, "anna@example.org", "a third long phrase\n", "--keep-api-keys"),
    ).toMatchObject({
      out: expect.stringContaining("API keys revoked: 0."),
    });
    expect(await books()).toBe(200);
    expect(await reset(dataDir, "Anna@example.org", "another long phrase\n")).toEqual({
      code: 0,
      out: "anna@example.org has a new password. All sessions of this user have ended. API keys revoked: 1.\n",
      errors: "",
    });
    expect(await books()).toBe(401);
    const session = await fetch(`${base}/api/auth/session`, { headers: { cookie } });
    expect(session.status).toBe(401);
    await expect(login(base, "anna@example.org")).rejects.toThrow("401");
    const again = await RemoteAdmin.login(base, {
      ADMIN_EMAIL: "anna@example.org",
      ADMIN_PASSWORD: "another long phrase",
    });
    const audit = await fetch(`${base}/api/admin/audit?action=update`, { headers: { cookie: again.cookie } });
    expect(await audit.json()).toMatchObject({
      entries: expect.arrayContaining([
        expect.objectContaining({ actorKind: "system", actorName: "command line", objectKind: "user" }),
      ]),
    });
  });

  it("rejects weak passwords, unknown addresses, and a folder without a database", async () => {
    const dataDir = newDataDir();
    expect(await reset(dataDir, "anna@example.org", `${PASSWORD}\n`)).toEqual({
      code: 1,
      out: "",
      errors: `${dataDir} contains no database.\n`,
    });
    await createAdmin(dataDir, "anna@example.org");
    expect(await reset(dataDir, "ben@example.org", `${PASSWORD}\n`)).toEqual({
      code: 1,
      out: "",
      errors: "No user has the e-mail address ben@example.org.\n",
    });
    const weak = await reset(dataDir, "anna", "short\n");
    expect(weak).toMatchObject({ code: 1, out: "" });
    expect(weak.errors).toMatch(/^2 values are not valid\.\n {2}email: .*\n {2}password: .*\n$/);
  });
});

describe("doctor", () => {
  const doctor = (dataDir: string, ...args: string[]) =>
    run({ args: ["doctor", ...args], variables: { DATA_DIR: dataDir } });

  it("checks the data beside a running server, and exits with 1 if there are errors", async () => {
    const dataDir = newDataDir();
    await createAdmin(dataDir, "anna@example.org");
    const { base } = await serverOn(dataDir);
    await (await login(base, "anna@example.org")).publish("en", Buffer.from("text"));
    const sound = await doctor(dataDir);
    expect(sound).toMatchObject({ code: 0, errors: "" });
    expect(sound.out).toMatch(
      /^ +0 {2}constraints,.*\n +0 {2}files and covers whose bytes are missing or have another size \(missing_bytes\)\n.*Checked 1 files, .* stored blobs, .*\nHealthy\.\n$/s,
    );

    rmSync(join(dataDir, "files", hashBytes(Buffer.from("text")).slice(0, 2)), { recursive: true });
    const { code, out } = await doctor(dataDir);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^error {2}file book\.txt .*\n {4}The stored bytes .*\n {4}Upload .* 1 {2}files and covers whose .* \(missing_bytes\)\n/s,
    );
    const asJson = await doctor(dataDir, "--deep", "--json");
    expect(JSON.parse(asJson.out)).toMatchObject({
      isHealthy: false,
      findings: [{ check: "missing_bytes", object: { name: "book.txt" } }],
    });
  });

  it("rejects unknown options, and a folder without a database", async () => {
    const dataDir = newDataDir();
    expect(await doctor(dataDir, "--depe")).toMatchObject({ code: 64, out: "" });
    const errors = `${dataDir} contains no database.\n`;
    expect(await doctor(dataDir)).toEqual({ code: 1, out: "", errors });
    expect(existsSync(dataDir)).toBe(false);
  });
});
