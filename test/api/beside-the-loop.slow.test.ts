/** Which statements wait for which: the public's for none of an administrator's, and none of them on the event loop. */
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { startWithAdmin } from "../support/app.ts";
import { countTo } from "../support/count-to.ts";

/** A statement of seconds. SQLite can't sleep. */
const SLOW = { sqlite: countTo(4_000_000), postgres: sql`select pg_sleep(3)` };
/** As many as either handle has connections on PostgreSQL. */
const AT_ONCE = 2;

/** Keeps a handle of the database busy until the first of its statements has ended. */
function occupy({ source, ...database }: Database, handle: "report" | "catalogue" | "exportRows") {
  let isFree = false;
  const statements = Array.from({ length: AT_ONCE }, async () => {
    await SLOW[source.kind].execute(database[handle]);
    isFree = true;
  });
  return { end: Promise.all(statements), isFree: () => isFree };
}

async function scene() {
  const { app, client: admin } = await startWithAdmin();
  const { id } = await app.make.language("es");
  const { book } = await app.make.published("The Well", "es");
  const rename = (title: string) =>
    admin.post(`/api/admin/books/${book.id}/translations`, { languageCode: "es", title });
  // The thread of the handle is started.
  expect((await app.api.get("/api/books")).status).toBe(200);
  expect((await admin.get("/api/admin/books?search=well")).status).toBe(200);
  return { ...app, database: app.container.database, admin, languageId: id, book, rename };
}

const PUBLIC = [
  "/api/books?languageCode=es",
  "/api/books",
  "/api/books?search=pozo",
  "/api/languages",
  "/api/books/the-well",
];

it("beside slow statements of administrators lists, searches, languages and details are read anew after a change", async () => {
  const { api, database, rename } = await scene();
  expect((await rename("El pozo")).status).toBe(201);
  const slow = occupy(database, "report");
  for (const path of PUBLIC) {
    const { status, body } = await api.get(path);
    expect(status, path).toBe(200);
    expect(JSON.stringify(body), path).toMatch(/The Well|"booksCount":1/);
  }
  expect(slow.isFree()).toBe(false);
  await slow.end;
});

it("beside slow statements of the public forms, and the work of administrators, don't wait, but lists do: their statements run nowhere else", async () => {
  const { api, admin, database, rename, languageId, book } = await scene();
  const slow = occupy(database, "catalogue");
  expect((await rename("El pozo")).status).toBe(201);
  const waiting = PUBLIC.map(async (path) => {
    expect((await api.get(path)).status).toBe(200);
    return slow.isFree();
  });
  const contact = { email: "sara@example.org", firstName: "Sara" };
  const form = { languageCode: "es", slug: book.slug, contact };
  expect((await api.post("/api/download/submit", form)).status).toBe(200);
  expect((await admin.get("/api/admin/books?search=well")).status).toBe(200);
  expect((await admin.get(`/api/admin/languages/${languageId}`)).status).toBe(200);
  expect(slow.isFree()).toBe(false);
  await slow.end;
  expect(await Promise.all(waiting)).toEqual(PUBLIC.map(() => true));
});

describe("beside slow statements of administrators, an administrator", () => {
  it("waits for the counts of a language, which run nowhere else", async () => {
    const { admin, database, languageId } = await scene();
    const slow = occupy(database, "report");
    const { status, body } = await admin.get(`/api/admin/languages/${languageId}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ files: 1, downloads: 0 });
    expect(slow.isFree()).toBe(true);
    await slow.end;
  });

  it("waits for the contacts of a newsletter, which are read nowhere else", async () => {
    const { admin, database } = await scene();
    const slow = occupy(database, "exportRows");
    const { status } = await admin.get("/api/admin/contacts/export?format=listmonk");
    expect(status).toBe(200);
    expect(slow.isFree()).toBe(true);
    await slow.end;
  });
});
