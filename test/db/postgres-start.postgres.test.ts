/** What commands say when the database can't be used: one line that names the reason and no password. */
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { openPostgres } from "../../src/db/postgres/database.ts";
import { OperatorError } from "../../src/errors.ts";
import { onServer, PostgresProcess, withDatabase } from "../../tools/lib/postgres-process.ts";
import { freePort } from "../../tools/lib/server-process.ts";
import { runCli } from "../support/run-cli.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const PASSWORD = "a-password-that-stays-secret";

function server() {
  const given = inject("postgres");
  if (!given) throw new Error("There is no server");
  return given.url;
}

async function refusalOf(url: string): Promise<string> {
  const options = { size: 1, connectTimeoutMs: 5000, statementTimeoutMs: 5000 };
  const error = await openPostgres({ url, reportUrl: url, ...options }).then(
    (database) => database.close(),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OperatorError);
  const message = error instanceof Error ? error.message : "";
  expect(message).toMatch(/^DATABASE_URL: [^\n]+$/);
  expect(message).not.toContain(PASSWORD);
  return message;
}

function withCredential(url: string, user: string): string {
  const other = new URL(url);
  other.username = user;
  other.password = PASSWORD;
  return other.href;
}

describe("a start is rejected", () => {
  it("when nothing listens on the port", async () => {
    const url = new URL(withCredential(server(), "books"));
    url.port = String(await freePort(0));
    expect(await refusalOf(url.href)).toContain("ECONNREFUSED");
  });

  it("when the host is unknown", async () => {
    expect(await refusalOf(`postgres://books:${PASSWORD}@nowhere.invalid/books`)).toContain(
      "nowhere.invalid",
    );
  });

  it("when the password is wrong", async () => {
    const url = await serverWithPasswords();
    await onServer(url, (client) => client.query("create role books login password 'the right one'"));
    expect(await refusalOf(withCredential(url, "books"))).toContain(
      'password authentication failed for user "books"',
    );
  });

  it("when the user is unknown", async () => {
    expect(await refusalOf(withCredential(server(), "nobody_known"))).toContain("nobody_known");
  });

  it("when the database doesn't exist", async () => {
    const message = await refusalOf(withDatabase(server(), "bookdist_missing"));
    expect(message).toMatch(/database "bookdist_missing" does not exist/);
  });

  it("when the database doesn't have the collation C", async () => {
    const name = "bookdist_other_collation";
    const drop = () => onServer(server(), (client) => client.query(`drop database if exists ${name}`));
    await drop();
    await onServer(server(), (client) =>
      client.query(`create database ${name} template template0 encoding 'SQL_ASCII' locale 'C'`),
    );
    onTestFinished(async () => void (await drop()));
    expect(await refusalOf(withDatabase(server(), name))).toMatch(
      /SQL_ASCII.*Create it with ENCODING 'UTF8'/,
    );
  });

  it.each([
    ["a password that isn't percent-encoded", `postgres://books:${PASSWORD}%zz@127.0.0.1/books`],
    [
      "a certificate that isn't there",
      `postgres://books:${PASSWORD}@127.0.0.1/books?sslrootcert=/missing.pem`,
    ],
  ])("when the URL has %s", async (_, url) => {
    await refusalOf(url);
  });
});

const AUTH_SECRET = "Vh4x0pQ2s9LmT7cYzR1bN6wKdE8jUgAf";

describe("as a command,", () => {
  it.each(["start", "check-data", "doctor"])("%s ends with 78 and one line", async (command) => {
    const DATABASE_URL = withDatabase(withCredential(server(), "nobody_known"), "books");
    const variables = { DATABASE_URL, AUTH_SECRET, DATA_DIR: createTempFolder(), PORT: "0" };
    const { code, errors } = await runCli({ args: [command], variables });
    expect(errors).toMatch(/^DATABASE_URL: [^\n]*nobody_known[^\n]*\n$/);
    expect(errors).not.toContain(PASSWORD);
    expect(code).toBe(78);
  });

  it.each([
    ["backup", "pg_dump"],
    ["restore", "pg_restore"],
  ])("%s ends with 69 and names the tool of PostgreSQL", async (command, tool) => {
    const variables = { DATABASE_URL: server(), AUTH_SECRET, DATA_DIR: createTempFolder() };
    const args = command === "restore" ? [command, "books"] : [command];
    const { code, errors } = await runCli({ args, variables });
    expect(errors).toContain(tool);
    expect(code).toBe(69);
  });
});

/** A server that asks the user `books` for a password. */
async function serverWithPasswords(): Promise<string> {
  const folder = createTempFolder();
  // The server's own user reads the file.
  chmodSync(folder, 0o755);
  const rules = join(folder, "rules");
  writeFileSync(rules, "host all books all scram-sha-256\nhost all all all trust\n");
  const settings = [`hba_file=${rules}`, "fsync=off"];
  const own = new PostgresProcess({ folder: join(folder, "server"), port: await freePort(0), settings });
  onTestFinished(() => own.stop());
  await own.start();
  return own.url;
}
