/** Which statements wait for which: the public's for none of an administrator's, and none of them on the event loop. */
import { describe, expect, it } from "vitest";
import type { Db } from "../../src/db/kysely.ts";
import { startApp } from "../support/app.ts";
import { countTo } from "../support/count-to.ts";

/** Seconds of work for either database. */
const ROWS = 8_000_000;
/** At least as many as either handle has connections on PostgreSQL. */
const AT_ONCE = 2;

/** Keeps a handle of the database busy until the first of its statements has ended. */
function occupy(db: Db) {
  let isFree = false;
  const statements = Array.from({ length: AT_ONCE }, async () => {
    await countTo(ROWS).execute(db);
    isFree = true;
  });
  return { end: Promise.all(statements), isFree: () => isFree };
}

async function scene() {
  const app = await startApp();
  const admin = await app.admin();
  const { id } = await app.make.language("es");
  const { book } = await app.make.published("The Well", "es");
  const rename = (title: string) =>
    admin.post(`/api/admin/books/${book.id}/translations`, { languageCode: "es", title });
  // The thread of the handle is started.
  expect((await app.api.get("/api/books")).status).toBe(200);
  expect((await admin.get("/api/admin/books?search=well")).status).toBe(200);
  return { ...app, ...app.container.database, admin, languageId: id, book, rename };
}

const PUBLIC = [
  "/api/books?languageCode=es",
  "/api/books",
  "/api/books?search=pozo",
  "/api/languages",
  "/api/books/the-well",
];

describe("beside slow statements of administrators", () => {
  it("lists, searches, languages and details are read anew after a change", async () => {
    const { api, report, rename } = await scene();
    expect((await rename("El pozo")).status).toBe(201);
    const slow = occupy(report);
    for (const path of PUBLIC) {
      const { status, body } = await api.get(path);
      expect(status, path).toBe(200);
      expect(JSON.stringify(body), path).toMatch(/The Well|"booksCount":1/);
    }
    expect(slow.isFree()).toBe(false);
    await slow.end;
  });
});

describe("beside slow statements of the public", () => {
  it("forms, and the work of administrators, don't wait, but lists do: their statements run nowhere else", async () => {
    const { api, admin, catalogue, rename, languageId, book } = await scene();
    const slow = occupy(catalogue);
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
});

describe("beside slow statements of administrators, an administrator", () => {
  it("waits for the counts of a language, which run nowhere else", async () => {
    const { admin, report, languageId } = await scene();
    const slow = occupy(report);
    const { status, body } = await admin.get(`/api/admin/languages/${languageId}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ files: 1, downloads: 0 });
    expect(slow.isFree()).toBe(true);
    await slow.end;
  });
});
