/** The report to hand on: its numbers are those of the API, its address opens it again, and it fits on four pages. */
import type { Page } from "@playwright/test";
import { z } from "zod";
import { findAccessibilityErrors } from "../../support/chromium.ts";
import { BYTES, createPicture } from "../../support/covers.ts";
import { givenEvent, openRows } from "../../support/event-rows.ts";
import { idOf } from "../../support/ids.ts";
import type { TestApp } from "../../support/service.ts";
import { expect, testOn } from "../fixtures.ts";
import { createKeyboardHand } from "../support/hands.ts";
import { link, section } from "../support/locators.ts";
import { READERS } from "../support/scenes.ts";
import { settled } from "../support/settled.ts";
import { Template } from "../support/template.ts";

const COUNTRIES = (
  "AE AF AO AR AT AU BD BE BF BG BI BJ BO BR BT BW BY CA CD CF CG CH CI CL CM CN CO CR CU CZ DE DK DO DZ EC EE EG ER " +
  "ES ET FI FR GA GB GE GH GM GN GR GT HN HR HT HU ID IE IL IN IQ IR IS IT JM JO JP KE KG KH KR KW KZ LA LB LK LR LS"
).split(" ");
const LANGUAGES =
  "af am ar az bg bn bo ca cs da de el es et fa fi fr gu ha he hi hr hu hy id is it ja ka kk km kn ko lo lt lv mk ml mn my ne".split(
    " ",
  );
const DEVICES = ["desktop", "mobile", "tablet", "tv", "console", "other"];

/** A year in which each month, and each of many countries, languages and books, has its downloads. */
const YEAR = new Template(async (app: TestApp) => {
  const client = await app.admin();
  const name = "The Library of the Villages between the Rivers and the Mountains of the North";
  await client.patch("/api/admin/library", { name });
  const languageIds: number[] = [];
  for (const code of LANGUAGES) {
    const ownNames = { name: undefined, nativeName: undefined };
    languageIds.push((await app.make.language(code, ownNames)).id);
  }
  const bookIds: string[] = [];
  for (let index = 1; index <= 12; index += 1) {
    const title = `${index}. ${"A long title of a book about the river, its villages and their people ".repeat(3)}`;
    bookIds.push((await app.make.book(title)).id);
  }
  const rows = openRows(app);
  const pick = <T>(values: readonly T[], index: number): T | undefined => values[index % values.length];
  for (let index = 0; index < 200; index += 1) {
    const day = new Date(Date.UTC(2025, index % 12, 1 + (index % 28), 12)).toISOString();
    await rows.insert(
      givenEvent(day, {
        countryCode: pick(COUNTRIES, index) ?? null,
        languageId: pick(languageIds, index) ?? 1,
        bookId: pick(bookIds, index) ?? null,
        deviceType: pick(DEVICES, index) ?? "other",
        contactId: 1 + (index % 70),
        redeemedAt: index % 3 === 0 ? Date.parse(day) : null,
      }),
    );
  }
  return {};
});

const testOnYear = testOn(YEAR);
const OF_2025 = "report?startDate=2025-01-01&endDate=2025-12-31&timezone=Africa%2FNairobi";

/** The pages of a PDF as Chromium writes it. */
const countPages = (pdf: Buffer): number => pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;

testOnYear(
  "a full year with many countries is at most four pages of A4 in each language",
  async ({ open }) => {
    for (const locale of ["en-US", "fr", "es", "pt", "ar"])
      await testOnYear.step(locale, async () => {
        const page = await open(OF_2025, { locale, colorScheme: "dark" });
        await settled(page);
        const pdf = await page.pdf({ preferCSSPageSize: true });
        expect(pdf.toString("latin1")).toMatch(/\/MediaBox \[0 0 59[456][.\d]* 84[123][.\d]*\]/);
        expect(countPages(pdf)).toBeLessThanOrEqual(4);
        expect(countPages(pdf)).toBeGreaterThan(1);
        await page.close();
      });
  },
);

const test = testOn(READERS);

/** The cells of a table, row by row, without the bars. */
async function readRows(page: Page, name: string): Promise<string[][]> {
  const rows = await section(page, name).locator("tbody tr").all();
  const read = async (row: (typeof rows)[number]) =>
    (await row.locator("td").allInnerTexts()).map((text) => text.trim()).filter((text) => text !== "");
  return Promise.all(rows.map(read));
}

const report = z.object({
  data: z.array(
    z.object({ totalDownloads: z.int(), totalBooks: z.int(), uniqueContacts: z.int(), redeemed: z.int() }),
  ),
});

/** The counts of a report, as the tables show them. */
const writeCounts = (body: unknown): string[][] =>
  report
    .parse(body)
    .data.map((row) => [row.totalDownloads, row.totalBooks, row.uniqueContacts, row.redeemed].map(String));

const contacts = z.object({
  contacts: z.array(z.object({ firstDownloadAt: z.string(), marketing: z.string() })),
});

test("a quarter is chosen by keyboard, has the numbers of the API, and opens again by its address", async ({
  scene,
  open,
}) => {
  const rows = openRows(scene);
  const [now, long] = [new Date().toISOString(), "2020-02-01T12:00:00Z"];
  for (const [time, countryCode] of [
    [now, "KE"],
    [now, "KE"],
    [now, "EG"],
    [long, "BR"],
  ] as const)
    await rows.insert(givenEvent(time, { countryCode, bookId: idOf(7), booksCount: 3 }));
  const page = await open("account");
  const hand = createKeyboardHand(page);
  await hand.press(link(page, "Report"));
  await expect(page).toHaveURL(/startDate=\d{4}-\d\d-01&endDate=/);
  await page.getByRole("combobox", { name: "Range" }).selectOption({ index: 0 });
  await expect(section(page, "Totals").getByRole("row", { name: "Downloads requested 9" })).toBeVisible();
  await settled(page);
  expect(await findAccessibilityErrors(page)).toEqual([]);

  const address = new URL(page.url());
  const query = address.searchParams;
  expect([...query.keys()].toSorted()).toEqual(["endDate", "startDate", "timezone"]);
  const client = await scene.admin();
  const read = async (path: string) => (await client.get(`/api/admin/analytics/${path}`)).body;
  const {
    downloads,
    redeemed,
    books,
    contacts: readers,
    countries,
  } = (await read(`summary?${query}`)).totals;
  expect((await readRows(page, "Totals")).map(([, count]) => count)).toEqual(
    [downloads, redeemed, books, readers, countries].map(String),
  );
  for (const [table, path] of [
    ["Downloads by month", "by-date?granularity=month&fill=true&"],
    ["Languages", "by-language?"],
    ["Countries", "by-country?"],
    ["Devices", "by-device?"],
  ] as const)
    expect([table, (await readRows(page, table)).map((cells) => cells.slice(1))]).toEqual([
      table,
      writeCounts(await read(path + query)),
    ]);
  await test.step("contacts whose first download was in the quarter", async () => {
    const listed = contacts.parse((await client.get("/api/admin/contacts")).body).contacts;
    const added = listed.filter(({ firstDownloadAt }) => firstDownloadAt > "2020");
    const agreed = added.filter(({ marketing }) => marketing === "yes");
    expect((await readRows(page, "New contacts and consents")).map(([, count]) => count)).toEqual(
      [added.length, agreed.length].map(String),
    );
  });
  await test.step("the address, opened by an analyst, who has no right to change the library", async () => {
    await client.patch("/api/admin/library", { name: "Books for the Villages" });
    const logo = { body: await createPicture("red", { width: 80, height: 40 }), headers: BYTES };
    expect((await client.call("put", "/api/admin/library/logo", logo)).status).toBe(200);
    const again = await open(`report${address.search}`, { as: "analyst" });
    await settled(again);
    expect(await readRows(again, "Totals")).toEqual(await readRows(page, "Totals"));
    const value = `${query.get("startDate")}/${query.get("endDate")}`;
    await expect(again.getByRole("combobox", { name: "Range" })).toHaveValue(value);
    expect(new URL(again.url()).search).toBe(address.search);
    await expect(again.getByText("Books for the Villages")).toBeVisible();
    // Without a picture, its element has no size.
    await expect(again.locator('img[src^="/library/logo-"]')).toBeVisible();
  });
});
