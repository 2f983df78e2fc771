/** The start page: its counts are those of the reports, its range and time zone stand in the address, its tables can be saved. */
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { unavailable } from "../../../src/errors.ts";
import { givenEvent, openRows } from "../../support/event-rows.ts";
import { idOf } from "../../support/ids.ts";
import type { TestApp } from "../../support/service.ts";
import { expect, testOn, testOnStandIn } from "../fixtures.ts";
import { section } from "../support/locators.ts";
import { EMPTY, WELL, type WellScene } from "../support/scenes.ts";
import { Template } from "../support/template.ts";

const MARCH = "?startDate=2026-03-01&endDate=2026-03-31&timezone=UTC";
const APRIL = "?startDate=2026-04-01&endDate=2026-04-30&timezone=UTC";
const MAY = "?startDate=2026-05-01&endDate=2026-05-31&timezone=UTC";

/** Downloads of three months: two in March, one in April, and of many books and campaigns in May. */
const DOWNLOADS = new Template(async (app: TestApp) => {
  const rows = openRows(app);
  const used = { redeemedAt: Date.parse("2026-03-10T12:01:00Z"), countryCode: "KE" };
  await rows.insert(givenEvent("2026-03-10T12:00:00Z", used));
  await rows.insert(givenEvent("2026-03-11T12:00:00Z", { countryCode: "EG", deviceType: "mobile" }));
  // The 1st of March in Nairobi.
  await rows.insert(givenEvent("2026-02-28T22:00:00Z", { countryCode: "KE" }));
  await rows.insert(givenEvent("2026-02-20T12:00:00Z"));
  await rows.insert(givenEvent("2026-04-10T12:00:00Z", { countryCode: "KE" }));
  for (let index = 0; index < 12; index += 1) {
    const campaign = { utmCampaign: `campaign ${index}` };
    await rows.insert(givenEvent("2026-05-10T12:00:00Z", { bookId: idOf(index % 11), ...campaign }));
  }
  return {};
});

const test = testOn(DOWNLOADS);
const testOnBooks = testOn(WELL);
const testOnNothing = testOn(EMPTY);
const testOnExamples = testOnStandIn();

/** Saves a table as CSV. @returns its name and its lines */
async function save(page: Page, table: string) {
  const button = page.getByRole("button", { name: `${table}: save as CSV` });
  const [file] = await Promise.all([page.waitForEvent("download"), button.click()]);
  const text = await readFile(await file.path(), "utf8");
  return { name: file.suggestedFilename(), text, lines: text.trimEnd().split("\r\n") };
}

test("counts what the range contains, in the time zone, beside the range before", async ({ open }) => {
  const page = await open(MARCH);
  await expect(page.getByText("2 downloads requested; 1 link was used, 50%.")).toBeVisible();
  await expect(
    page.getByText("Mar 1, 2026 to Mar 31, 2026: 2 downloads, after 2 in the range before."),
  ).toBeVisible();
  await test.step("the way from the form to the book, and the latest downloads", async () => {
    const way = await save(page, "From the form to the book");
    expect(way.lines.slice(1)).toEqual(["totalDownloads,2,2", "redeemed,1,0", "totalBooks,2,2"]);
    await expect(section(page, "Latest downloads").getByRole("table")).toBeVisible();
    const latest = await save(page, "Latest downloads");
    expect(latest.lines).toHaveLength(3);
    expect(latest.lines[1]).toContain("2026-03-11T12:00:00");
  });
  await test.step("another time zone", async () => {
    await page.getByRole("combobox", { name: "Time zone" }).selectOption("Africa/Nairobi");
    await expect(page).toHaveURL(/timezone=Africa%2FNairobi/);
    await expect(page.getByText("3 downloads requested; 1 link was used, 33.3%.")).toBeVisible();
    await expect(page.getByText("3 downloads, after 1 in the range before.")).toBeVisible();
    await expect(section(page, "Countries").getByText("Kenya").first()).toBeVisible();
    const map = section(page, "Where readers are").locator("svg");
    await expect(map).toBeVisible();
    await expect(map.locator("title")).toHaveText(["Kenya: 2", "Egypt: 1"]);
    await expect(section(page, "Downloads by day").locator("canvas")).toBeVisible();
    await expect(section(page, "Devices").getByText("Phone")).toBeVisible();
  });
  await page.getByRole("combobox", { name: "Range" }).selectOption({ label: "Last 7 days" });
  await expect(page.getByText("There are no downloads in this range.").first()).toBeVisible();
});

test("saves a table as it is shown, shows lines as a table, and counts all books and campaigns", async ({
  scene,
  open,
}) => {
  const page = await open(APRIL);
  const countries = await save(page, "Countries");
  expect(countries.name).toBe("downloads-by-country-2026-04-01-2026-04-30.csv");
  expect(countries.text).toBe(
    "\uFEFFcountryCode,name,totalDownloads,totalBooks,uniqueContacts,redeemed\r\nKE,Kenya,1,1,0,0\r\n",
  );
  await page.getByRole("button", { name: "Show as a table" }).click();
  await expect(section(page, "Downloads by day").locator("tbody tr")).toHaveCount(30);
  await page.goto(scene.base + MAY);
  await test.step("books after the tenth, of which links used aren't known", async () => {
    const { lines } = await save(page, "Top books");
    expect(lines).toHaveLength(12);
    expect(lines.at(-1)).toBe(",1 other book,1,1,0,");
  });
  await test.step("campaigns after the tenth", async () => {
    const campaigns = section(page, "Campaigns");
    await expect(campaigns.getByText(/Most downloads: .*, 8.3%/)).toBeVisible();
    await campaigns.getByRole("button", { name: "Show all 11 rows" }).click();
    await expect(campaigns.getByRole("row", { name: "2 other campaigns 2" })).toBeVisible();
  });
});

/** One of three books with a file in Spanish is on no channel then, and a book without a file is on one. */
async function publishInPart({ make, admin, well, any }: WellScene) {
  const client = await admin();
  const { languages } = (await client.get("/api/admin/languages")).body;
  const es = languages.find(({ code }: { code: string }) => code === "es");
  const [website] = (await client.get("/api/admin/channels")).body.channels;
  const tree = await make.book("The Tall Tree");
  await make.textFile(tree.id, "es", "Un árbol");
  for (const { id } of [well, any]) await make.publish(id, website.id, es.id);
}

testOnBooks("names what needs attention, and nothing that the user may not see", async ({ scene, open }) => {
  const admin = await scene.admin();
  const expiresAt = new Date(scene.clock.now() + 10 * 86_400_000).toISOString();
  await admin.post("/api/admin/api-keys", { name: "Website", expiresAt });
  const page = await open("");
  const attention = section(page, "Needs attention");
  await expect(attention.getByText("The API key \u2068Website\u2069 expires")).toBeVisible();
  await attention.getByText("Spanish: 1 book has a file and is on no channel.").click();
  await expect(page).toHaveURL(/publications\?languageCode=es&show=gaps/);
  await publishInPart(scene);
  await page.goto(scene.base);
  const isInPart = "Spanish: not all books with a file are on \u2068Website\u2069 (1 of 2).";
  await expect(attention.getByText(isInPart)).toBeVisible();
  await attention.getByText("Spanish: 1 book is on a channel without a file.").click();
  await expect(page).toHaveURL(/publications\?languageCode=es&show=withoutFile/);
  await page.clock.setFixedTime(Date.now() + 11 * 86_400_000);
  await page.goto(scene.base);
  await expect(attention.getByText("The API key \u2068Website\u2069 has expired")).toBeVisible();
  const other = await open("", { as: "analyst" });
  await expect(section(other, "Needs attention").getByText("Spanish: 1 book has a file")).toBeVisible();
  await expect(other.getByText("The API key")).toHaveCount(0);
});

testOnNothing(
  "doesn't say that nothing needs attention before everything is read, or if a part failed",
  async ({ open }) => {
    const page = await open("account");
    const { promise: held, resolve: answer } = Promise.withResolvers<void>();
    let isBroken = true;
    await page.route(/\/admin\/api-keys/, async (route) => {
      await held;
      await (isBroken ? route.abort() : route.continue());
    });
    await page.getByRole("link", { name: "Overview" }).click();
    const attention = section(page, "Needs attention");
    await expect(attention.getByText("No backup")).toBeVisible();
    await expect(attention.getByRole("status")).toBeVisible();
    await expect(attention.getByText("Nothing.")).toHaveCount(0);
    answer();
    await expect(attention.getByRole("alert")).toBeVisible();
    await expect(attention.getByText("Nothing.")).toHaveCount(0);
    isBroken = false;
    await attention.getByRole("button", { name: "Try again" }).click();
    await expect(attention.getByText("Nothing.")).toBeVisible();
    await expect(attention.getByRole("alert")).toHaveCount(0);
  },
);

testOnExamples(
  "is dark on the screen, and prints its content light without the header and the navigation",
  async ({ open }) => {
    const page = await open("", { colorScheme: "dark" });
    await expect(section(page, "Needs attention")).toBeVisible();
    await expect(page.getByRole("button", { name: "CSV" })).not.toHaveCount(0);
    await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
    const scheme = "document.documentElement.dataset.mantineColorScheme";
    await page.evaluate(`addEventListener("beforeprint", () => { window.printed = ${scheme} })`);
    await page.pdf();
    await expect.poll(() => page.evaluate("window.printed")).toBe("light");
    await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
    await page.emulateMedia({ media: "print" });
    await expect(page.locator("header")).toBeHidden();
    await expect(page.locator("nav").first()).toBeHidden();
    await expect.poll(() => page.locator("h1").boundingBox()).toMatchObject({ x: 0, y: 0 });
    await expect(page.getByRole("button", { name: "CSV" })).toHaveCount(0);
  },
);

const REPORTS = [
  "get /api/admin/analytics/summary",
  "get /api/admin/analytics/downloads",
  "get /api/admin/analytics/by-date",
  "get /api/admin/analytics/by-book",
  "get /api/admin/analytics/by-country",
  "get /api/admin/analytics/by-campaign",
  "get /api/admin/analytics/by-language",
  "get /api/admin/analytics/by-device",
] as const;

testOnExamples(
  "shows how far the reading of the downloads is, and the reports when it has ended",
  async ({ api, open }) => {
    let isReading = true;
    for (const name of REPORTS)
      api.on(name, () => {
        if (!isReading) return api.example(name);
        const progress = { done: 1_200_000, of: 5_000_000 };
        const headers = { "Retry-After": "1" };
        throw unavailable("reports_in_preparation", "They are being read.", { headers, progress });
      });
    const page = await open("");
    await expect(page.getByText("1,200,000 of 5,000,000")).toBeVisible();
    isReading = false;
    await expect(page.getByText(/^\d+ downloads requested/)).toBeVisible();
    await expect(page.getByText("1,200,000 of 5,000,000")).toHaveCount(0);
  },
);
