/** What a stranger's campaigns take of the thread that counts: each form can name another one, as long as it likes. */
import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { z } from "zod";

const EVENTS = 40_000;

const moduleAt = (name: string): string =>
  JSON.stringify(new URL(`../../../src/repositories/event-counts/${name}.ts`, import.meta.url).href);

/** Adds events whose campaigns are as long as forms can make them, in two bytes a character. */
const SCRIPT = `(async () => {
  const { EventColumns } = await import(${moduleAt("event-columns")});
  const { createResponse } = await import(${moduleAt("count-query")});
  const { countCampaigns } = await import(${moduleAt("campaign-counts")});
  const columns = new EventColumns();
  const long = "ж".repeat(190);
  const event = {
    downloadedAt: 0, redeemedAt: null, bookId: "book", archiveId: null, archivedAt: null, booksCount: 1,
    languageId: 1, countryCode: null, deviceType: "", isBot: 0, fileType: "epub",
  };
  const add = (id, utmCampaign) => {
    const campaign = { utmSource: long + id, utmMedium: long + -id, utmCampaign };
    columns.add({ ...event, ...campaign, id, contactId: id % 1000 || null }, () => []);
    columns.mergeIfFull(true);
  };
  for (let id = 1; id <= ${EVENTS}; id += 1) add(id, long);
  for (let id = 1; id <= 5; id += 1) add(id, long);
  const { arrayBuffers } = process.memoryUsage();
  const filter = { includeBots: false };
  const { keys, others } = countCampaigns(columns, { by: "campaign", limit: 7, filter });
  const named = { ...filter, utmSource: long + 5, utmCampaign: long };
  const { downloads } = createResponse(columns, { by: "everything", filter: named });
  require("node:worker_threads").parentPort.postMessage({ arrayBuffers, keys, others, named: downloads[0] });
})()`;

const reported = z.object({
  arrayBuffers: z.number(),
  keys: z.array(z.number()),
  others: z.object({ groups: z.number(), downloads: z.number(), books: z.number(), contacts: z.number() }),
  named: z.number(),
});

it("campaigns take no heap and at most 130 bytes each besides their events, and are counted exactly", async () => {
  // Their texts alone would take 48 megabytes.
  const worker = new Worker(SCRIPT, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 32 } });
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  worker.once("message", resolve).once("error", reject);
  const { arrayBuffers, ...counts } = reported.parse(await promise);
  expect(counts).toEqual({
    keys: [1, 2, 3, 4, 5, 6, 7],
    others: { groups: EVENTS - 7, downloads: EVENTS - 7, books: EVENTS - 7, contacts: 999 },
    named: 2,
  });
  expect(arrayBuffers).toBeLessThan(160 * EVENTS);
});
