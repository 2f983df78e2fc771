/** Rules that a single writer keeps, while two instances write at the same time. */
import { expect, it } from "vitest";
import { createSystemAuthor } from "../../src/repositories/change.ts";
import type { TestApp } from "../support/app.ts";
import { RECIPE_SETTINGS } from "../support/change-recipes.ts";
import { addContacts } from "../support/contact-rows.ts";
import { BYTES, coverPathOf, createPicture } from "../support/covers.ts";
import { startInstances } from "../support/instances.ts";
import { linkTo, listContacts, listEvents } from "../support/reader.ts";
import { RECORD_CHANGES, startRecordScene } from "../support/versioned-records.ts";

const ROUNDS = 8;
const ADMIN = createSystemAuthor("test");
type Instances = readonly [TestApp, TestApp];

/** The same at both instances at once; the number of those that succeed. */
async function atBoth(
  [one, another]: Instances,
  work: (app: TestApp, index: 0 | 1) => Promise<unknown>,
): Promise<number> {
  const settled = await Promise.allSettled([work(one, 0), work(another, 1)]);
  return settled.filter(({ status }) => status === "fulfilled").length;
}

async function catalogue() {
  const instances = await startInstances();
  const [one] = instances;
  await one.make.language("en");
  return { instances, one };
}

it("two administrators who demote each other leave one administrator", async () => {
  const instances = await startInstances();
  for (let round = 0; round < ROUNDS; round++) {
    const admins = [await instances[0].make.user("admin"), await instances[0].make.user("admin")] as const;
    const demote = ({ container }: TestApp, index: 0 | 1) =>
      container.services.users.update(ADMIN, admins[index].id, { role: "viewer" });
    expect(await atBoth(instances, demote)).toBe(1);
    const { services } = instances[0].container;
    for (const { id } of admins) await services.users.update(ADMIN, id, { role: "admin" });
    await services.users.delete(ADMIN, admins[0].id);
    const { database } = instances[0].container;
    await database.commit(async () => {
      await database.writer.deleteFrom("users").where("id", "=", admins[1].id).execute();
    });
  }
});

it("concurrent requests never give a sub-language sub-languages", async () => {
  const { instances, one } = await catalogue();
  for (let round = 0; round < ROUNDS; round++) {
    const [top, middle, low] = await Promise.all(
      ["a", "b", "c"].map((end) => one.make.language(`en-x-${end}${round}`)),
    );
    if (!top || !middle || !low) throw new Error("No languages");
    const changes = [
      { id: middle.id, parentId: top.id },
      { id: low.id, parentId: middle.id },
    ] as const;
    const nested = await atBoth(instances, ({ container }, index) => {
      const { id, parentId } = changes[index];
      return container.services.languages.update(ADMIN, id, { parentId });
    });
    expect(nested).toBe(1);
  }
});

it("concurrent requests of a new reader create one contact, which counts all of them", async () => {
  const { instances, one } = await catalogue();
  await one.make.published("Well", "en");
  for (let round = 0; round < ROUNDS; round++) {
    const contact = { email: `reader${round}@example.org`, firstName: "Sara" };
    const asks = ({ api }: TestApp) =>
      Promise.all(
        Array.from({ length: 4 }, () => linkTo(api, { slug: "well", languageCode: "en", contact })),
      );
    expect(await atBoth(instances, asks)).toBe(2);
  }
  const contacts = await listContacts(one);
  expect(contacts).toHaveLength(ROUNDS);
  expect(contacts.map(({ totalDownloads }) => totalDownloads)).toEqual(Array(ROUNDS).fill(8));
  expect(await listEvents(one)).toHaveLength(8 * ROUNDS);
});

it("concurrent requests leave one active file per language and type, and one cover per language", async () => {
  const { instances, one } = await catalogue();
  const [admin] = await Promise.all(instances.map(({ make }) => make.login("admin")));
  if (!admin) throw new Error("No administrator");
  const book = await one.make.book("Well");
  const image = await createPicture("red");
  for (let round = 0; round < ROUNDS; round++) {
    const upload = ({ make }: TestApp, index: 0 | 1) =>
      make.textFile(book.id, "en", `text ${round} ${index}`);
    expect(await atBoth(instances, upload)).toBe(2);
    const path = coverPathOf(book.id, round % 2 === 0 ? "default" : "en");
    await admin.delete(path);
    const putCover = async ({ make }: TestApp) => {
      const response = await (await make.login("admin")).call("put", path, { headers: BYTES, body: image });
      expect(response.status).toBeLessThan(300);
    };
    expect(await atBoth(instances, putCover)).toBe(2);
  }
  const { read } = one.container.database;
  const active = await read.selectFrom("book_files").select("id").where("isActive", "=", 1).execute();
  expect(active).toHaveLength(1);
  const covers = await read.selectFrom("covers").select("languageId").execute();
  expect(covers).toHaveLength(2);
});

it("concurrent new books get different positions at the end", async () => {
  const { instances, one } = await catalogue();
  await Promise.all(instances.map(({ make }) => make.login("admin")));
  for (let round = 0; round < ROUNDS; round++) {
    expect(await atBoth(instances, ({ make }, index) => make.book(`Book ${round} ${index}`))).toBe(2);
  }
  const rows = await one.container.database.read.selectFrom("books").select("sortOrder").execute();
  expect(new Set(rows.map(({ sortOrder }) => sortOrder)).size).toBe(2 * ROUNDS);
});

it("opposite orders of the same books don't deadlock", async () => {
  const { instances, one } = await catalogue();
  const ids: string[] = [];
  for (let index = 0; index < 20; index++) ids.push((await one.make.book(`Book ${index}`)).id);
  for (let round = 0; round < ROUNDS; round++) {
    const reorder = ({ container }: TestApp, index: 0 | 1) =>
      container.services.bookOrder.reorder(ADMIN, { bookIds: index === 0 ? ids : ids.toReversed() });
    expect(await atBoth(instances, reorder)).toBe(2);
  }
  const rows = await one.container.database.read
    .selectFrom("books")
    .select("id")
    .orderBy("sortOrder")
    .execute();
  const order = rows.map(({ id }) => id);
  expect([ids, ids.toReversed()]).toContainEqual(order);
});

it("an erased reader leaves no address, regardless of concurrent requests and redemptions", async () => {
  const { instances, one } = await catalogue();
  await one.make.published("Well", "en");
  for (let round = 0; round < ROUNDS; round++) {
    const contact = { email: `reader${round}@example.org`, firstName: "Sara" };
    const request = { slug: "well", languageCode: "en", contact };
    const link = await linkTo(one.api, request);
    const [{ publicId = "" } = {}] = (await listContacts(one)).filter(({ email }) => email === contact.email);
    await atBoth(instances, async ({ container, api }, index) => {
      if (index === 0) return container.services.contactErasure.erase(ADMIN, publicId);
      await Promise.all([api.get(link), linkTo(api, request)]);
    });
    // A request that came after the erasure has made a new contact.
    const known = (await listContacts(one)).map(({ id }) => id);
    const ofNobody = (await listEvents(one)).filter(({ contactId }) => !known.includes(contactId ?? -1));
    expect(ofNobody.filter(({ ipAddress }) => ipAddress !== null)).toEqual([]);
    const remaining = (await listContacts(one)).filter((each) => each.publicId === publicId);
    expect(remaining).toEqual([]);
  }
});

it("a contact that retention deletes as idle isn't lost by a request of the same reader", async () => {
  const instances = await startInstances({ EVENT_RETENTION_DAYS: "7" });
  const [one] = instances;
  await one.make.published("Well", "en");
  const longAgo = one.clock.now() - 30 * 86_400_000;
  for (let round = 0; round < ROUNDS; round++) {
    const email = `reader${round}@example.org`;
    const span = { firstDownloadAt: longAgo, lastDownloadAt: longAgo, totalDownloads: 1 };
    await addContacts(one, [{ email, events: [], ...span }]);
    const both = await atBoth(instances, ({ container, api }, index) =>
      index === 0
        ? container.retention.run()
        : linkTo(api, { slug: "well", languageCode: "en", contact: { email, firstName: "Sara" } }),
    );
    expect(both).toBe(2);
    const [contact] = (await listContacts(one)).filter((each) => each.email === email);
    const events = (await listEvents(one)).filter(({ contactId }) => contactId === contact?.id);
    expect(events).toHaveLength(1);
    // As a new contact, or as the known one.
    expect([1, 2]).toContain(contact?.totalDownloads);
  }
});

it("requests and publications in a language that is deleted leave exact reports, and no publication", async () => {
  const instances = await startInstances();
  const [one, another] = instances;
  const admins = [await one.admin(), await another.admin()] as const;
  const { book } = await one.make.published("Well", "en");
  const channel = await one.make.channel("Web");
  for (let round = 0; round < ROUNDS; round++) {
    const code = `en-x-r${round}`;
    const { id } = await one.make.language(code);
    await one.make.textFile(book.id, code, `text ${round}`);
    await linkTo(one.api, { slug: "well", languageCode: code });
    const place = { bookId: book.id, channelId: channel.id, languageId: id, isPublished: true };
    const contact = { email: "reader@example.org", firstName: "Sara" };
    const work = [
      () => admins[0].delete(`/api/admin/languages/${id}?mode=delete_all`),
      () => admins[1].post("/api/admin/channels/publications/toggle", place),
      () => another.api.post("/api/download/submit", { slug: "well", languageCode: code, contact }),
    ];
    const [deleted, ...others] = await Promise.all(work.map((each) => each()));
    expect(deleted?.status).toBe(200);
    for (const { status } of others) expect([200, 400, 404]).toContain(status);
    const count = (await listEvents(one)).length;
    for (const admin of admins) {
      const { body } = await admin.get("/api/admin/analytics/summary");
      expect(body).toMatchObject({ funnel: { requested: count } });
    }
  }
  const { read } = one.container.database;
  expect(await read.selectFrom("publications").select("languageId").execute()).toEqual([]);
});

it.each(RECORD_CHANGES.filter(({ method }) => method === "patch" || method === "post"))(
  "of 64 changes of a $noun that are based on the same version, one is made",
  async (change) => {
    const [one, another] = await startInstances(RECIPE_SETTINGS);
    const { change: send, read } = await startRecordScene(one);
    const clients = [await one.admin(), await another.admin()];
    const headers = { "If-Match": `"${(await read(change.noun))?.version}"` };
    const responses = await Promise.all(
      Array.from({ length: 64 }, (_, index) => send(change, headers, `value ${index}`, clients[index % 2])),
    );
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(63).fill(412)]);
  },
);
