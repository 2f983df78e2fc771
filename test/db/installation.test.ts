/** The record of a restored database, and each reason for which an installation isn't used: its line, and its row in the document. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  assertInstallation,
  InstallationError,
  type InstallationFacts,
  REFUSAL_CODES,
} from "../../src/db/assert-installation.ts";
import { openWriter } from "../../src/db/sqlite/connection.ts";
import { renewRecord } from "../../src/db/sqlite/database-file.ts";
import { migrate } from "../../src/db/sqlite/migrator.ts";
import { read } from "../support/documents.ts";
import { createOlderMigrations } from "../support/migrations-folder.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const PROGRAM = { type: "trigger", name: "sneak", table: "users" } as const;
const FACTS: Required<InstallationFacts> = {
  data_dir_in_use: { dataDir: "/data", holder: "It is process 7." },
  restore_unfinished: { dataDir: "/data" },
  server_not_named: { dataDir: "/data", server: "db.example.org/books" },
  move_forgotten: { database: "db.example.org/books", file: "/data/database.sqlite" },
  foreign_programs: { what: "The database", programs: [PROGRAM], client: "psql" },
  database_newer: { unknown: ["0099-newer"] },
  instances_running: { migrations: ["0098-marked"] },
  move_unfinished: true,
  files_differ: { database: "The database has no id.", files: "/data/files has the id 1." },
  clock_wrong: { offset: "The clock of this machine is 900 s ahead of the database's." },
  secret_differs: true,
  files_not_shared: true,
};

function refuse(facts: InstallationFacts): InstallationError {
  try {
    assertInstallation(facts);
  } catch (error) {
    if (error instanceof InstallationError) return error;
    throw error;
  }
  throw new Error("It wasn't refused");
}

/** The rows of the table of reasons: code, and the pieces of the line between what differs. */
const documented = [...read("docs/operation.md").matchAll(/^\| `(\w+)` \| ([^|]+) \| [^|]+ \| [^|]+ \|$/gm)]
  .map(([, code = "", line = ""]) => ({ code, pieces: line.split("…").map((piece) => piece.trim()) }))
  .filter(({ code }) => REFUSAL_CODES.some((known) => known === code));

/** A file as a version has left it; its record of the service's id, by that version's means. */
async function migratedFile(number?: string) {
  const folder = createTempFolder();
  const path = join(folder, "database.sqlite");
  const connection = openWriter(path);
  await migrate(connection, folder, number === undefined ? undefined : createOlderMigrations(number));
  connection.pragma("journal_mode = delete");
  connection.close();
  const read = (sql: string) => {
    const reader = openWriter(path);
    try {
      return reader.prepare(sql).pluck().get();
    } finally {
      reader.close();
    }
  };
  return { path, read };
}

describe("a restored database", () => {
  const renewed = { epoch: "another", serviceId: "id" };

  it("gets another epoch and another id", async () => {
    const { path, read } = await migratedFile();
    expect(renewRecord(path, renewed)).toBe(true);
    expect(read("select serviceId || ' ' || epoch from installation")).toBe("id another");
  });

  it("gets them in the tables of an older version, which its first start takes over", async () => {
    const { path, read } = await migratedFile("0031");
    expect(renewRecord(path, renewed)).toBe(true);
    const connection = openWriter(path);
    await migrate(connection, createTempFolder());
    connection.close();
    expect(read("select serviceId || ' ' || epoch from installation")).toBe("id another");
  });

  it("gets only what its version knows", async () => {
    const [withoutEpoch, withoutId] = [await migratedFile("0026"), await migratedFile("0013")];
    expect(renewRecord(withoutEpoch.path, renewed)).toBe(true);
    expect(withoutEpoch.read("select serviceId from service_id")).toBe("id");
    expect(renewRecord(withoutId.path, renewed)).toBe(false);
  });
});

describe("an installation", () => {
  it("is used if nothing was found", () => {
    expect(() => assertInstallation({})).not.toThrow();
    expect(() => assertInstallation({ move_unfinished: false, database_newer: undefined })).not.toThrow();
  });

  it.each(REFUSAL_CODES)("is refused in one line with a code, a sentence and the way on: %s", (code) => {
    const error = refuse({ [code]: FACTS[code] });
    expect(error.code).toBe(code);
    expect(error.message).toMatch(/^[A-Z][^\n]+[.?] [A-Z][^\n]+\.$/);
  });

  it("is refused for the first of several reasons", () => {
    expect(refuse(FACTS).code).toBe("data_dir_in_use");
    expect(refuse({ secret_differs: true, move_unfinished: true }).code).toBe("move_unfinished");
  });

  it("has a row in docs/operation.md for each reason, with the beginning of its line", () => {
    expect(documented.map(({ code }) => code)).toEqual(REFUSAL_CODES);
    for (const { code, pieces } of documented) {
      const { message } = refuse({
        [code]: FACTS[REFUSAL_CODES.find((known) => known === code) ?? "clock_wrong"],
      });
      for (const piece of pieces) expect(message, code).toContain(piece);
    }
  });
});
