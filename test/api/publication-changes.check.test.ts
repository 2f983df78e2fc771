/** Publishing and unpublishing many books in one request: all of them or none. */
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { readAuditLog } from "../support/audit-log.ts";
import { setActive } from "../support/catalogue-rows.ts";
import { expectProblem } from "../support/expect-problem.ts";

const PUBLICATIONS = "/api/admin/channels/publications";
const UNKNOWN = "01a1fb60-0000-7000-8000-000000000000";

/** Three books with Spanish files, Mexican Spanish that inherits, and two channels. */
async function start() {
  const { app, client } = await startWithAdmin();
  const spanish = await app.make.language("es");
  const mexican = await app.make.language("es-MX", { parentId: spanish.id });
  const books: { id: string; slug: string }[] = [];
  for (const title of ["Well", "Tree", "Moon"]) books.push((await app.make.published(title, "es")).book);
  const kids = await app.make.channel("Kids");
  const web = await app.make.channel("Web");
  const [well, tree, moon] = books.map(({ id }) => id);
  const put = (...changes: unknown[]) => client.put(PUBLICATIONS, { changes });
  const on = (bookId = "", more: object = {}) => ({
    bookId,
    channelId: kids.id,
    languageCode: "es",
    isPublished: true,
    ...more,
  });
  const off = (bookId = "", more: object = {}) => on(bookId, { isPublished: false, ...more });
  /** The slugs of the books that readers find on a channel. */
  const listed = async (channel: string, languageCode: string): Promise<string[]> => {
    const { body } = await app.api.get(`/api/books?channel=${channel}&languageCode=${languageCode}`);
    return body.books.map(({ slug }: { slug: string }) => slug);
  };
  const lines = async () =>
    (await readAuditLog(app)).filter(({ objectKind }) => objectKind === "publication");
  const ids = { well, tree, moon };
  return { ...app, app, client, spanish, mexican, kids, web, ...ids, put, on, off, listed, lines };
}

describe("changing many publications", () => {
  it("sets each to its state with immediate effect, and counts those that change", async () => {
    const { put, on, off, listed, well, tree, moon, web, spanish } = await start();
    expect(await listed("kids", "es")).toEqual([]);
    const first = await put(on(well), on(tree), on(well, { channelId: web.id }), off(moon));
    expect([first.status, first.body]).toEqual([200, { success: true, changed: 3 }]);
    expect([await listed("kids", "es"), await listed("web", "es")]).toEqual([["well", "tree"], ["well"]]);
    const { languageCode: _, ...place } = off(well);
    const second = await put(
      { ...place, languageId: spanish.id },
      on(tree, { languageCode: "ES" }),
      on(moon),
    );
    expect(second.body).toEqual({ success: true, changed: 2 });
    expect([await listed("kids", "es"), await listed("web", "es")]).toEqual([["tree", "moon"], ["well"]]);
  });

  it("adds an audit entry for each publication that changes, and none and no version if nothing does", async () => {
    const { app, put, on, off, well, tree, kids, spanish, lines } = await start();
    await put(on(well), on(tree));
    const version = () => app.container.database.read.selectFrom("catalogue_version").selectAll().execute();
    const before = await version();
    expect((await put(on(well), on(tree))).body.changed).toBe(0);
    expect(await version()).toEqual(before);
    await put(off(tree), on(well));
    const place = (bookId: string | undefined, side: "before" | "after") => ({
      bookId: { [side]: bookId },
      channelId: { [side]: kids.id },
      languageId: { [side]: spanish.id },
      channel: { [side]: "kids" },
      language: { [side]: "es" },
    });
    expect(await lines()).toMatchObject([
      { action: "create", objectId: well, objectName: "Well", changes: place(well, "after") },
      { action: "create", objectId: tree, objectName: "Tree", changes: place(tree, "after") },
      { action: "delete", objectId: tree, objectName: "Tree", changes: place(tree, "before") },
    ]);
  });

  it("concerns sub-languages by what they have themselves, in any order of the changes", async () => {
    const { put, on, off, well, tree, moon, listed } = await start();
    const mexican = { languageCode: "es-MX" };
    await put(on(well), on(tree));
    // The sub-language keeps the first book by a publication of its own, and loses the second one with its parent.
    const changes = [
      on(well, mexican),
      off(tree, mexican),
      off(well),
      off(tree),
      on(moon, mexican),
      on(moon),
    ];
    expect((await put(...changes)).body.changed).toBe(5);
    expect([await listed("kids", "es"), await listed("kids", "es-MX")]).toEqual([["moon"], ["well", "moon"]]);
    expect((await put(off(moon))).body.changed).toBe(1);
    expect(await listed("kids", "es-MX")).toEqual(["well", "moon"]);
    expect((await put(off(moon, mexican))).body.changed).toBe(1);
    expect(await listed("kids", "es-MX")).toEqual(["well"]);
  });

  it("takes ten thousand changes", async () => {
    const { make, put, on, off, well, tree, kids } = await start();
    const channels = [kids.id];
    const languages = ["es", "es-MX"];
    for (let number = 0; number < 49; number += 1) channels.push((await make.channel(`C ${number}`)).id);
    for (let number = 0; number < 48; number += 1) {
      const code = `en-x-l${number}`;
      await make.language(code);
      languages.push(code);
    }
    const places = [well, tree].flatMap((id) =>
      channels.flatMap((channelId) => languages.map((languageCode) => ({ id, channelId, languageCode }))),
    );
    const changes = places.slice(0, 5000).map(({ id, ...place }) => on(id, place));
    // Those in Mexican Spanish, which are inherited at the same time, too.
    const published = (await put(...changes)).body.changed;
    expect(published).toBe(5000);
    const all = places.map(({ id, ...place }) => off(id, place));
    expect(
      (
        await put(
          ...all.slice(0, 5000),
          ...changes.map((change, index) => ({ ...change, bookId: `x${index}` })),
        )
      ).status,
    ).toBe(404);
    expect((await put(...all)).body.changed).toBe(published);
  });
});

it("a list of changes of which some aren't possible is rejected with an error for each of them, and changes nothing", async () => {
  const { app, put, on, off, well, tree, moon, web, listed, lines, mexican, spanish } = await start();
  await put(on(well));
  const archive = (isActive: 0 | 1) => setActive(app, moon ?? "", isActive);
  await archive(0);
  const before = await lines();
  const rejected = async (changes: unknown[], status: number, code: string, ...errors: string[]) =>
    expectProblem(await put(...changes), status, { code, errors });
  const inherited = off(well, { languageCode: "es-MX" });
  await rejected(
    [on(tree), on(UNKNOWN), on(moon), on(tree, { channelId: UNKNOWN, languageCode: "fr" }), inherited],
    404,
    "book_not_found",
    "changes.1.bookId unknown_book",
    "changes.2.bookId archived_book",
    "changes.3.channelId unknown_channel",
    "changes.3.languageCode unknown_language",
    "changes.4.isPublished inherited_publication",
  );
  await rejected(
    [on(tree, { channelId: "kids" })],
    404,
    "channel_not_found",
    "changes.0.channelId unknown_channel",
  );
  const { languageCode: _, ...place } = on(tree);
  await rejected(
    [{ ...place, languageId: 99 }],
    404,
    "language_not_found",
    "changes.0.languageId unknown_language",
  );
  await rejected(
    [inherited, on(tree), off(moon)],
    409,
    "book_archived",
    "changes.2.bookId archived_book",
    "changes.0.isPublished inherited_publication",
  );
  await rejected(
    [on(tree), inherited, off(well, { languageCode: "es-MX", channelId: web.id })],
    409,
    "publication_inherited",
    "changes.1.isPublished inherited_publication",
  );
  await rejected(
    [
      on(tree),
      { ...place, languageId: spanish.id },
      place,
      on(tree, { languageId: mexican.id }),
      on(UNKNOWN),
    ],
    400,
    "invalid_input",
    "changes.1.bookId repeated_publication",
    "changes.2.languageCode missing_language",
    "changes.3.languageId contradiction",
    "changes.3.bookId repeated_publication",
    "changes.4.bookId unknown_book",
  );
  await archive(1);
  expect([await listed("kids", "es"), await lines()]).toEqual([["well"], before]);
});

it("concurrent lists of changes are each made as a whole, one after the other", async () => {
  const { put, on, off, well, tree, moon, listed, lines } = await start();
  const books = [well, tree, moon];
  const responses = await Promise.all(
    Array.from({ length: 9 }, (_, turn) => put(...books.map((id) => (turn % 2 === 0 ? on(id) : off(id))))),
  );
  const changed = responses.map(({ body }) => body.changed);
  for (const count of changed) expect([0, 3]).toContain(count);
  const actions = (await lines()).map(({ action }) => action);
  const lists = changed.filter((count) => count > 0).length;
  expect(actions).toEqual(
    Array.from({ length: lists }, (_, turn) => (turn % 2 === 0 ? "create" : "delete")).flatMap((action) =>
      books.map(() => action),
    ),
  );
  expect(await listed("kids", "es")).toEqual(actions.at(-1) === "create" ? ["well", "tree", "moon"] : []);
});
