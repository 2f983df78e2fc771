/** What an administrator does in the console: the doctor, users, the audit log. Checked in the service afterwards. */
import type { Page } from "@playwright/test";
import { createSystemAuthor } from "../../../src/repositories/change.ts";
import { addAuditRows } from "../../support/audit-rows.ts";
import { findAccessibilityErrors } from "../../support/chromium.ts";
import { readCsv } from "../../support/read-csv.ts";
import type { TestApp } from "../../support/service.ts";
import { expect, type Open, testOn, testOnStandIn } from "../fixtures.ts";
import { takeText } from "../support/downloads.ts";
import { createKeyboardHand, type Hand } from "../support/hands.ts";
import { button, inDialog, link, list } from "../support/locators.ts";
import { ADMINISTRATION, WELL } from "../support/scenes.ts";

const test = testOn(WELL);
const testOnChanges = testOn(ADMINISTRATION);
const testOnExamples = testOnStandIn();

const DAY = 86_400_000;

/** An examination that is at the third of eight files until it is cancelled. @returns its id */
async function startExamination({ container }: TestApp): Promise<string> {
  const { id } = await container.services.jobs.start(createSystemAuthor("test"), {
    kind: "doctor",
    options: {},
    work({ signal, report }) {
      report({ done: 3, of: 8 });
      return new Promise((_, reject) => signal.addEventListener("abort", reject));
    },
  });
  return id;
}

test("runs the doctor deeply after cancelling an examination that was running, and reads what mends a finding", async ({
  scene,
  open,
}) => {
  const admin = await scene.admin();
  const id = await startExamination(scene);
  const page = await open("doctor");
  await test.step("joins it, sees its progress after a reload, and cancels it", async () => {
    await expect(page.getByText("There is no report yet")).toBeVisible();
    await button(page, "Run").click();
    await expect(page).toHaveURL(`${scene.base}doctor?job=${id}`);
    await expect(page.getByText("An examination is running already.")).toBeVisible();
    expect(await findAccessibilityErrors(page)).toEqual([]);
    const progress = page.getByText("3 of 8 files, covers and links examined");
    await expect(progress).toBeVisible();
    await page.reload();
    await expect(progress).toBeVisible();
    await button(page, "Cancel").click();
    await expect(page.getByText("The examination was cancelled.")).toBeVisible();
    expect((await admin.get(`/api/admin/jobs/${id}`)).body.status).toBe("cancelled");
  });
  await test.step("a deep run", async () => {
    await button(page, "Deep run").click();
    await expect(page.getByText("The examination is finished.")).toBeVisible();
    await expect(page.getByRole("heading", { name: "Languages without files" })).toBeVisible();
    await expect(page.getByText("Upload files in the language, or deactivate it.")).toBeVisible();
    await page.getByText("Details").click();
    await expect(page.getByText("no active book has a file in it.", { exact: false }).first()).toBeVisible();
    const { report } = (await admin.get("/api/admin/doctor/last")).body;
    expect(report.checks).toContainEqual({ check: "changed_bytes", found: 0 });
  });
});

const GIVEN = "correct horse battery staple 9";
const ANA = "ana@example.org";

async function addAnalyst(page: Page, hand: Hand): Promise<void> {
  await hand.press(button(page, "Add a user"));
  const dialog = inDialog(page);
  const password = dialog.getByLabel("Password", { exact: true }).first();
  await hand.type(dialog.getByRole("textbox", { name: "Name" }), "Ana");
  await hand.type(dialog.getByRole("textbox", { name: "E-mail" }), ANA);
  await hand.choose(dialog.getByRole("combobox", { name: "Role" }), "Analyst");
  // Errors of the service are at their fields, and nothing typed is lost.
  await hand.type(password, "short");
  await hand.press(dialog.getByRole("button", { name: "Add" }));
  await expect(dialog.locator("[id$='-error']")).toBeVisible();
  await hand.type(password, GIVEN);
  await hand.press(dialog.getByRole("button", { name: "Add" }));
  await expect(page.getByText(ANA)).toBeVisible();
}

/** The links of the navigation that the user gets. */
async function expectLinks(open: Open, password: string, names: readonly string[]): Promise<void> {
  const page = await open("", { as: { email: ANA, password } });
  await expect(page.getByRole("navigation").getByRole("link")).toHaveText(names);
}

test("makes an analyst's account by keyboard, and gives it another role, a new password and no log-in", async ({
  scene,
  open,
}) => {
  const admin = await scene.admin();
  const page = await open("account");
  const hand = createKeyboardHand(page);
  await hand.press(link(page, "Users"));
  await addAnalyst(page, hand);
  const catalogue = ["Books", "Languages", "Channels", "Publications"];
  await expectLinks(open, GIVEN, ["Overview", ...catalogue, "Contacts", "Downloads", "Report"]);
  const { users } = (await admin.get("/api/admin/users")).body;
  const { id } = users.find(({ email }: { email: string }) => email === ANA);
  const read = async () => (await admin.get(`/api/admin/users/${id}`)).body;
  const save = inDialog(page).getByRole("button", { name: "Save" });
  await test.step("another role", async () => {
    await button(page, "Edit Ana").click();
    await inDialog(page).getByRole("combobox", { name: "Role" }).selectOption("editor");
    await save.click();
    await expect(inDialog(page)).toHaveCount(0);
    expect(await read()).toMatchObject({ role: "editor", isActive: 1 });
  });
  await test.step("a new password", async () => {
    await button(page, "New password of Ana").click();
    await inDialog(page).getByLabel("New password").fill(`${GIVEN}9`);
    await save.click();
    await expect(page.getByText("The password was set.")).toBeVisible();
    await expectLinks(open, `${GIVEN}9`, ["Books", "Import", "Languages", "Channels", "Publications"]);
  });
  await test.step("no log-in", async () => {
    await button(page, "Edit Ana").click();
    await inDialog(page).getByRole("checkbox", { name: "May log in" }).uncheck();
    await save.click();
    await expect(page.getByText("Deactivated", { exact: true })).toBeVisible();
    expect(await read()).toMatchObject({ isActive: 0 });
  });
});

testOnChanges(
  "sees what changed in a book, before and after, at an address that can be kept, and goes back to the log as it was",
  async ({ scene, open }) => {
    const page = await open("audit?action=update&objectKind=book");
    const row = page.getByRole("row").filter({ hasText: "The Deeper Well" });
    await expect(row.locator("del", { hasText: "Deep" })).toBeVisible();
    await expect(row.locator("ins", { hasText: "Deeper" })).toBeVisible();
    await expect(page.getByRole("status").getByText("1 entry", { exact: true })).toBeVisible();
    await list(page, "Action").selectOption("");
    await expect(page).toHaveURL(/audit\?objectKind=book$/);
    await button(page, "History of The Deeper Well").click();
    await expect(page).toHaveURL(new RegExp(`objectId=${scene.well.id}`));
    await expect(page.getByText("2 entries")).toBeVisible();
    await page.reload();
    await expect(page.getByText("2 entries")).toBeVisible();
    await expect(link(page, "Save as CSV")).toHaveAttribute("href", new RegExp(scene.well.id));
    await button(page, "Show all of them").click();
    await expect(page).not.toHaveURL(/objectId/);
    await page.goBack();
    await expect(page).toHaveURL(/objectId=/);
    await page.goBack();
    await expect(page).toHaveURL(/audit\?objectKind=book$/);
  },
);

test("sees by keyboard what a colleague changed yesterday", async ({ scene, open }) => {
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
  const page = await open("account");
  const hand = createKeyboardHand(page);
  await hand.press(link(page, "Audit log"));
  await expect(page.getByRole("option", { name: "editor" })).not.toHaveCount(0);
  await hand.choose(list(page, "By"), "editor");
  await hand.choose(list(page, "Range"), "Yesterday");
  await expect(page.getByText("1 entry", { exact: true })).toBeVisible();
  const row = page.getByRole("row").filter({ hasText: "Book 0" });
  await expect(row.locator("del", { hasText: "Deep" })).toBeVisible();
  await expect(row.locator("ins", { hasText: "Deeper" })).toBeVisible();
  const csv = await takeText(hand, page, link(page, "Save as CSV"));
  expect(readCsv(csv)).toHaveLength(2);
});

testOnExamples("reaches the last link of the navigation in a low window", async ({ open }) => {
  const page = await open("books", { viewport: { width: 1000, height: 300 } });
  const last = page.getByRole("navigation").getByRole("link").last();
  await last.scrollIntoViewIfNeeded();
  await expect(last).toBeInViewport({ ratio: 1 });
});
