/** Publishing a book on a channel in a language, and taking it off. */
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { readAuditLog } from "../support/audit-log.ts";
import { setActive } from "../support/catalogue-rows.ts";
import { expectProblem } from "../support/expect-problem.ts";

const TOGGLE = "/api/admin/channels/publications/toggle";

/** A book with files in Spanish and Arabic, Mexican Spanish that inherits, and two channels. */
async function start() {
  const { app, client, api, make } = await startWithAdmin();
  const spanish = await make.language("es");
  const arabic = await make.language("ar");
  const mexican = await make.language("es-MX", { parentId: spanish.id });
  const { book } = await make.published("Well", "es");
  await make.textFile(book.id, "ar", "بئر");
  const kids = await make.channel("Kids");
  const web = await make.channel("Web");
  const place = { bookId: book.id, channelId: kids.id, languageCode: "es" };
  const toggle = (more: Record<string, unknown> = {}) => client.post(TOGGLE, { ...place, ...more });
  /** Whether the public list of a channel shows the book in a language. */
  const shows = async (channel: string, languageCode: string): Promise<boolean> => {
    const { body } = await api.get(`/api/books?channel=${channel}&languageCode=${languageCode}`);
    return body.books.length === 1;
  };
  const lines = async () =>
    (await readAuditLog(app)).filter(({ objectKind }) => objectKind === "publication");
  return { ...app, app, client, spanish, arabic, mexican, book, kids, web, place, toggle, shows, lines };
}

describe("publishing a book on a channel", () => {
  it("toggles without isPublished, with immediate effect on the public list of that channel and language", async () => {
    const { toggle, shows, api } = await start();
    const details = (await api.get("/api/books/well")).headers.etag;
    const shown = async () => [
      await shows("kids", "es"),
      await shows("kids", "ar"),
      await shows("web", "es"),
    ];
    const on = await toggle();
    expect([on.status, on.body]).toEqual([200, { success: true, isPublished: true }]);
    expect(await shown()).toEqual([true, false, false]);
    expect((await toggle()).body).toEqual({ success: true, isPublished: false });
    expect(await shown()).toEqual([false, false, false]);
    // Channels concern their lists alone.
    expect((await api.get("/api/books?languageCode=es")).body.books).toHaveLength(1);
    expect((await api.get("/api/books/well")).headers.etag).toBe(details);
  });

  it("sets the state with isPublished, and is idempotent", async () => {
    const { toggle, shows } = await start();
    for (const isPublished of [false, true, true, false, false]) {
      expect((await toggle({ isPublished })).body).toEqual({ success: true, isPublished });
      expect(await shows("kids", "es")).toBe(isPublished);
    }
  });

  it("accepts the language by code in any case, by id, or by both", async () => {
    const { client, place, arabic, shows } = await start();
    const { bookId, channelId } = place;
    const ways = [
      { languageId: arabic.id },
      { languageCode: "AR" },
      { languageId: arabic.id, languageCode: "ar" },
    ];
    for (const [index, way] of ways.entries()) {
      const { body } = await client.post(TOGGLE, { bookId, channelId, ...way });
      expect(body.isPublished).toBe(index % 2 === 0);
      expect(await shows("kids", "ar")).toBe(index % 2 === 0);
    }
  });

  it("adds one entry to the audit log if something changed, and otherwise neither an entry nor a version", async () => {
    const { toggle, lines, book, kids, spanish, app } = await start();
    const version = () => app.container.database.read.selectFrom("catalogue_version").selectAll().execute();
    await toggle({ isPublished: true });
    const before = await version();
    await toggle({ isPublished: true });
    expect(await version()).toEqual(before);
    await toggle();
    await toggle({ isPublished: false });
    const place = {
      bookId: book.id,
      channelId: kids.id,
      languageId: spanish.id,
      channel: "kids",
      language: "es",
    };
    const as = (side: "before" | "after") =>
      Object.fromEntries(Object.entries(place).map(([field, value]) => [field, { [side]: value }]));
    expect(await lines()).toMatchObject([
      { action: "create", objectId: book.id, objectName: "Well", changes: as("after") },
      { action: "delete", objectId: book.id, objectName: "Well", changes: as("before") },
    ]);
  });

  it("toggles once for each of several concurrent requests", async () => {
    const { toggle, shows, lines } = await start();
    const responses = await Promise.all(Array.from({ length: 7 }, () => toggle()));
    const said = responses.map(({ body }) => body.isPublished);
    expect(said.filter(Boolean)).toHaveLength(4);
    expect(await shows("kids", "es")).toBe(true);
    expect((await lines()).map(({ action }) => action)).toEqual([
      "create",
      "delete",
      "create",
      "delete",
      "create",
      "delete",
      "create",
    ]);
  });

  it("rejects an archived book with 409", async () => {
    const { app, toggle, book, shows, lines } = await start();
    await toggle();
    await setActive(app, book.id, 0);
    for (const isPublished of [true, false, undefined])
      expectProblem(await toggle({ isPublished }), 409, { code: "book_archived" });
    await setActive(app, book.id, 1);
    expect([await shows("kids", "es"), (await lines()).length]).toEqual([true, 1]);
  });

  it("keeps the publications of a deactivated channel and language", async () => {
    const { client, toggle, kids, spanish, api, shows } = await start();
    const put = (path: string, isActive: 0 | 1) => client.put(path, { isActive });
    const [channel, language] = [`/api/admin/channels/${kids.id}`, `/api/admin/languages/${spanish.id}`];
    await put(channel, 0);
    await put(language, 0);
    expect((await toggle()).body.isPublished).toBe(true);
    await put(language, 1);
    expectProblem(await api.get("/api/books?channel=kids"), 404, { code: "channel_not_found" });
    await put(channel, 1);
    expect(await shows("kids", "es")).toBe(true);
  });
});

describe("publishing in a sub-language", () => {
  it("changes the sub-language only", async () => {
    const { toggle, shows } = await start();
    expect((await toggle({ languageCode: "es-MX" })).body.isPublished).toBe(true);
    expect([await shows("kids", "es-MX"), await shows("kids", "es")]).toEqual([true, false]);
    expect((await toggle({ languageCode: "es-MX" })).body.isPublished).toBe(false);
    expect(await shows("kids", "es-MX")).toBe(false);
  });

  it("can't unpublish what it only inherits: 409", async () => {
    const { toggle, shows, lines } = await start();
    const mexican = { languageCode: "es-MX" };
    await toggle();
    for (const isPublished of [false, undefined])
      expectProblem(await toggle({ ...mexican, isPublished }), 409, { code: "publication_inherited" });
    expect([await shows("kids", "es-MX"), (await lines()).length]).toEqual([true, 1]);
    await toggle();
    expect(await shows("kids", "es-MX")).toBe(false);
  });

  it("keeps its own publication when the parent's goes, in whichever order they were added", async () => {
    for (const isParentFirst of [true, false]) {
      const { toggle, shows } = await start();
      const mexican = { languageCode: "es-MX", isPublished: true };
      if (isParentFirst) await toggle();
      expect((await toggle(mexican)).body.isPublished).toBe(true);
      if (!isParentFirst) await toggle();
      await toggle({ isPublished: false });
      expect([await shows("kids", "es-MX"), await shows("kids", "es")]).toEqual([true, false]);
      expect((await toggle({ languageCode: "es-MX" })).body.isPublished).toBe(false);
      expect(await shows("kids", "es-MX")).toBe(false);
    }
  });

  it("removes its own publication while the parent's stays", async () => {
    const { toggle, shows, lines } = await start();
    await toggle();
    const mexican = { languageCode: "es-MX" };
    await toggle({ ...mexican, isPublished: true });
    expect((await toggle({ ...mexican, isPublished: true })).body.isPublished).toBe(true);
    expect((await lines()).length).toBe(2);
    const removed = await toggle(mexican);
    expect(removed.status).toBe(200);
    expect(removed.body.isPublished).toBe(true);
    expect(await shows("kids", "es-MX")).toBe(true);
    expectProblem(await toggle(mexican), 409, { code: "publication_inherited" });
    await toggle({ isPublished: false });
    expect(await shows("kids", "es-MX")).toBe(false);
  });
});
