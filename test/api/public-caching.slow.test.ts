/** Public answers are kept as bytes and revalidated, and are never older than the last catalogue write. */
import { describe, expect, it } from "vitest";
import { startApp } from "../support/app.ts";
import { setActive } from "../support/catalogue-rows.ts";
import { expectProblem } from "../support/expect-problem.ts";

describe.each(["/api/books", "/api/books/a-book", "/api/languages"])("GET %s", (path) => {
  it("is revalidated by its strong ETag", async () => {
    const { api, make } = await startApp();
    const { book } = await make.published("A Book", "en");
    const first = await api.get(path);
    const etag = first.headers.etag ?? "";
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    expect(first.headers["cache-control"]).toBe("no-cache");

    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const unchanged = await api.get(path, { "If-None-Match": tags });
      expect(unchanged.status).toBe(304);
      expect(unchanged.body).toHaveLength(0);
      expect(unchanged.headers.etag).toBe(etag);
      expect(unchanged.headers["cache-control"]).toBe("no-cache");
    }
    expect((await api.get(path, { "If-None-Match": '"other"' })).status).toBe(200);
    expect((await api.get(path, { "If-Match": etag })).status).toBe(200);
    expectProblem(await api.get(path, { "If-Match": '"other"' }), 412);

    const head = await api.head(path);
    expect(head.status).toBe(200);
    expect(head.headers.etag).toBe(etag);
    expect(head.headers["content-length"]).toBe(first.headers["content-length"]);
    expect((await api.head(path, { "If-None-Match": etag })).status).toBe(304);

    // The same again has the same tag; a change has another.
    expect((await api.get(path)).headers.etag).toBe(etag);
    await make.textFile(book.id, "es", "texto");
    const changed = await api.get(path, { "If-None-Match": etag });
    expect(changed.status).toBe(200);
    expect(changed.headers.etag).not.toBe(etag);
  });
});

it("every catalogue write is visible immediately, here and in another process on the same data", async () => {
  const here = await startApp();
  const there = await startApp({}, { dataDir: here.dataDir });
  const { make } = here;
  const admin = await here.admin();
  const language = await make.language("en", { name: "English" });
  const sub = await make.language("en-GB", { parentId: language.id });
  const book = await make.book("A Book");
  const another = await make.book("Another");
  const file = await make.textFile(book.id, "en", "text");
  const { id: channelId } = await make.channel("kids");
  const channelPath = `/api/admin/channels/${channelId}`;
  const paths = [
    "/api/books",
    "/api/books?languageCode=en",
    "/api/books?languageCode=en-GB",
    "/api/books?channel=kids",
    "/api/books?search=well",
    "/api/books/a-book",
    "/api/languages",
  ];
  const responses = async (app: typeof here) =>
    Promise.all(paths.map(async (path) => ({ ...(await app.api.get(path)).body, requestId: undefined })));

  const bookPath = `/api/admin/books/${book.id}`;
  const writes: Record<string, () => Promise<unknown>> = {
    "a book's title": () => admin.put(bookPath, { titleEn: "A Well" }),
    "a new translation": () => admin.post(`${bookPath}/translations`, { languageCode: "en", title: "Well" }),
    "a changed translation": () =>
      admin.post(`${bookPath}/translations`, { languageCode: "en", title: "Wells" }),
    "a removed translation": () => admin.delete(`${bookPath}/translations/${language.id}`),
    "a second file": () => make.textFile(book.id, "en-GB", "British text"),
    "a file's name": () => admin.patch(`${bookPath}/files/${file.id}`, { fileName: "other.txt" }),
    "a file's content": () =>
      admin.upload("put", `${bookPath}/files/${file.id}`, {
        file: { bytes: Buffer.from("longer text"), name: "x.txt" },
      }),
    "a language's name": () => admin.put(`/api/admin/languages/${language.id}`, { name: "Inglish" }),
    "a publication": () => make.publish(book.id, channelId, language.id),
    "a channel that is switched off": () => admin.put(channelPath, { isActive: 0 }),
    "a channel that is back": () => admin.put(channelPath, { isActive: 1 }),
    "a publication's end": () =>
      admin.post("/api/admin/channels/publications/toggle", {
        bookId: book.id,
        channelId,
        languageCode: "en",
        isPublished: false,
      }),
    "a channel's end": () => admin.delete(channelPath),
    "a hidden book": () => make.override(sub.id, book.id, false),
    "another book": () => make.textFile(another.id, "en", "another"),
    "a file's end": () => admin.delete(`${bookPath}/files/${file.id}`),
    "an archived book": () => setActive(here, another.id, 0),
    "a book that is back": () => setActive(here, another.id, 1),
    "a language's end": () => admin.delete(`/api/admin/languages/${language.id}`),
  };
  let before = await responses(here);
  expect(await responses(there)).toEqual(before);
  for (const [what, write] of Object.entries(writes)) {
    await write();
    const after = await responses(here);
    expect(after, what).not.toEqual(before);
    expect(await responses(there), `${what}, seen from the other process`).toEqual(after);
    before = after;
  }
});

it("downloads don't change the version of the catalogue", async () => {
  const { api, make } = await startApp();
  const { book } = await make.published("A Book", "en");
  const { etag } = (await api.get("/api/books")).headers;
  const contact = { email: "reader@example.org", firstName: "Sara" };
  const request = { slug: book.slug, languageCode: "en", contact };
  const { downloadUrl } = (await api.post("/api/download/submit", request)).body;
  expect((await api.get(downloadUrl)).status).toBe(200);
  expect((await api.get("/api/books")).headers.etag).toBe(etag);
});
