/** What the log of download events and its export can be limited to besides the filters of reports. */
import { describe, expect, it } from "vitest";
import { startApp } from "../support/app.ts";
import type { Client } from "../support/client.ts";
import { addContacts, EVENT, type GivenEvent } from "../support/contact-rows.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { readCsv } from "../support/read-csv.ts";
import { listContacts } from "../support/reader.ts";

const PATH = "/api/admin/analytics/downloads";

/** The numbers of the events that the log lists and the export contains, which must be the same. */
async function found(analyst: Client, query: Readonly<Record<string, string>>): Promise<number[]> {
  const parameters = new URLSearchParams(query);
  const { status, body } = await analyst.get(`${PATH}?${parameters}`);
  expect(status, JSON.stringify(body)).toBe(200);
  const listed = body.downloads.map(({ id }: { id: string }) => Number(id));
  expect(body.pagination.total).toBe(listed.length);
  const exported = await analyst.get(`${PATH}/export?${parameters}`);
  const [, ...records] = readCsv(exported.body.toString());
  expect(records.map(([id]) => Number(id))).toEqual(listed);
  return listed;
}

const of = (bookTitle: string, more: GivenEvent = {}): GivenEvent => ({ bookTitle, ...more });

/** Events 1 to 3 are of Ann, 4 and 5 of Łukasz. */
async function scene() {
  const app = await startApp();
  const campaign = { utmSource: "news", utmMedium: "email", utmCampaign: "Spring, 100%" };
  const [ann = "", lukasz = ""] = await addContacts(app, [
    {
      email: "ann.well@example.org",
      events: [of("The Deep Well"), of("Crème Brûlée", campaign), of("100% Cotton_Wool", { isBot: 1 })],
    },
    {
      email: "lukasz@books.example",
      events: [
        of("The Deep Well", { redeemedAt: 1, fileType: "epub" }),
        of("All books", { fileType: "zip" }),
      ],
    },
  ]);
  return { app, ann, lukasz, analyst: await app.make.login("analyst") };
}

describe("the log of download events and its export", () => {
  it("filter by format, campaign and redemption", async () => {
    const { analyst } = await scene();
    expect(await found(analyst, { fileType: "zip" })).toEqual([5]);
    expect(await found(analyst, { utmSource: "news" })).toEqual([2]);
    expect(await found(analyst, { utmCampaign: "Spring, 100%", utmMedium: "email" })).toEqual([2]);
    expect(await found(analyst, { utmCampaign: "spring, 100%" })).toEqual([]);
    expect(await found(analyst, { isRedeemed: "true" })).toEqual([4]);
    expect(await found(analyst, { isRedeemed: "false", includeBots: "true" })).toEqual([5, 3, 2, 1]);
    expect(await found(analyst, { utmSource: "" })).toEqual([5, 4, 2, 1]);
  });

  it("filter by contact", async () => {
    const { analyst, ann, lukasz } = await scene();
    expect(await found(analyst, { contactId: ann })).toEqual([2, 1]);
    expect(await found(analyst, { contactId: ann, includeBots: "true" })).toEqual([3, 2, 1]);
    expect(await found(analyst, { contactId: lukasz, fileType: "epub" })).toEqual([4]);
    expect(await found(analyst, { contactId: "unknown" })).toEqual([]);
  });

  it("find words in titles and e-mail addresses, regardless of case and accents", async () => {
    const { analyst } = await scene();
    expect(await found(analyst, { search: "creme BRULEE" })).toEqual([2]);
    expect(await found(analyst, { search: "brûlée" })).toEqual([2]);
    expect(await found(analyst, { search: "well" })).toEqual([4, 2, 1]);
    expect(await found(analyst, { search: "deep ann.well@" })).toEqual([1]);
    expect(await found(analyst, { search: "lukasz all" })).toEqual([5]);
    expect(await found(analyst, { search: "e", includeBots: "true" })).toEqual([5, 4, 3, 2, 1]);
    expect(await found(analyst, { search: "unknown" })).toEqual([]);
    for (const search of ["%", "_", "100%", "cotton_wool", "'"])
      expect(await found(analyst, { search, includeBots: "true" }), search).toEqual(
        search === "'" ? [] : [3],
      );
  });

  it("find a word of most addresses, but not in events whose contact is erased", async () => {
    const { app, analyst, lukasz } = await scene();
    expect(await found(analyst, { search: "example" })).toEqual([5, 4, 2, 1]);
    expect(await found(analyst, { search: "ann" })).toEqual([2, 1]);
    expect(await (await app.admin()).delete(`/api/admin/contacts/${lukasz}`)).toMatchObject({ status: 200 });
    expect(await found(analyst, { search: "example" })).toEqual([2, 1]);
    expect(await found(analyst, { search: "example well" })).toEqual([2, 1]);
    expect(await found(analyst, { search: "well" })).toEqual([4, 2, 1]);
  });

  it("have the total of a search also on pages behind the last one", async () => {
    const { analyst } = await scene();
    for (const [page, ids] of [
      [1, ["4"]],
      [3, ["1"]],
      [4, []],
    ] as const) {
      const { body } = await analyst.get(`${PATH}?search=well&limit=1&page=${page}`);
      expect(body.downloads.map(({ id }: { id: string }) => id)).toEqual(ids);
      expect(body.pagination.total).toBe(3);
    }
  });

  it("find the title of an event that has just been recorded", async () => {
    const { app, analyst } = await scene();
    expect(await found(analyst, { search: "moon" })).toEqual([]);
    await addContacts(app, [{ events: [of("Half a Moon")] }]);
    expect(await found(analyst, { search: "moon" })).toEqual([6]);
    expect(await found(analyst, { search: "half" })).toEqual([6]);
  });

  it("reject more titles than a statement can name", async () => {
    const { app, analyst } = await scene();
    const [first] = await listContacts(app);
    const { writer } = app.container.database;
    const titled = (kind: string, from: number) =>
      Array.from({ length: 500 }, (_, book) => ({
        ...EVENT,
        ...of(`${kind} ${from + book}`),
        contactId: first?.id ?? null,
        downloadedAt: app.clock.now(),
      }));
    await app.container.database.commit(async () => {
      for (const kind of ["Red", "Blue"])
        for (let from = 0; from < 10_500; from += 500)
          await writer.insertInto("download_events").values(titled(kind, from)).execute();
    });
    for (const path of [PATH, `${PATH}/export`]) {
      const rejected = await analyst.get(`${path}?search=red`);
      expectProblem(rejected, 400, { code: "invalid_input", errors: ["search too_many_titles"] });
    }
    const { body } = await analyst.get(`${PATH}?search=ann.well&limit=1`);
    expect(body.pagination.total).toBe(21_002);
  });

  it("report all errors of these filters", async () => {
    const { analyst } = await scene();
    const long = "x".repeat(201);
    const odd = `fileType=exe&isRedeemed=2&utmSource=${long}&contactId=${long}&search=${long}`;
    for (const path of [PATH, `${PATH}/export`])
      expectProblem(await analyst.get(`${path}?${odd}`), 400, {
        errors: [
          "fileType invalid_value",
          "utmSource too_big",
          "isRedeemed invalid_value",
          "contactId too_big",
          "search too_big",
        ],
      });
    expectProblem(await analyst.get("/api/admin/analytics/by-device?contactId=1&search=a"), 400, {
      errors: ["contactId unknown_field", "search unknown_field"],
    });
  });
});
