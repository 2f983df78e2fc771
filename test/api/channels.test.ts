/** Channels: list, create, change, delete. */
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { readAuditLog } from "../support/audit-log.ts";
import { setActive } from "../support/catalogue-rows.ts";
import { expectProblem } from "../support/expect-problem.ts";

const CHANNELS = "/api/admin/channels";

async function start() {
  const { app, client } = await startWithAdmin();
  const all = async () => (await client.get(CHANNELS)).body.channels;
  const create = (given: Record<string, unknown>) => client.post(CHANNELS, given);
  const put = (id: string, change: unknown) => client.put(`${CHANNELS}/${id}`, change);
  return { ...app, app, client, all, create, put };
}

/** The lines of the audit log about channels. */
const lines = async (app: Parameters<typeof readAuditLog>[0]) =>
  (await readAuditLog(app)).filter(({ objectKind }) => objectKind === "channel");

it("the list of channels is ordered by position, then by age", async () => {
  const { make, clock, all } = await start();
  for (const [name, sortOrder] of Object.entries({ last: 9, tie: 0, first: -5, younger: 0 })) {
    await make.channel(name, { sortOrder });
    clock.advance(1);
  }
  const listed = await all();
  expect(listed.map(({ name }: { name: string }) => name)).toEqual(["first", "tie", "younger", "last"]);
});

it("the number of books of a channel is that of the books that readers find there, in any language, as in the list of books", async () => {
  const { app, make, client, all, put } = await start();
  const spanish = await make.language("es");
  const mexican = await make.language("es-MX", { parentId: spanish.id });
  const arabic = await make.language("ar");
  const kids = await make.channel("Kids");
  const web = await make.channel("Web");
  const counts = async () => {
    const counted = (await all()).map(({ publishedBooks }: { publishedBooks: number }) => publishedBooks);
    for (const [index, { slug }] of [kids, web].entries()) {
      const { body } = await client.get(`/api/admin/books?channel=${slug}`);
      expect([slug, body.pagination.total]).toEqual([slug, counted[index]]);
    }
    return counted;
  };
  expect(await counts()).toEqual([0, 0]);
  const { book: well } = await make.published("Well", "es");
  await make.textFile(well.id, "ar", "text");
  const { book: tree } = await make.published("Tree", "es");
  for (const language of [spanish, arabic, mexican]) await make.publish(well.id, kids.id, language.id);
  await make.publish(tree.id, kids.id, arabic.id);
  await make.publish(tree.id, web.id, mexican.id);
  // There is no Arabic file of the second book, and Mexican readers get the Spanish one.
  expect(await counts()).toEqual([1, 1]);
  await make.override(mexican.id, tree.id, false);
  expect(await counts()).toEqual([1, 0]);
  await make.publish(tree.id, web.id, spanish.id);
  expect(await counts()).toEqual([1, 1]);
  await client.put(`/api/admin/languages/${spanish.id}`, { isActive: 0 });
  expect(await counts()).toEqual([1, 0]);
  await put(kids.id, { isActive: 0 });
  expect(await counts()).toEqual([1, 0]);
  await setActive(app, well.id, 0);
  await client.put(`/api/admin/languages/${spanish.id}`, { isActive: 1 });
  expect(await counts()).toEqual([0, 1]);
});

describe("creating a channel", () => {
  it("responds with the channel, complete from its name", async () => {
    const { app, create, all } = await start();
    const response = await create({ name: " Children’s Site " });
    expect(response.status).toBe(201);
    expect(response.headers.location).toBe(`${CHANNELS}/${response.body.id}`);
    expect(response.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: "Children’s Site",
      slug: "childrens-site",
      description: "",
      url: "",
      utmSource: null,
      utmMedium: null,
      utmCampaign: null,
      bookUrl: null,
      sortOrder: 1,
      isActive: 1,
      createdAt: "2026-03-01T12:00:00.000Z",
      updatedAt: "2026-03-01T12:00:00.000Z",
      version: expect.any(String),
    });
    expect(await all()).toEqual([{ ...response.body, publishedBooks: 0 }]);
    expect(await lines(app)).toMatchObject([
      {
        action: "create",
        objectId: response.body.id,
        objectName: "Children’s Site",
        changes: { slug: { after: "childrens-site" }, isActive: { after: 1 } },
      },
    ]);
  });

  it("accepts every field", async () => {
    const { create } = await start();
    const given = {
      name: "Newsletter",
      description: "Monthly.\nFree.",
      url: "https://news.example.org/a?b=c",
      sortOrder: -3,
      isActive: 0,
    };
    expect((await create(given)).body).toMatchObject({ ...given, slug: "newsletter" });
    expect((await create({ name: "None", url: "" })).body.url).toBe("");
  });

  it("puts new channels last, even after the largest position", async () => {
    const { create } = await start();
    const placed = async (sortOrder?: number) =>
      (await create({ name: "Site", ...(sortOrder !== undefined && { sortOrder }) })).body.sortOrder;
    expect(await placed()).toBe(1);
    expect(await placed(7)).toBe(7);
    expect(await placed()).toBe(8);
    expect(await placed(2_147_483_647)).toBe(2_147_483_647);
    expect(await placed()).toBe(2_147_483_647);
  });

  it("numbers a slug that is taken, and gives a name that can't be spelled one with its hash", async () => {
    const { create } = await start();
    const slugs = [];
    for (const name of ["Kids", "KIDS!", "kids"]) slugs.push((await create({ name })).body.slug);
    expect(slugs).toEqual(["kids", "kids-2", "kids-3"]);
    const arabic = [];
    for (const name of ["موقع الأطفال", "موقع الشباب", "موقع الأطفال", "موقع 1", "Радио 1", "?!"])
      arabic.push((await create({ name })).body);
    expect(arabic.map(({ slug }) => slug)).toEqual([
      "channel-2eiz5y7p",
      expect.stringMatching(/^channel-(?!2eiz5y7p)[a-z0-9]{8}$/),
      "channel-2eiz5y7p-2",
      expect.stringMatching(/^1-[a-z0-9]{8}$/),
      expect.stringMatching(/^1-[a-z0-9]{8}$/),
      `channel-${arabic.at(-1).id.slice(-8)}`,
    ]);
    const atOnce = await Promise.all(Array.from({ length: 5 }, () => create({ name: "Web" })));
    expect(new Set(atOnce.map(({ body }) => body.slug))).toEqual(
      new Set(["web", "web-2", "web-3", "web-4", "web-5"]),
    );
  });
});

it("changing a channel changes the given fields, and keeps the slug by which the public list names the channel", async () => {
  const { app, make, clock, put, all } = await start();
  const channel = await make.channel("Kids", { url: "https://kids.example.org" });
  clock.advance(60_000);
  const response = await put(channel.id, { name: "Teens", description: "From twelve.", sortOrder: 4 });
  expect(response.status).toBe(200);
  const changed = {
    ...channel,
    name: "Teens",
    description: "From twelve.",
    sortOrder: 4,
    updatedAt: "2026-03-01T12:01:00.000Z",
    version: expect.any(String),
  };
  expect(response.body).toEqual({ success: true, channel: changed });
  expect((await put(channel.id, { url: "", isActive: 0 })).body.channel).toEqual({
    ...changed,
    url: "",
    isActive: 0,
  });
  expect(await all()).toEqual([{ ...changed, url: "", isActive: 0, publishedBooks: 0 }]);
  expect((await lines(app)).map(({ action, changes }) => [action, changes])).toMatchObject([
    ["create", {}],
    [
      "update",
      {
        name: { before: "Kids", after: "Teens" },
        description: { before: "", after: "From twelve." },
        sortOrder: { before: 1, after: 4 },
      },
    ],
    ["update", { url: { before: "https://kids.example.org", after: "" } }],
  ]);
});

it("deleting a channel deletes its publications, and no others", async () => {
  const { app, client, make, all, api } = await start();
  const language = await make.language("en");
  const { book } = await make.published("A Book", "en");
  const kids = await make.channel("Kids");
  const web = await make.channel("Web");
  for (const { id } of [kids, web]) await make.publish(book.id, id, language.id);
  const usage = async () => (await client.get(`/api/admin/languages/${language.id}`)).body.publications;
  expect(await usage()).toBe(2);

  const response = await client.delete(`${CHANNELS}/${kids.id}`);
  expect([response.status, response.body]).toEqual([200, { success: true }]);
  expect(await all()).toEqual([{ ...web, publishedBooks: 1 }]);
  expect(await usage()).toBe(1);
  expectProblem(await api.get("/api/books?channel=kids"), 404, { code: "channel_not_found" });
  expect((await api.get("/api/books?channel=web")).body.books).toHaveLength(1);
  expect((await lines(app)).at(-1)).toMatchObject({
    action: "delete",
    objectId: kids.id,
    objectName: "Kids",
    changes: { slug: { before: "kids" } },
  });
  expectProblem(await client.delete(`${CHANNELS}/${kids.id}`), 404, { code: "channel_not_found" });
  // Its slug is free again.
  expect((await make.channel("Kids")).slug).toBe("kids");
});
