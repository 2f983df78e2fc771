/** The start page: its counts are those of the reports, its range and time zone stand in the address, its tables can be saved. */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../support/chromium.ts";
import { addReaders } from "../support/console-readers.ts";
import { openConsole, startConsole, useBrowser } from "../support/console-scene.ts";
import { givenEvent, openRows } from "../support/event-rows.ts";

const idOf = (book: number) => `01a1fb60-1a34-772b-a309-${String(book).padStart(12, "0")}`;
const section = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

describe.skipIf(CHROMIUM === undefined)("the overview (needs /usr/bin/chromium or CHROMIUM_PATH)", () => {
  const browser = useBrowser();

  it("counts what the range contains, in the time zone, beside the range before", async () => {
    const scene = await startConsole();
    const rows = openRows(scene);
    const used = { redeemedAt: Date.parse("2026-03-10T12:01:00Z"), countryCode: "KE" };
    await rows.insert(givenEvent("2026-03-10T12:00:00Z", used));
    await rows.insert(givenEvent("2026-03-11T12:00:00Z", { countryCode: "EG", deviceType: "mobile" }));
    // The 1st of March in Nairobi.
    await rows.insert(givenEvent("2026-02-28T22:00:00Z", { countryCode: "KE" }));
    await rows.insert(givenEvent("2026-02-20T12:00:00Z"));
    const range = "startDate=2026-03-01&endDate=2026-03-31";
    const page = await openConsole(browser, scene, `?${range}&timezone=UTC`);
    await page.getByText("2 downloads requested; 1 link was used, 50%.").waitFor();
    await page.getByText("Mar 1, 2026 to Mar 31, 2026: 2 downloads, after 2 in the range before.").waitFor();
    await page.getByRole("combobox", { name: "Time zone" }).selectOption("Africa/Nairobi");
    await page.waitForURL(/timezone=Africa%2FNairobi/);
    await page.getByText("3 downloads requested; 1 link was used, 33.3%.").waitFor();
    await page.getByText("3 downloads, after 1 in the range before.").waitFor();
    await section(page, "Countries").getByText("Kenya").first().waitFor();
    const map = section(page, "Where readers are").locator("svg");
    await map.waitFor();
    await expect.poll(() => map.locator("title").allTextContents()).toEqual(["Kenya: 2", "Egypt: 1"]);
    await section(page, "Downloads by day").locator("canvas").waitFor();
    await section(page, "Devices").getByText("Phone").waitFor();
    await page.getByRole("combobox", { name: "Range" }).selectOption({ label: "Last 7 days" });
    await page.getByText("There are no downloads in this range.").first().waitFor();
  });

  it("saves a table as it is shown, and shows lines as a table", async () => {
    const scene = await startConsole();
    await openRows(scene).insert(givenEvent("2026-03-10T12:00:00Z", { countryCode: "KE" }));
    const page = await openConsole(browser, scene, "?startDate=2026-03-01&endDate=2026-03-31&timezone=UTC");
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Countries: save as CSV" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("downloads-by-country-2026-03-01-2026-03-31.csv");
    expect(await readFile(await file.path(), "utf8")).toBe(
      "\uFEFFcountryCode,name,totalDownloads,totalBooks,uniqueContacts,redeemed\r\nKE,Kenya,1,1,0,0\r\n",
    );
    await page.getByRole("button", { name: "Show as a table" }).click();
    await expect.poll(() => section(page, "Downloads by day").locator("tbody tr").count()).toBe(31);
  });

  it("leaves the cell of links used empty for the books after the tenth, of which it isn't known", async () => {
    const scene = await startConsole();
    const rows = openRows(scene);
    for (let book = 0; book < 11; book += 1)
      await rows.insert(givenEvent("2026-03-10T12:00:00Z", { bookId: idOf(book) }));
    const page = await openConsole(browser, scene, "?startDate=2026-03-01&endDate=2026-03-31&timezone=UTC");
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Top books: save as CSV" }).click(),
    ]);
    const lines = (await readFile(await file.path(), "utf8")).trimEnd().split("\r\n");
    expect(lines).toHaveLength(12);
    expect(lines.at(-1)).toBe(",1 other book,1,1,0,");
  });

  it("counts all campaigns, also those after the tenth", async () => {
    const scene = await startConsole();
    const rows = openRows(scene);
    for (let campaign = 0; campaign < 12; campaign += 1)
      await rows.insert(givenEvent("2026-03-10T12:00:00Z", { utmCampaign: `campaign ${campaign}` }));
    const page = await openConsole(browser, scene, "?startDate=2026-03-01&endDate=2026-03-31&timezone=UTC");
    const campaigns = section(page, "Campaigns");
    await campaigns.getByText(/Most downloads: .*, 8.3%/).waitFor();
    await campaigns.getByRole("button", { name: "Show all 11 rows" }).click();
    await campaigns.getByRole("row", { name: "2 other campaigns 2" }).waitFor();
  });

  it("saves the way from the form to the book, and the latest downloads", async () => {
    const scene = await startConsole();
    const rows = openRows(scene);
    await rows.insert(givenEvent("2026-03-10T12:00:00Z", { redeemedAt: Date.parse("2026-03-10T12:01:00Z") }));
    await rows.insert(givenEvent("2026-03-11T12:00:00Z"));
    const page = await openConsole(browser, scene, "?startDate=2026-03-01&endDate=2026-03-31&timezone=UTC");
    const save = async (name: string) => {
      const button = page.getByRole("button", { name: `${name}: save as CSV` });
      const [file] = await Promise.all([page.waitForEvent("download"), button.click()]);
      return (await readFile(await file.path(), "utf8")).trimEnd().split("\r\n");
    };
    expect((await save("From the form to the book")).slice(1)).toEqual([
      "totalDownloads,2,0",
      "redeemed,1,0",
      "totalBooks,2,0",
    ]);
    await section(page, "Latest downloads").getByRole("table").waitFor();
    const latest = await save("Latest downloads");
    expect(latest).toHaveLength(3);
    expect(latest[1]).toContain("2026-03-11T12:00:00");
  });

  it("names what needs attention, and nothing that the user may not see", async () => {
    const scene = await startConsole();
    const admin = await scene.admin();
    const expiresAt = new Date(scene.clock.now() + 10 * 86_400_000).toISOString();
    await admin.post("/api/admin/api-keys", { name: "Website", expiresAt });
    const page = await openConsole(browser, scene, "");
    const attention = section(page, "Needs attention");
    await attention.getByText("The API key \u2068Website\u2069 expires").waitFor();
    await attention.getByText("Spanish: 1 book has a file and is on no channel.").click();
    await page.waitForURL(/publications\?languageCode=es&show=gaps/);
    await page.clock.setFixedTime(Date.now() + 11 * 86_400_000);
    await page.goto(scene.base);
    await attention.getByText("The API key \u2068Website\u2069 has expired").waitFor();
    const { email } = await scene.make.user("analyst");
    const other = await openConsole(browser, { ...scene, email }, "");
    await section(other, "Needs attention").getByText("Spanish: 1 book").waitFor();
    await expect.poll(() => other.getByText("The API key").count()).toBe(0);
  });

  it("names books on a channel without a file, and channels without some of the books", async () => {
    const scene = await startConsole();
    const { make, well, any } = scene;
    const admin = await scene.admin();
    const { languages } = (await admin.get("/api/admin/languages")).body;
    const es = languages.find(({ code }: { code: string }) => code === "es");
    const [website] = (await admin.get("/api/admin/channels")).body.channels;
    const tree = await make.book("The Tall Tree");
    await make.textFile(tree.id, "es", "Un árbol");
    for (const { id } of [well, any]) await make.publish(id, website.id, es.id);
    const page = await openConsole(browser, scene, "");
    const attention = section(page, "Needs attention");
    await attention
      .getByText("Spanish: a part of the books with a file is missing on \u2068Website\u2069 (1 of 2).")
      .waitFor();
    await attention.getByText("Spanish: 1 book is on a channel without a file.").click();
    await page.waitForURL(/publications\?languageCode=es&show=withoutFile/);
  });

  it("doesn't say that nothing needs attention before everything is read, or if a part failed", async () => {
    const scene = await startConsole();
    const admin = await scene.admin();
    const { body } = await admin.get("/api/admin/languages");
    for (const { id } of body.languages) await admin.patch(`/api/admin/languages/${id}`, { isActive: 0 });
    const page = await openConsole(browser, scene, "account");
    const { promise: held, resolve: answer } = Promise.withResolvers<void>();
    let isBroken = true;
    await page.route(/\/admin\/api-keys/, async (route) => {
      await held;
      await (isBroken ? route.abort() : route.continue());
    });
    await page.getByRole("link", { name: "Overview" }).click();
    const attention = section(page, "Needs attention");
    await attention.getByText("No backup").waitFor();
    await attention.getByRole("status").waitFor();
    await expect.poll(() => attention.getByText("Nothing.").count()).toBe(0);
    answer();
    await attention.getByRole("alert").waitFor();
    await expect.poll(() => attention.getByText("Nothing.").count()).toBe(0);
    isBroken = false;
    await attention.getByRole("button", { name: "Try again" }).click();
    await attention.getByText("Nothing.").waitFor();
    await expect.poll(() => attention.getByRole("alert").count()).toBe(0);
  });

  it("prints its content without the header and the navigation", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, "");
    await section(page, "Needs attention").waitFor();
    await page.emulateMedia({ media: "print" });
    await expect.poll(() => page.locator("header").isVisible()).toBe(false);
    await expect.poll(() => page.locator("nav").first().isVisible()).toBe(false);
    await expect.poll(() => page.locator("h1").boundingBox()).toMatchObject({ x: 0, y: 0 });
    await expect.poll(() => page.getByRole("button", { name: "CSV" }).count()).toBe(0);
  });

  it("is dark on the screen and light on paper", async () => {
    const page = await openConsole(browser, await startConsole(), "", { colorScheme: "dark" });
    const scheme = "document.documentElement.dataset.mantineColorScheme";
    await expect.poll(() => page.evaluate(scheme)).toBe("dark");
    await page.evaluate(`addEventListener("beforeprint", () => { window.printed = ${scheme} })`);
    await page.pdf();
    await expect.poll(() => page.evaluate("window.printed")).toBe("light");
    await expect.poll(() => page.evaluate(scheme)).toBe("dark");
  });

  it("shows how far the reading of the downloads is, and the reports when it has ended", async () => {
    const scene = await startConsole();
    await addReaders(scene);
    const page = await openConsole(browser, scene, "account");
    let isReading = true;
    await page.route(/\/analytics\//, (route) =>
      isReading
        ? route.fulfill({
            status: 503,
            headers: { "Retry-After": "1" },
            contentType: "application/problem+json",
            json: {
              status: 503,
              code: "reports_in_preparation",
              progress: { done: 1_200_000, of: 5_000_000 },
            },
          })
        : route.continue(),
    );
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByText("1,200,000 of 5,000,000").waitFor();
    isReading = false;
    await page.getByText("6 downloads requested").waitFor();
  });

  it("is the start page of those who may see reports; others begin with the books", async () => {
    const scene = await startConsole();
    const { email } = await scene.make.user("editor");
    const page = await openConsole(browser, { ...scene, email }, "");
    await page.getByRole("heading", { level: 1, name: "Books" }).waitFor();
    await expect.poll(() => page.getByRole("link", { name: "Overview" }).count()).toBe(0);
    await expect
      .poll(() => page.getByRole("link", { name: "Books", exact: true }).getAttribute("aria-current"))
      .toBe("page");
  });
});
