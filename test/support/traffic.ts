/** Three months of readers: what they ask for and fetch, made through the interface; where they are, written as rows. */
import type { Updateable } from "kysely";
import type { DownloadEventsTable } from "../../src/db/schema.ts";
import { startApp, type TestApp } from "./app.ts";
import { AGENTS, linkTo, linkToAll } from "./reader.ts";
import { type RandomInt, seededRandom } from "./seeded-random.ts";

const HOUR = 3_600_000;
const EVENTS = 120;
const { chrome, iphone, curl, googlebot } = AGENTS;
const COUNTRIES = [
  { countryCode: "KE", countryName: "Kenya" },
  { countryCode: "IN", countryName: "India" },
  { countryCode: "BR", countryName: "Brazil" },
  { countryCode: null, countryName: null },
];

export async function trafficScene() {
  const app = await startApp();
  const { make } = app;
  const languages = {
    english: await make.language("en", { name: "English", legacyDownloadCount: 900 }),
    spanish: await make.language("es", { name: "Spanish" }),
    french: await make.language("fr", { name: "French" }),
  };
  const { book: well } = await make.published("The Well", "en");
  const { book: tree } = await make.published("The Tree", "es");
  const { book: bird } = await make.published("The Bird", "en");
  await make.textFile(well.id, "es", "pozo");
  await make.textFile(bird.id, "fr", "oiseau");
  const roll = seededRandom(20_260_301);
  await ask(app, roll, { from: 1, to: EVENTS / 2 });
  make.forgetSessions();
  // From now on a whole English download has one book more.
  await make.textFile(tree.id, "en", "tree");
  await ask(app, roll, { from: EVENTS / 2 + 1, to: EVENTS });
  await erase(app, "reader3@example.org");
  make.forgetSessions();
  return { app, languages, books: { well, tree, bird }, analyst: await make.login("analyst") };
}

/** The events from one number to another. */
async function ask(app: TestApp, roll: RandomInt, { from, to }: { from: number; to: number }): Promise<void> {
  const offers = [
    { slug: "the-well", languageCode: "en" },
    { slug: "the-well", languageCode: "es" },
    { slug: "the-tree", languageCode: "es" },
    { slug: "the-bird", languageCode: "en" },
    { slug: "the-bird", languageCode: "fr" },
  ];
  for (let id = from; id <= to; id += 1) {
    app.clock.advance(roll(40 * HOUR));
    const contact = { email: `reader${roll(9)}@example.org`, firstName: "Sara" };
    const api = app.api.with({ "User-Agent": [chrome, iphone, curl, googlebot, chrome][roll(5)] ?? "" });
    const link =
      roll(4) === 0
        ? await linkToAll(api, ["en", "es", "fr"][roll(3)] ?? "en", contact)
        : await linkTo(api, { ...offers[roll(offers.length)], contact });
    if (roll(5) < 3) await app.api.get(link, { "User-Agent": roll(2) === 0 ? iphone : chrome });
    await changeEvents(app, [id], COUNTRIES[roll(4)] ?? {});
  }
}

/** Changes events as the service does: who keeps figures of them learns of it. */
async function changeEvents(
  { container: { database } }: TestApp,
  ids: readonly number[],
  change: Updateable<DownloadEventsTable>,
): Promise<void> {
  await database.commit(async () => {
    const { writer } = database;
    await writer
      .insertInto("event_changes")
      .values(ids.map((eventId) => ({ eventId })))
      .execute();
    await writer.updateTable("download_events").set(change).where("id", "in", ids).execute();
  });
}

/** The person goes, the events stay. */
async function erase(app: TestApp, email: string): Promise<void> {
  const { database } = app.container;
  const { id } = await database.read
    .selectFrom("contacts")
    .select("id")
    .where("email", "=", email)
    .executeTakeFirstOrThrow();
  const events = await database.read
    .selectFrom("download_events")
    .select("id")
    .where("contactId", "=", id)
    .execute();
  await changeEvents(
    app,
    events.map((event) => event.id),
    { contactId: null, ipAddress: null },
  );
  await database.commit(() => database.writer.deleteFrom("contacts").where("id", "=", id).execute());
}
