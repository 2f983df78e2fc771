/** Nothing typed is lost by one slip: the ways out of a form ask before, those of a dialog and the log-out as well. */
import type { Page } from "@playwright/test";
import { findAccessibilityErrors } from "../../support/chromium.ts";
import { expect, testOnStandIn } from "../fixtures.ts";
import { button, field, heading } from "../support/locators.ts";
import { BOOK, endSession } from "../support/records.ts";
import { LOST } from "../support/stand-in.ts";

const test = testOnStandIn();

const question = (page: Page) => page.getByRole("dialog", { name: "Leave", exact: true });

async function logOut(page: Page) {
  await page.locator("header").getByRole("button").last().click();
  await page.getByRole("menuitem", { name: "Log out" }).click();
}

/** Whether the browser would ask before the window closes. */
const keepsWindow = (page: Page) =>
  page.evaluate("!dispatchEvent(new Event('beforeunload', { cancelable: true }))");

/** The form of a new channel, from the page of the books. */
async function openForm(page: Page) {
  await page.getByRole("link", { name: "Channels", exact: true }).click();
  await button(page, "Add a channel").click();
  const form = page.getByRole("dialog", { name: "Add a channel" });
  return { form, name: field(form, "Name") };
}

test("a link and a log-out ask before what was typed is lost", async ({ open }) => {
  const page = await open(BOOK);
  const title = field(page, "Title");
  await title.fill("Typed");
  await page.getByRole("link", { name: "Languages", exact: true }).click();
  await button(page, "Stay").click();
  await expect(question(page)).toBeHidden();
  await expect(title).toHaveValue("Typed");
  await logOut(page);
  await expect(question(page)).toBeVisible();
  expect(await findAccessibilityErrors(page)).toEqual([]);
  await button(page, "Stay").click();
  await expect(question(page)).toBeHidden();
  await expect(title).toHaveValue("Typed");
  await logOut(page);
  await question(page).getByRole("button", { name: "Leave", exact: true }).click();
  await expect(heading(page, "Log in")).toBeVisible();
  await page.reload();
  await expect(heading(page, "Log in")).toBeVisible();
});

test("a log-out that doesn't reach the server is none, and says so", async ({ api, open }) => {
  const page = await open("books");
  api.on("post /api/auth/logout", () => LOST);
  await logOut(page);
  await expect(page.getByText("The server can't be reached.")).toBeVisible();
  await expect(heading(page, "Books")).toBeVisible();
  api.on("post /api/auth/logout", () => {
    endSession(api);
    return undefined;
  });
  await logOut(page);
  await expect(heading(page, "Log in")).toBeVisible();
});

test("a log-out after the end of the session shows the log-in", async ({ api, open }) => {
  const page = await open("books");
  endSession(api);
  await logOut(page);
  await expect(heading(page, "Log in")).toBeVisible();
});

const WAYS: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  Escape: (page) => page.keyboard.press("Escape"),
  "✕": (page) => page.getByRole("dialog").first().getByRole("button", { name: "Close" }).click(),
  Cancel: (page) => button(page, "Cancel").click(),
  Back: (page) => page.goBack(),
};

test("of the form in a dialog asks nothing before something was typed", async ({ open }) => {
  const page = await open("books");
  const { form } = await openForm(page);
  await page.keyboard.press("Escape");
  await expect(form).toBeHidden();
});

test(`of the form in a dialog by ${Object.keys(WAYS).join(", ")} asks once something was typed`, async ({
  open,
}) => {
  const page = await open("books");
  const { name } = await openForm(page);
  await name.fill("Newsletter");
  expect(await keepsWindow(page)).toBe(true);
  for (const leave of Object.values(WAYS)) {
    await leave(page);
    await expect(question(page)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(question(page)).toBeHidden();
    await expect(name).toHaveValue("Newsletter");
  }
  await page.goBack();
  await expect(question(page)).toBeVisible();
  expect(await findAccessibilityErrors(page)).toEqual([]);
  await question(page).getByRole("button", { name: "Leave", exact: true }).click();
  await expect(heading(page, "Books")).toBeVisible();
  expect(await keepsWindow(page)).toBe(false);
});

test("of the form in a dialog after it was saved asks nothing", async ({ open }) => {
  const page = await open("books");
  const { form, name } = await openForm(page);
  await name.fill("Newsletter");
  await page.keyboard.press("Enter");
  await expect(form).toBeHidden();
  expect(await keepsWindow(page)).toBe(false);
  await button(page, "Add a channel").click();
  await expect(form).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(form).toBeHidden();
});

test("of a page and of a dialog over it with something typed in both asks once", async ({ open }) => {
  const page = await open("books");
  await page.getByRole("link", { name: "The Deep Well" }).click();
  await field(page, "Title").fill("Typed behind");
  await button(page, "Edit Spanish").click();
  await page.getByRole("dialog").getByLabel("Title", { exact: true }).fill("El pozo");
  await page.goBack();
  await question(page).getByRole("button", { name: "Leave", exact: true }).click();
  await expect(heading(page, "Books")).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

/** The page of the books, in which a way back types a letter before the console notices it. */
async function openWithLateLetter(open: (path: string) => Promise<Page>) {
  const page = await open("books");
  const type = "document.execCommand('insertText', false, 'x')";
  await page.addInitScript(`addEventListener("popstate", () => ${type}, { once: true })`);
  await page.reload();
  return page;
}

/** Goes back, and answers the question as soon as it is shown. */
const GO_BACK_AND_LEAVE = `new Promise((done) => {
  const find = () => [...document.querySelectorAll("[role=dialog] button")].find((each) => each.textContent === "Leave");
  const watch = new MutationObserver(() => {
    const button = find();
    if (!button) return;
    watch.disconnect();
    button.click();
    done();
  });
  watch.observe(document.body, { subtree: true, childList: true });
  history.back();
})`;

test("of a page by Back asks although its first letter has only just been typed", async ({ open }) => {
  const page = await openWithLateLetter(open);
  await page.getByRole("link", { name: "The Deep Well" }).click();
  await expect(field(page, "Title")).toHaveValue("The Deep Well");
  await field(page, "Title").focus();
  await page.evaluate("history.back()");
  await expect(question(page)).toBeVisible();
  await button(page, "Stay").click();
  await expect(question(page)).toBeHidden();
  await expect(field(page, "Title")).toHaveValue(/x/);
});

test("of a page by Back takes an answer at once", async ({ open }) => {
  const page = await openWithLateLetter(open);
  await page.getByRole("link", { name: "The Deep Well" }).click();
  await field(page, "Title").fill("Typed behind");
  await button(page, "Edit Spanish").click();
  const title = page.getByRole("dialog").getByLabel("Title", { exact: true });
  await expect(title).toHaveValue("El pozo profundo");
  await title.focus();
  await page.evaluate(GO_BACK_AND_LEAVE);
  await expect(heading(page, "Books")).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("of a new key by Back asks until it is stored", async ({ open }) => {
  const page = await open("books");
  await page.getByRole("link", { name: "API keys", exact: true }).click();
  await button(page, "Make a key").click();
  await page.getByLabel("Purpose", { exact: true }).fill("Website");
  await page.keyboard.press("Enter");
  const key = field(page, "Key");
  await expect(key).toBeVisible();
  expect(await keepsWindow(page)).toBe(true);
  await page.goBack();
  await expect(question(page).getByText("The key is shown only now.")).toBeVisible();
  await button(page, "Stay").click();
  await expect(question(page)).toBeHidden();
  await expect(key).toBeVisible();
  await button(page, "I have stored the key").click();
  await expect(key).toBeHidden();
  expect(await keepsWindow(page)).toBe(false);
});
