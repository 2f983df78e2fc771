/** Searches on PostgreSQL databases with, without and with only half an index of trigrams: the same hits, and what the doctor says. */
import { sql } from "kysely";
import { expect, inject, it, onTestFinished } from "vitest";
import { createBookSearch } from "../../src/db/book-search.ts";
import { openPostgres } from "../../src/db/postgres/database.ts";
import { searchWords } from "../../src/lib/text.ts";
import { BookTexts } from "../../src/repositories/book-texts.ts";
import { checkSearchIndex } from "../../src/services/doctor/checks.ts";
import { Findings } from "../../src/services/doctor/findings.ts";
import { onServer, withDatabase } from "../../tools/lib/postgres-process.ts";
import { TEST_DATABASE } from "../support/postgres-server.ts";

let number = 0;

/** A migrated database. @param settings of `create database` @param owner a role that may not create extensions */
async function openDatabase(settings: string, owner?: string) {
  const { url } = inject("postgres") ?? { url: "" };
  number += 1;
  const name = `${TEST_DATABASE}search_${process.pid}_${number}`;
  await onServer(url, (client) =>
    client.query(`create database ${name} template template0 encoding 'UTF8' ${settings}`),
  );
  const own = new URL(withDatabase(url, name));
  if (owner !== undefined) {
    await onServer(url, (client) => client.query(`create role ${owner} login password 'secret'`));
    await onServer(own.href, (client) => client.query(`grant create on schema public to ${owner}`));
    own.username = owner;
    own.password = "secret";
  }
  const options = {
    url: own.href,
    reportUrl: own.href,
    size: 2,
    connectTimeoutMs: 5000,
    statementTimeoutMs: 9000,
  };
  const database = await openPostgres(options);
  onTestFinished(async () => {
    await database.close();
    await onServer(url, (client) => client.query(`drop database ${name} with (force)`));
    if (owner !== undefined) await onServer(url, (client) => client.query(`drop role ${owner}`));
  });
  return { database, superUrl: withDatabase(url, name) };
}

type Opened = Awaited<ReturnType<typeof openDatabase>>;

const TEXTS = { one: "the well\nколодец", two: "a garden\nсад и колодец", three: "我爱你 well" };

async function fill({ database }: Opened): Promise<void> {
  await database.commit(async () => {
    for (const [id, text] of Object.entries(TEXTS)) {
      await sql`insert into books (id, slug, "titleEn", description, "sortOrder", "legacyDownloadCount", "isActive", "searchText", "createdAt", "updatedAt")
        values (${id}, ${id}, ${id}, '', 1, 0, 1, '', 1, 1)`.execute(database.writer);
      await sql`insert into book_texts ("bookId", "searchText") values (${id}, ${text})`.execute(
        database.writer,
      );
    }
  });
}

async function search({ database }: Opened, text: string) {
  const found = await createBookSearch(database.catalogue).find(searchWords(text) ?? []);
  const { rows } = await sql<{ bookId: string }>`select "bookId" from ${found.ids} as "found"`.execute(
    database.catalogue,
  );
  return [rows.map(({ bookId }) => bookId).sort(), found.number];
}

async function findWarnings({ database }: Opened): Promise<string[]> {
  const findings = new Findings();
  await checkSearchIndex(findings, new BookTexts(database.report));
  const { findings: found, isHealthy } = findings.report();
  expect(isHealthy).toBe(true);
  return found.map(({ message }) => message);
}

it("an index of all scripts is used for words with a trigram", async () => {
  const opened = await openDatabase("lc_collate 'C' lc_ctype 'C.UTF-8'");
  await fill(opened);
  expect(await findWarnings(opened)).toEqual([]);
  expect(await search(opened, "well")).toEqual([["one", "three"], "few"]);
  expect(await search(opened, "колодец")).toEqual([["one", "two"], "few"]);
  expect(await search(opened, "我爱")).toEqual([["three"], undefined]);
  expect(await search(opened, "we колодец")).toEqual([["one"], "few"]);
});

it("with lc_ctype C, words in other scripts than ASCII read all texts, and the doctor says it", async () => {
  const opened = await openDatabase("locale 'C'");
  await fill(opened);
  expect(await findWarnings(opened)).toEqual([expect.stringMatching(/lc_ctype C.*other scripts/)]);
  expect(await search(opened, "well")).toEqual([["one", "three"], "few"]);
  expect(await search(opened, "колодец")).toEqual([["one", "two"], undefined]);
  expect(await search(opened, "我爱你")).toEqual([["three"], undefined]);
});

it("without the right to make the extension, searches read all texts until the statements of the doctor are run", async () => {
  const opened = await openDatabase("lc_collate 'C' lc_ctype 'C.UTF-8'", `search_${process.pid}`);
  await fill(opened);
  const [warning = ""] = await findWarnings(opened);
  expect(warning).toMatch(/no extension pg_trgm.* Statement: create extension pg_trgm; create index /);
  expect(await search(opened, "колодец")).toEqual([["one", "two"], undefined]);
  const statements = warning.split("Statement: ")[1]?.split("; ") ?? [];
  expect(statements).toHaveLength(2);
  await onServer(opened.superUrl, (client) => client.query(statements[0] ?? ""));
  expect(await findWarnings(opened)).toEqual([
    expect.stringMatching(/no index of trigrams.* Statement: create index /),
  ]);
  expect(await search(opened, "колодец")).toEqual([["one", "two"], undefined]);
  await onServer(opened.superUrl, (client) => client.query(statements[1] ?? ""));
  expect(await findWarnings(opened)).toEqual([]);
  expect(await search(opened, "колодец")).toEqual([["one", "two"], "few"]);
});
