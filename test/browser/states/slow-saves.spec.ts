/** What is typed while the service still works on a save, or while the page still reads what was saved. */
import type { Page } from "@playwright/test";
import { AppError } from "../../../src/errors.ts";
import { expect, testOnStandIn } from "../fixtures.ts";
import { keepBook } from "../support/kept.ts";
import { button, field, heading } from "../support/locators.ts";
import { BOOK, CONTACT } from "../support/records.ts";
import type { StandIn } from "../support/stand-in.ts";

const test = testOnStandIn();

const saved = (page: Page) => page.getByText("Saved", { exact: true });
const conflict = (page: Page) => page.getByText("Someone else saved this while you typed");

/** The page of a book whose new title is saved, and that hasn't read it again. */
async function saveBeforeItIsRead(api: StandIn, open: (path: string) => Promise<Page>) {
  const page = await open(BOOK);
  await expect(field(page, "Title")).toHaveValue("The Deep Well");
  const reads = api.hold("get /api/admin/books/{bookId}");
  await field(page, "Title").fill("The Deeper Well");
  await button(page, "Save").click();
  await reads.untilHeld();
  await expect(saved(page)).toBeVisible();
  return { page, reads };
}

test("a form shows what it saved before the page has read it, and saves again without a conflict", async ({
  api,
  open,
}) => {
  const { book } = keepBook(api);
  const { page, reads } = await saveBeforeItIsRead(api, open);
  await expect(button(page, "Save")).toBeDisabled();
  await expect(field(page, "Title")).toHaveValue("The Deeper Well");
  await field(page, "Description").fill("About a well");
  await button(page, "Save").click();
  await expect.poll(() => book.now.description).toBe("About a well");
  reads.release();
  await expect(heading(page, "The Deeper Well")).toBeVisible();
  await expect(field(page, "Title")).toHaveValue("The Deeper Well");
  await expect(conflict(page)).toHaveCount(0);
});

test("a form shows what someone else saves after it", async ({ api, open }) => {
  const { book } = keepBook(api);
  const { page, reads } = await saveBeforeItIsRead(api, open);
  book.change({ titleEn: "Theirs" });
  reads.release();
  await expect(field(page, "Title")).toHaveValue("Theirs");
});

test("keeps what is typed in a book while it is saved, also in a field that is saved", async ({
  api,
  open,
}) => {
  const { book } = keepBook(api);
  const page = await open(BOOK);
  const saves = api.hold("patch /api/admin/books/{bookId}");
  await field(page, "Title").fill("  The Deeper Well ");
  await field(page, "Series").fill("Wells");
  await page.keyboard.press("Control+s");
  await saves.untilHeld();
  await field(page, "Description").fill("About a well");
  await field(page, "Series").fill("Wells and rivers");
  await field(page, "Tags").fill("riv");
  // The version that this one would change isn't known yet.
  await page.keyboard.press("Control+s");
  saves.release();
  await expect(saved(page)).toBeVisible();
  await expect(field(page, "Title")).toHaveValue("The Deeper Well");
  await expect(field(page, "Description")).toHaveValue("About a well");
  await expect(field(page, "Series")).toHaveValue("Wells and rivers");
  await expect(field(page, "Tags")).toHaveValue("riv");
  expect(book.now).toMatchObject({ description: "", series: { name: "Wells" } });
  await button(page, "Save").click();
  await expect.poll(() => book.now.description).toBe("About a well");
  expect(book.now).toMatchObject({
    titleEn: "The Deeper Well",
    series: { name: "Wells and rivers" },
    tags: ["folk tales", "riv"],
  });
  await expect(button(page, "Save")).toBeDisabled();
  await expect(conflict(page)).toHaveCount(0);
});

test("keeps what is typed in a dialog while it is saved, and closes it with the next save", async ({
  api,
  open,
}) => {
  const { translations } = keepBook(api);
  const page = await open(BOOK);
  const dialog = page.getByRole("dialog");
  const saves = api.hold("post /api/admin/books/{bookId}/translations");
  await button(page, "Edit Spanish").click();
  await field(dialog, "Title").fill("El pozo");
  await page.keyboard.press("Enter");
  await saves.untilHeld();
  await field(dialog, "Publisher").fill("Pozos");
  saves.release();
  await expect(saved(page)).toBeVisible();
  await expect(field(dialog, "Publisher")).toHaveValue("Pozos");
  const readSpanish = () => translations.get("es")?.now;
  expect(readSpanish()).toMatchObject({ title: "El pozo", publisher: "Village Press" });
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  expect(readSpanish()).toMatchObject({ title: "El pozo", publisher: "Pozos" });
});

test("adds a channel once if more is typed while it is saved", async ({ api, open }) => {
  const page = await open("channels");
  const requests: unknown[] = [];
  api.on("post /api/admin/channels", ({ body }) => {
    requests.push(["add", body]);
    return { ...api.example("post /api/admin/channels"), name: body.name, description: "" };
  });
  api.on("patch /api/admin/channels/{channelId}", ({ body }) => {
    requests.push(["change", body]);
    return api.example("patch /api/admin/channels/{channelId}");
  });
  const saves = api.hold("post /api/admin/channels");
  await button(page, "Add a channel").click();
  const dialog = page.getByRole("dialog");
  await field(dialog, "Name").fill("Newsletter");
  await page.keyboard.press("Enter");
  await saves.untilHeld();
  await field(dialog, "Description").fill("Each month");
  saves.release();
  await expect(saved(page)).toBeVisible();
  await button(page, "Add").click();
  await expect(dialog).toHaveCount(0);
  expect(requests).toMatchObject([
    ["add", { name: "Newsletter" }],
    ["change", { description: "Each month" }],
  ]);
});

test("asks before a page is left whose save is pending, lets it go once it is saved, and tells later that one failed", async ({
  api,
  open,
}) => {
  keepBook(api);
  const page = await open(BOOK);
  await test.step("the save succeeds", async () => {
    const saves = api.hold("patch /api/admin/books/{bookId}");
    await field(page, "Title").fill("The Deeper Well");
    await button(page, "Save").click();
    await saves.untilHeld();
    await page.getByRole("link", { name: "All books" }).click();
    await button(page, "Stay").click();
    saves.release();
    await expect(saved(page)).toBeVisible();
    await expect(field(page, "Title")).toHaveValue("The Deeper Well");
    await page.getByRole("link", { name: "All books" }).click();
    await expect(heading(page, "Books")).toBeVisible();
  });
  await test.step("the save fails after the page was left", async () => {
    await page.goBack();
    const saves = api.hold("patch /api/admin/books/{bookId}");
    await field(page, "Address name").fill("not a name");
    await button(page, "Save").click();
    await saves.untilHeld();
    await page.getByRole("link", { name: "Languages", exact: true }).click();
    await button(page, "Leave").click();
    await expect(heading(page, "Languages")).toBeVisible();
    saves.release();
    const notice = page.getByRole("alert").filter({ hasText: "couldn't be saved" });
    await expect(notice.filter({ hasText: "slug" })).toBeVisible();
  });
});

/** Presses Ctrl+S in the task after the one that shows an alert: no key can come earlier. */
const SAVE_AT_ONCE = `new MutationObserver((_, observer) => {
  if (!document.querySelector("[role=alert]")) return;
  observer.disconnect();
  const key = { key: "s", code: "KeyS", ctrlKey: true, bubbles: true };
  const press = () => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", key));
  scheduler.postTask(press, { priority: "user-blocking" });
}).observe(document, { childList: true, subtree: true })`;

test("a key that comes with the failure of a save saves again", async ({ api, open }) => {
  let count = 0;
  api.on("patch /api/admin/contacts/{contactId}", () => {
    count += 1;
    if (count === 1) throw new AppError(500, "server_error", "Not now.");
    return api.example("patch /api/admin/contacts/{contactId}");
  });
  const page = await open(CONTACT);
  await field(page, "First name").fill("Sarah");
  await page.evaluate(SAVE_AT_ONCE);
  await page.keyboard.press("Control+s");
  await expect(saved(page)).toBeVisible();
});
