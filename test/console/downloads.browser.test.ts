/** The log of downloads in the console: its filters, its range and time zone, and its file. */
import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../support/chromium.ts";
import { addReaders } from "../support/console-readers.ts";
import { download, openConsole, startConsole, useBrowser } from "../support/console-scene.ts";
import { givenEvent, openRows } from "../support/event-rows.ts";

/** The last moment in UTC of last month in Nairobi, where the next one has begun then, and some hours before it. */
function findLastMonth() {
  const now = new Date(Date.now() + 3 * 3_600_000);
  const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1);
  return { late: new Date(end - 60_000).toISOString(), early: new Date(end - 4 * 3_600_000).toISOString() };
}

describe.skipIf(CHROMIUM === undefined)("downloads (needs /usr/bin/chromium or CHROMIUM_PATH)", () => {
  const browser = useBrowser();

  it("of last month in Nairobi's time are shown and exported", async () => {
    const scene = await startConsole();
    const { late, early } = findLastMonth();
    const rows = openRows(scene);
    await rows.insert({ ...givenEvent(early), ...{ bookTitle: "In October", languageCode: "es" } });
    await rows.insert({ ...givenEvent(late), ...{ bookTitle: "In November", languageCode: "es" } });
    const page = await openConsole(browser, scene, "downloads");
    await page.getByText("2 downloads").waitFor();
    await page.getByRole("combobox", { name: "Time zone" }).selectOption("Africa/Nairobi");
    await page.getByRole("combobox", { name: "Range" }).selectOption({ label: "Last month" });
    await page.getByText("1 download", { exact: true }).waitFor();
    const query = new URL(page.url()).searchParams;
    expect(query.get("timezone")).toBe("Africa/Nairobi");
    expect(query.get("range")).toBe("lastMonth");
    await expect.poll(() => page.getByText("In October").count()).toBe(1);
    const csv = await download(page, "link", "Export as CSV");
    expect(csv).toContain("In October");
    expect(csv).not.toContain("In November");
    expect(csv).toContain("+03:00");
  });

  it("are filtered by what the API filters by, and lead to contact and book", async () => {
    const scene = await startConsole();
    const { sara } = await addReaders(scene);
    const page = await openConsole(browser, scene, "downloads?isRedeemed=true");
    await page.getByText("1 download", { exact: true }).waitFor();
    await page.getByRole("combobox", { name: "Link" }).selectOption("");
    await page.getByText("6 downloads").waitFor();
    await page.getByRole("textbox", { name: "Campaign" }).fill("spring");
    await page.waitForURL(/utmCampaign=spring/);
    await page.getByText("1 download", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Sara Núñez" }).click();
    await page.getByRole("link", { name: "Filter and export them" }).click();
    await page.waitForURL(new RegExp(`contactId=${sara}`));
    await page.getByText("2 downloads").waitFor();
    await page.getByRole("button", { name: "Show those of everyone" }).click();
    await page.getByText("6 downloads").waitFor();
    await page.getByRole("button", { name: "More filters" }).click();
    await page.getByRole("combobox", { name: "Device" }).selectOption({ label: "Television" });
    await page.getByText("No download matches these filters.").waitFor();
  });

  it("are neither offered to nor shown to an editor", async () => {
    const scene = await startConsole();
    const { email } = await scene.make.user("editor");
    const page = await openConsole(browser, { ...scene, email }, "downloads");
    await page.getByText("Your account doesn't have the permission for this page.").waitFor();
    await expect.poll(() => page.getByRole("link", { name: "Downloads" }).count()).toBe(0);
  });
});
