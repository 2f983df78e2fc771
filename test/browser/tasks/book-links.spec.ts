/** The links to a book in the console: by language and channel, with the campaign of the channel, and their QR codes. */
import { readFile } from "node:fs/promises";
import { expect, testOn } from "../fixtures.ts";
import { WELL } from "../support/scenes.ts";
import { openWell } from "../support/well.ts";

const test = testOn(WELL);
test.use({ settings: { PUBLIC_BOOK_URL: "https://www.example.org/{language}/{slug}" } });

test("a channel gets its campaign, and the book's page its link and code", async ({ scene, open }) => {
  const { page } = await openWell(scene, open);
  await page.getByRole("button", { name: "Publish in Spanish on Website", exact: true }).click();
  await test.step("the campaign", async () => {
    const channels = await open("channels");
    await channels.getByRole("button", { name: "Edit Website", exact: true }).click();
    await channels.getByRole("button", { name: "Campaign and address of links", exact: true }).click();
    await channels.getByLabel("Source in links (utm_source)").fill("web");
    await channels.getByLabel("Address of a book").fill("https://{slug}.example.org/");
    await channels.getByRole("button", { name: "Save", exact: true }).click();
    await expect(channels.getByLabel("Address of a book")).toHaveAttribute("aria-invalid", "true");
    await channels.getByLabel("Address of a book").fill("");
    await channels.getByRole("button", { name: "Save", exact: true }).click();
    await expect(channels.getByText("Saved")).toBeVisible();
  });
  await page.getByRole("button", { name: "Show the links", exact: true }).click();
  const table = page.getByRole("table", { name: "Links and QR codes" });
  const link = table.getByRole("link", { name: /utm_source=web$/ });
  await expect(link).toHaveAttribute("href", /^https:\/\/www\.example\.org\/es\/[\w-]+\?utm_source=web$/);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    table.getByRole("link", { name: "QR code as PNG: Spanish, website" }).click(),
  ]);
  const bytes = await readFile(await download.path());
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");
});
