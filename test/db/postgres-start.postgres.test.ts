/** What a start says when the database can't be used: one line that names the reason and no password. */
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { openPostgres } from "../../src/db/postgres/database.ts";
import { OperatorError } from "../../src/errors.ts";
import { freePort } from "../../tools/lib/server-process.ts";
import { onServer, withDatabase } from "../support/postgres-server.ts";

const PASSWORD = "a-password-that-nobody-may-see";

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

describe("a start is refused", () => {
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

  it("when the user is unknown or the password is wrong", async () => {
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
});
