/** The log of downloads in the console: its filters, its range and time zone, and its file. */
import { givenEvent, openRows } from "../../support/event-rows.ts";
import { readCsv } from "../../support/read-csv.ts";
import { listContacts } from "../../support/reader.ts";
import { expect, testOn } from "../fixtures.ts";
import { takeText } from "../support/downloads.ts";
import { createKeyboardHand } from "../support/hands.ts";
import { button, link, list } from "../support/locators.ts";
import { READERS, type WellScene } from "../support/scenes.ts";

const test = testOn(READERS);

const HOUR = 3_600_000;
const MINUTE = 60_000;

/** Last month begins in Nairobi three hours before it does in UTC. */
function findLastMonthInNairobi() {
  const here = new Date(Date.now() + 3 * HOUR);
  const begin = (months: number) =>
    Date.UTC(here.getUTCFullYear(), here.getUTCMonth() + months, 1) - 3 * HOUR;
  return { from: begin(-1), until: begin(0) };
}

/** Two downloads of Sara at the ends of the month, and one just before and after it. */
async function addDownloads(scene: WellScene, { from, until }: { from: number; until: number }) {
  const sara = (await listContacts(scene)).find(({ email }) => email === "sara@example.org");
  const rows = openRows(scene);
  for (const [bookTitle, time] of [
    ["The month before", from - MINUTE],
    ["First", from],
    ["Last", until - MINUTE],
    ["This month", until],
  ] as const)
    await rows.insert({
      ...givenEvent(new Date(time).toISOString(), { contactId: sara?.id ?? null }),
      ...{ bookTitle, languageCode: "es" },
    });
}

test("of last month in Nairobi's time are shown and exported, by keyboard", async ({ scene, open }) => {
  const { from, until } = findLastMonthInNairobi();
  await addDownloads(scene, { from, until });
  const page = await open("account");
  const hand = createKeyboardHand(page);
  await hand.press(link(page, "Downloads"));
  await expect(page.getByText("10 downloads", { exact: true })).toBeVisible();
  await hand.choose(list(page, "Time zone"), "Africa/Nairobi");
  await hand.choose(list(page, "Range"), "Last month");
  await expect(page.getByText("2 downloads", { exact: true })).toBeVisible();
  const query = new URL(page.url()).searchParams;
  expect(query.get("timezone")).toBe("Africa/Nairobi");
  expect(query.get("range")).toBe("lastMonth");
  await expect(page.getByRole("row").filter({ hasText: "sara@example.org" })).toHaveText([/Last/, /First/]);
  const csv = readCsv(await takeText(hand, page, link(page, "Export as CSV")));
  const [columns = [], ...records] = csv;
  const cells = (name: string) => records.map((record) => record[columns.indexOf(name)]);
  expect(cells("bookTitle").sort()).toEqual(["First", "Last"]);
  expect(cells("contactEmail")).toEqual(["sara@example.org", "sara@example.org"]);
  for (const time of cells("downloadedAt")) {
    expect(time).toMatch(/\+03:00$/);
    expect(Date.parse(time ?? "")).toBeGreaterThanOrEqual(from);
    expect(Date.parse(time ?? "")).toBeLessThan(until);
  }
});

test("are filtered by what the API filters by, and lead to contact and book", async ({ scene, open }) => {
  const page = await open("downloads?isRedeemed=true");
  await expect(page.getByText("1 download", { exact: true })).toBeVisible();
  await list(page, "Link").selectOption("");
  await expect(page.getByText("6 downloads")).toBeVisible();
  await page.getByRole("textbox", { name: "Campaign" }).fill("spring");
  await expect(page).toHaveURL(/utmCampaign=spring/);
  await expect(page.getByText("1 download", { exact: true })).toBeVisible();
  await link(page, "Sara Núñez").click();
  await link(page, "Filter and export them").click();
  await expect(page).toHaveURL(new RegExp(`contactId=${scene.readers.sara}`));
  await expect(page.getByText("2 downloads")).toBeVisible();
  await button(page, "Show those of everyone").click();
  await expect(page.getByText("6 downloads")).toBeVisible();
  await button(page, "More filters").click();
  await list(page, "Device").selectOption({ label: "Television" });
  await expect(page.getByText("No download matches these filters.")).toBeVisible();
});
