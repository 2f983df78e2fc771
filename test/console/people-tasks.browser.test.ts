/** What is done with people, numbers and keys: each task by mouse, and again by keyboard alone. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { addAuditRows } from "../support/audit-rows.ts";
import { CHROMIUM } from "../support/chromium.ts";
import { addReaders } from "../support/console-readers.ts";
import { type ConsoleScene, logIn, openConsole, startConsole, useBrowser } from "../support/console-scene.ts";
import { givenEvent, openRows } from "../support/event-rows.ts";
import { createHand, downloadBy, HANDS } from "../support/hands.ts";
import { readCsv } from "../support/read-csv.ts";

const DAY = 86_400_000;
const MINUTE = 60_000;

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const link = (page: Page, name: string | RegExp) => page.getByRole("link", { name, exact: true });
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const list = (page: Page, name: string) => page.getByRole("combobox", { name, exact: true });
const inDialog = (page: Page) => page.getByRole("dialog");

/** Last month begins in Nairobi three hours before it does in UTC. */
function findLastMonthInNairobi() {
  const here = new Date(Date.now() + 3 * 3_600_000);
  const begin = (months: number) =>
    Date.UTC(here.getUTCFullYear(), here.getUTCMonth() + months, 1) - 3 * 3_600_000;
  return { from: begin(-1), until: begin(0) };
}

describe.skipIf(CHROMIUM === undefined)("an administrator (needs /usr/bin/chromium)", () => {
  const browser = useBrowser();

  describe.each(HANDS)("by %s", (kind) => {
    async function open(scene: ConsoleScene, path = "account") {
      const page = await openConsole(browser, scene, path, {
        permissions: ["clipboard-read", "clipboard-write"],
      });
      return { page, hand: createHand(kind, page) };
    }

    it("finds who downloaded what last month in Nairobi's time, and takes the CSV", async () => {
      const scene = await startConsole();
      await addReaders(scene);
      const [sara] = await openRows(scene).findIds();
      const { from, until } = findLastMonthInNairobi();
      const rows = openRows(scene);
      for (const [title, time] of [
        ["the month before", from - MINUTE],
        ["first", from],
        ["last", until - MINUTE],
        ["this month", until],
      ] as const)
        await rows.insert({
          ...givenEvent(new Date(time).toISOString(), { contactId: sara ?? null }),
          ...{ bookTitle: title, languageCode: "es" },
        });
      const { page, hand } = await open(scene);
      await hand.press(link(page, "Downloads"));
      await heading(page, "Downloads").waitFor();
      await hand.choose(list(page, "Time zone"), "Africa/Nairobi");
      await hand.choose(list(page, "Range"), "Last month");
      await page.getByText("2 downloads", { exact: true }).waitFor();
      await expect.poll(() => page.getByRole("row").filter({ hasText: "sara@example.org" }).count()).toBe(2);
      const [columns = [], ...records] = readCsv(await downloadBy(hand, page, link(page, "Export as CSV")));
      const cells = (name: string) => records.map((record) => record[columns.indexOf(name)]);
      expect(cells("bookTitle").sort()).toEqual(["first", "last"]);
      expect(cells("contactEmail")).toEqual(["sara@example.org", "sara@example.org"]);
      for (const time of cells("downloadedAt")) {
        expect(time).toMatch(/\+03:00$/);
        expect(Date.parse(time ?? "")).toBeGreaterThanOrEqual(from);
        expect(Date.parse(time ?? "")).toBeLessThan(until);
      }
    });

    it("makes a key for the website, copies it, and revokes it", async () => {
      const scene = await startConsole();
      const { page, hand } = await open(scene);
      const read = (key: string) =>
        fetch(new URL("/api/admin/books", scene.base), { headers: { Authorization: `Bearer ${key}` } });
      await hand.press(link(page, "API keys"));
      await hand.press(button(page, "Make a key"));
      await hand.type(inDialog(page).getByRole("textbox", { name: "Purpose" }), "Website");
      await hand.press(inDialog(page).getByRole("button", { name: "Make a key" }));
      const key = await inDialog(page).getByRole("textbox", { name: "Key" }).inputValue();
      expect((await read(key)).status).toBe(200);
      await hand.press(inDialog(page).getByRole("button", { name: "Copy" }));
      await page.getByText("Copied", { exact: true }).waitFor();
      await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(key);
      await hand.press(inDialog(page).getByRole("button", { name: "I have stored the key" }));
      await inDialog(page).waitFor({ state: "detached" });
      await page.reload();
      await hand.press(button(page, "Revoke Website"));
      await hand.press(inDialog(page).getByRole("button", { name: "Revoke" }));
      await page.getByText("The key was revoked.").waitFor();
      expect((await read(key)).status).toBe(401);
      await expect.poll(() => page.content()).not.toContain(key);
    });

    it("sees what a colleague changed yesterday", async () => {
      const scene = await startConsole();
      const { id } = await scene.make.user("editor");
      const yesterday = Date.now() - DAY;
      await addAuditRows(scene, 3, (index) => ({
        at: yesterday - (index === 2 ? 3 * DAY : 0),
        actorKind: "user",
        actorId: index === 1 ? "someone-else" : id,
        actorName: "editor",
        objectName: `Book ${index}`,
        changes: JSON.stringify({ titleEn: { before: "The Deep Well", after: "The Deeper Well" } }),
      }));
      const { page, hand } = await open(scene);
      await hand.press(link(page, "Audit log"));
      await page.getByRole("option", { name: "editor" }).waitFor({ state: "attached" });
      await hand.choose(list(page, "By"), "editor");
      await hand.choose(list(page, "Range"), "Yesterday");
      await page.getByText("1 entry", { exact: true }).waitFor();
      const row = page.getByRole("row").filter({ hasText: "Book 0" });
      await row.locator("del", { hasText: "Deep" }).waitFor();
      await row.locator("ins", { hasText: "Deeper" }).waitFor();
      const csv = readCsv(await downloadBy(hand, page, link(page, "Save as CSV")));
      expect(csv).toHaveLength(2);
    });

    it.each([
      ["another field", { tags: ["water", "2026"] }, undefined, { titleEn: "Mine", tags: ["water", "2026"] }],
      ["the same field", { titleEn: "Theirs" }, "Theirs", { titleEn: "Theirs", tags: ["water"] }],
    ])("corrects a title while somebody else corrects %s", async (_, theirs, kept, result) => {
      const scene = await startConsole();
      const admin = await scene.admin();
      const path = `/api/admin/books/${scene.well.id}`;
      const { page, hand } = await open(scene);
      await hand.press(link(page, "Books"));
      await hand.press(link(page, "The Deep Well"));
      await hand.type(field(page, "Title"), "Mine");
      await admin.patch(path, theirs);
      await hand.press(button(page, "Save"));
      await page.getByText("Someone else saved this while you typed").waitFor();
      await expect.poll(() => field(page, "Title").inputValue()).toBe("Mine");
      if (kept) await hand.choose(list(page, "Keep of Title"), kept);
      await hand.press(button(page, "Join and save"));
      await page.getByText("Saved", { exact: true }).waitFor();
      expect((await admin.get(path)).body.book).toMatchObject(result);
    });

    it("makes an analyst's account, who sees what an analyst may see", async () => {
      const scene = await startConsole();
      const { page, hand } = await open(scene);
      const given = "correct horse battery staple 9";
      await hand.press(link(page, "Users"));
      await hand.press(button(page, "Add a user"));
      await hand.type(inDialog(page).getByRole("textbox", { name: "Name" }), "Ana");
      await hand.type(inDialog(page).getByRole("textbox", { name: "E-mail" }), "ana@example.org");
      await hand.type(inDialog(page).getByLabel("Password", { exact: true }).first(), given);
      await hand.choose(inDialog(page).getByRole("combobox", { name: "Role" }), "Analyst");
      await hand.press(inDialog(page).getByRole("button", { name: "Add" }));
      await page.getByText("ana@example.org").waitFor();
      await page.context().clearCookies();
      await page.goto(scene.base);
      await logIn(page, "ana@example.org", given);
      await heading(page, "Overview").waitFor();
      const links = page.getByRole("navigation").getByRole("link");
      await expect
        .poll(() => links.allInnerTexts())
        .toEqual(["Overview", "Books", "Languages", "Channels", "Publications", "Contacts", "Downloads"]);
    });
  });
});
