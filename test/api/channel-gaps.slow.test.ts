/** The gaps of a language: books on no channel, books on channels without a file, coverage. */
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { setActive } from "../support/catalogue-rows.ts";
import { expectProblem } from "../support/expect-problem.ts";

const GAPS = "/api/admin/channels/gaps";

async function start() {
  const { app, client } = await startWithAdmin();
  const spanish = await app.make.language("es", { name: "Spanish" });
  const gaps = async (code: string) => (await client.get(`${GAPS}?languageCode=${code}`)).body;
  return { ...app, app, client, spanish, gaps };
}

const named = (book: { id: string; slug: string }, titleEn: string) => ({
  bookId: book.id,
  slug: book.slug,
  titleEn,
});

describe("the gaps of a language", () => {
  it("are none without books, by code and by id of the language", async () => {
    const { gaps, client, spanish } = await start();
    const none = {
      language: { id: spanish.id, code: "es", name: "Spanish", isActive: 1 },
      notOnAnyChannel: [],
      withoutFile: [],
      coverage: [],
    };
    expect(await gaps("es")).toEqual(none);
    expect((await client.get(`${GAPS}?languageId=${spanish.id}`)).body).toEqual(none);
  });

  it("rejects a missing, unknown or malformed language and an unknown parameter", async () => {
    const { client } = await start();
    const rejected = async (query: string, ...errors: string[]) =>
      expectProblem(await client.get(`${GAPS}${query}`), 400, { code: "invalid_input", errors });
    await rejected("", "languageCode missing_language");
    await rejected("?languageCode=fr", "languageCode unknown_language");
    await rejected(
      "?languageCode=%21&channel=x",
      "languageCode invalid_language_code",
      "channel unknown_field",
    );
  });

  it("are books with a file and no channel, and books with a channel and no file, beside the covered ones", async () => {
    const { make, spanish, gaps } = await start();
    const arabic = await make.language("ar");
    const kids = await make.channel("Kids", { sortOrder: 2 });
    const web = await make.channel("Web", { sortOrder: 1 });
    const { book: covered } = await make.published("Covered", "es");
    const { book: half } = await make.published("Half", "es");
    const { book: lonely } = await make.published("Lonely", "es");
    const empty = await make.book("Empty");
    await make.book("Neither file nor channel");
    for (const { id } of [kids, web]) {
      await make.publish(covered.id, id, spanish.id);
      await make.publish(empty.id, id, spanish.id);
    }
    await make.publish(half.id, kids.id, spanish.id);
    await make.publish(lonely.id, kids.id, arabic.id);
    expect(await gaps("es")).toEqual({
      language: { id: spanish.id, code: "es", name: "Spanish", isActive: 1 },
      notOnAnyChannel: [named(lonely, "Lonely")],
      withoutFile: [{ ...named(empty, "Empty"), channels: ["web", "kids"] }],
      coverage: [
        { channelId: web.id, name: "Web", slug: "web", published: 1, publishable: 3, percent: 33.3 },
        { channelId: kids.id, name: "Kids", slug: "kids", published: 2, publishable: 3, percent: 66.6 },
      ],
    });
    expect(await gaps("ar")).toMatchObject({
      notOnAnyChannel: [],
      withoutFile: [{ ...named(lonely, "Lonely"), channels: ["kids"] }],
      coverage: [{ published: 0, publishable: 0, percent: null }, { percent: null }],
    });
  });

  it("include active books, channels and files only", async () => {
    const { app, client, make, spanish, gaps } = await start();
    const kids = await make.channel("Kids");
    const closed = await make.channel("Closed", { isActive: 0 });
    const { book, file } = await make.published("Well", "es");
    const { book: archived } = await make.published("Archived", "es");
    await setActive(app, archived.id, 0);
    await make.publish(book.id, closed.id, spanish.id);
    const of = async () => {
      const { notOnAnyChannel, withoutFile, coverage } = await gaps("es");
      return [notOnAnyChannel.length, withoutFile.length, coverage.map(({ slug }: { slug: string }) => slug)];
    };
    expect(await of()).toEqual([1, 0, ["kids"]]);
    await make.publish(book.id, kids.id, spanish.id);
    expect(await of()).toEqual([0, 0, ["kids"]]);
    await client.patch(`/api/admin/books/${book.id}/files/${file.id}`, { isActive: 0 });
    expect(await of()).toEqual([0, 1, ["kids"]]);
  });

  it("are listed before the language is activated", async () => {
    const { client, make, spanish, gaps } = await start();
    const { book } = await make.published("Well", "es");
    await client.put(`/api/admin/languages/${spanish.id}`, { isActive: 0 });
    expect(await gaps("es")).toMatchObject({
      language: { isActive: 0 },
      notOnAnyChannel: [named(book, "Well")],
    });
  });

  it("take into account what a sub-language inherits and hides", async () => {
    const { app, make, spanish, gaps } = await start();
    const mexican = await make.language("es-MX", { parentId: spanish.id });
    const kids = await make.channel("Kids");
    const { book: inherited } = await make.published("Inherited", "es");
    const { book: own } = await make.published("Own", "es-MX");
    const { book: hidden } = await make.published("Hidden", "es");
    const empty = await make.book("Empty");
    for (const { id } of [inherited, empty]) await make.publish(id, kids.id, spanish.id);
    await app.make.override(mexican.id, hidden.id, false);
    expect(await gaps("es-MX")).toMatchObject({
      notOnAnyChannel: [named(own, "Own")],
      withoutFile: [named(empty, "Empty")],
      coverage: [{ published: 1, publishable: 2, percent: 50 }],
    });
    expect(await gaps("es")).toMatchObject({
      notOnAnyChannel: [named(hidden, "Hidden")],
      withoutFile: [named(empty, "Empty")],
      coverage: [{ published: 1, publishable: 2, percent: 50 }],
    });
    // What is hidden lacks nothing.
    await app.make.override(mexican.id, empty.id, false);
    expect((await gaps("es-MX")).withoutFile).toEqual([]);
  });

  it("have the same counts as the public list of each channel", async () => {
    const { api, make, spanish, gaps } = await start();
    const mexican = await make.language("es-MX", { parentId: spanish.id });
    const channels = [await make.channel("A"), await make.channel("B")];
    const [a = "", b = ""] = channels.map(({ id }) => id);
    const things: ((bookId: string) => Promise<unknown>)[] = [
      (bookId) => make.textFile(bookId, "es", `Texto de ${bookId}`),
      (bookId) => make.textFile(bookId, "es-MX", `Texto mexicano de ${bookId}`),
      (bookId) => make.publish(bookId, a, spanish.id),
      (bookId) => make.publish(bookId, b, mexican.id),
    ];
    // Every way in which a book may have these things.
    for (let number = 0; number < 2 ** things.length; number += 1) {
      const { id } = await make.book(`Book ${number}`);
      for (const give of things.filter((_, thing) => (number >> thing) & 1)) await give(id);
    }
    const total = async (query: string) => (await api.get(`/api/books?${query}`)).body.pagination.total;
    for (const code of ["es", "es-MX"]) {
      const { coverage } = await gaps(code);
      const shown = channels.map(({ slug }) => total(`languageCode=${code}&channel=${slug}`));
      expect(coverage.map(({ published }: { published: number }) => published)).toEqual(
        await Promise.all(shown),
      );
      expect(coverage[0].publishable).toBe(await total(`languageCode=${code}`));
    }
  });
});
