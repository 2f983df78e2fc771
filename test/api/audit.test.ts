/** The audit log: who changed what. */
import { describe, expect, it } from "vitest";
import { findChangedFields } from "../../src/repositories/change.ts";
import { startWithAdmin } from "../support/app.ts";
import { addAuditRows } from "../support/audit-rows.ts";
import type { Client } from "../support/client.ts";
import { readModules } from "../support/modules.ts";

const PATH = "/api/admin/audit";

interface Entry {
  id: string;
  at: string;
  objectId: string;
  objectKind: string;
  action: string;
}

/** What a query finds, in its order. */
async function found(client: Client, query = ""): Promise<Entry[]> {
  const response = await client.get(`${PATH}?${query}`);
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  expect(response.body.pagination.total).toBe(response.body.entries.length);
  return response.body.entries;
}

const DAY = 86_400_000;

/** On 1 March a user, a language and a book are made; on the 2nd the book is renamed by an API key. */
async function start() {
  const { app, client } = await startWithAdmin({ TRUST_PROXY: "1" });
  const book = await app.make.book("Well");
  const language = await app.make.language("es");
  const key = await app.make.apiKey();
  app.clock.advance(DAY);
  const renamed = await key
    .with({ "X-Forwarded-For": "203.0.113.77" })
    .put(`/api/admin/books/${book.id}`, { titleEn: "The Well" });
  expect(renamed.status).toBe(200);
  return { app, client, book, language, requestId: renamed.headers["x-request-id"] };
}

describe("GET /api/admin/audit", () => {
  it("lists actor, change, time, address and request, newest first", async () => {
    const { client, book, requestId } = await start();
    const [newest, ...older] = await found(client);
    const [key] = older;
    expect(newest).toEqual({
      id: "6",
      at: "2026-03-02T12:00:00.000Z",
      actorKind: "apiKey",
      actorId: key?.objectId,
      actorName: "test",
      ipAddress: "203.0.113.77",
      action: "update",
      objectKind: "book",
      objectId: book.id,
      objectName: "The Well",
      changes: { titleEn: { before: "Well", after: "The Well" } },
      requestId,
    });
    expect(older.map(({ action, objectKind }) => `${action} ${objectKind}`)).toEqual([
      "create apiKey",
      "create language",
      "create book",
      "login user",
      "create user",
    ]);
    expect(older.at(-1)).toMatchObject({
      actorKind: "system",
      actorId: null,
      actorName: "test",
      ipAddress: null,
      requestId: null,
    });
  });

  it("filters by actor, action, object, request, and all of them together", async () => {
    const { client, book, language, requestId } = await start();
    const all = await found(client);
    const [, key] = all;
    const kinds = async (query: string) => (await found(client, query)).map(({ objectKind }) => objectKind);
    expect(await kinds("actorKind=apiKey")).toEqual(["book"]);
    expect(await kinds("actorKind=user")).toEqual(["apiKey", "language", "book", "user"]);
    expect(await kinds("action=login")).toEqual(["user"]);
    expect(await kinds("actorKind=system")).toEqual(["user"]);
    expect(await kinds(`actorId=${key?.objectId}`)).toEqual(["book"]);
    expect(await kinds("action=update")).toEqual(["book"]);
    expect(await kinds("objectKind=book")).toEqual(["book", "book"]);
    expect(await kinds(`objectId=${book.id}`)).toEqual(["book", "book"]);
    expect(await kinds(`objectKind=language&objectId=${language.id}`)).toEqual(["language"]);
    expect(await kinds(`objectKind=book&objectId=${language.id}`)).toEqual([]);
    expect(await kinds(`requestId=${requestId}`)).toEqual(["book"]);
    expect(await kinds("objectId=unknown")).toEqual([]);
    const everything = `actorKind=apiKey&actorId=${key?.objectId}&action=update&objectKind=book&objectId=${book.id}`;
    expect(await kinds(`${everything}&requestId=${requestId}&startDate=2026-03-02`)).toEqual(["book"]);
    expect(await kinds(`${everything}&requestId=${requestId}&endDate=2026-03-01`)).toEqual([]);
  });

  it("filters by days of a time zone", async () => {
    const { client } = await start();
    const count = async (query: string) => (await found(client, query)).length;
    expect(await count("startDate=2026-03-01&endDate=2026-03-01")).toBe(5);
    expect(await count("startDate=2026-03-02")).toBe(1);
    expect(await count("endDate=2026-02-28")).toBe(0);
    // In Auckland it is 1:00 on the next day.
    expect(await count("endDate=2026-03-01&timezone=Pacific/Auckland")).toBe(0);
    expect(await count("startDate=2026-03-02&timezone=Pacific/Auckland")).toBe(6);
    expect(await count("startDate=2026-03-02T12:00:00Z")).toBe(1);
  });

  it("has pages with a total order, also for entries at the same time", async () => {
    const { app, client } = await startWithAdmin();
    app.clock.advance(DAY);
    await addAuditRows(app, 7);
    const page = async (number: number) =>
      (await client.get(`${PATH}?startDate=2026-03-02&limit=3&page=${number}`)).body;
    const pages = [await page(1), await page(2), await page(3), await page(4)];
    const ids = pages.map(({ entries }) => entries.map(({ objectId }: Entry) => objectId));
    expect(ids).toEqual([["6", "5", "4"], ["3", "2", "1"], ["0"], []]);
    expect(pages[3]?.pagination).toEqual({ page: 4, limit: 3, total: 7, totalPages: 3 });
    expect((await client.get(`${PATH}?limit=999`)).body.pagination.limit).toBe(200);
  });

  it.each([
    ["full", "203.0.113.77"],
    ["truncated", "203.0.113.0"],
    ["none", null],
  ])("stores the address according to IP_STORAGE: %s", async (storage, address) => {
    const { client } = await startWithAdmin({ TRUST_PROXY: "1", IP_STORAGE: storage });
    await client.with({ "X-Forwarded-For": "203.0.113.77" }).post("/api/admin/books", { titleEn: "Well" });
    const [entry] = (await client.get(PATH)).body.entries;
    expect([entry.objectName, entry.ipAddress]).toEqual(["Well", address]);
  });

  it("formats times like other responses", async () => {
    const { client } = await startWithAdmin();
    const { id } = (await client.post("/api/admin/api-keys", { name: "sync" })).body;
    await client.delete(`/api/admin/api-keys/${id}`);
    const [{ changes }] = (await client.get(PATH)).body.entries;
    expect(changes).toEqual({ revokedAt: { before: null, after: "2026-03-01T12:00:00.000Z" } });
  });

  it("keeps entries of deleted objects", async () => {
    const { app, client } = await start();
    const other = await app.make.user("editor");
    expect((await client.delete(`/api/admin/users/${other.id}`)).status).toBe(200);
    const entries = await found(client, `objectId=${other.id}`);
    expect(entries.map(({ action }) => action)).toEqual(["delete", "create"]);
  });
});

describe("a changed field", () => {
  it("is recorded with up to 10,000 characters, and cut between characters", () => {
    const longest = "क".repeat(10_000);
    const slugs = Array.from({ length: 10_000 }, (_, index) => `book-${index}`);
    const after = { longest, slugs, pairs: `a${"🪣".repeat(10_000)}` };
    const changes = findChangedFields({ after }, { masked: [], hidden: [] });
    expect(changes.longest).toEqual({ after: longest });
    expect(changes.slugs?.after).toMatch(/^\["book-0","book-1",.*… \(\d+ characters\)$/);
    for (const cut of [changes.slugs, changes.pairs].map((change) => String(change?.after))) {
      expect(cut.length).toBeLessThan(10_050);
      expect(cut.isWellFormed()).toBe(true);
    }
  });

  it("is masked if it is secret, but shows whether it is set", () => {
    const [before, after] = [
      { hash: "old", pin: null },
      { hash: "new", pin: "1234" },
    ];
    expect(findChangedFields({ before, after }, { masked: ["hash", "pin"], hidden: [] })).toEqual({
      hash: { before: "[masked]", after: "[masked]" },
      pin: { before: null, after: "[masked]" },
    });
  });
});

it("the log itself is never changed: no source code updates or deletes its rows, except to count failed log-ins", () => {
  const writing =
    /(updateTable|deleteFrom|replaceInto|mergeInto)\(\s*"audit_log|(update|delete from|drop table)\s+"?audit_log/i;
  expect(writing.test('db.deleteFrom("audit_log")')).toBe(true);
  const places = readModules("src").flatMap(({ path, text }) => {
    const [first, ...more] = text.split(writing);
    return first === text ? [] : [{ path, statements: more.length, text }];
  });
  expect(places.map(({ path }) => path)).toEqual(["src/repositories/audit.repository.ts"]);
  const [, statement = ""] = places[0]?.text.split('updateTable("audit_log")') ?? [];
  expect(statement).toMatch(
    /^\s*\.set\(\{ changes: countOf\(count\) \}\)[^;]*\.where\("action", "=", FAILED\)/,
  );
});
