/** Nothing that was typed is lost when the service rejects a change for now: each form, with each of the statuses. */
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../support/chromium.ts";
import { addReaders } from "../support/console-readers.ts";
import { type ConsoleScene, openConsole, startConsole, useBrowser } from "../support/console-scene.ts";
import { PASSWORD } from "../support/factory.ts";

const NEW_PASSWORD = "correct horse battery staple 9";

const STATUSES = [401, 403, 412, 429, 500, 503];

interface Form {
  name: string;
  /** The address of its page. */
  path(scene: ConsoleScene): string | Promise<string>;
  /** What opens it, in their order: names of buttons. */
  open: readonly string[];
  /** What is typed, by the labels of the fields. */
  typed: Readonly<Record<string, string>>;
  /** What is chosen, by the labels of the lists. */
  chosen?: Readonly<Record<string, string>>;
  submit: string;
  isDialog?: boolean;
  /** Other ones than of most. */
  statuses?: readonly number[];
}

const FORMS: readonly Form[] = [
  {
    name: "a book",
    path: ({ well }) => `books/${well.id}`,
    open: [],
    typed: {
      Title: "The Deeper Well",
      Description: "About a well",
    },
    submit: "Save",
  },
  {
    name: "a new book",
    path: () => "books",
    open: ["Add a book"],
    typed: { "Title in English": "Stars" },
    submit: "Add",
    isDialog: true,
  },
  {
    name: "a translation",
    path: ({ well }) => `books/${well.id}`,
    open: ["Edit Spanish"],
    typed: { Title: "El pozo", Description: "De un pozo", Publisher: "Casa", Licence: "CC-BY-4.0" },
    submit: "Save",
    isDialog: true,
  },
  {
    name: "a language",
    path: () => "languages",
    open: ["Edit Spanish"],
    typed: { "Name in English": "Castilian", "Name in the language itself": "Castellano" },
    submit: "Save",
    isDialog: true,
  },
  {
    name: "a new language",
    path: () => "languages",
    open: ["Add a language"],
    typed: { "Language code": "sw" },
    submit: "Add",
    isDialog: true,
  },
  {
    name: "a new channel",
    path: () => "channels",
    open: ["Add a channel"],
    typed: { Name: "Newsletter", Description: "Each month", "Web address": "https://example.org" },
    submit: "Add",
    isDialog: true,
  },
  {
    name: "tags of many books",
    path: () => "books?search=deep",
    open: ["Change tags"],
    typed: { Tags: "summer" },
    submit: "Preview",
    isDialog: true,
  },
  {
    name: "a contact",
    path: async (scene) => `contacts/${(await addReaders(scene)).sara}`,
    open: [],
    typed: { "First name": "Sarah", "Last name": "Nunez", Country: "Uganda" },
    submit: "Save",
  },
  {
    name: "a decision on a consent",
    path: async (scene) => `contacts/${(await addReaders(scene)).omar}`,
    open: ["Record a decision"],
    typed: { "Version of the text": "v2" },
    chosen: { Marketing: "yes" },
    submit: "Save",
    isDialog: true,
    // For 412 it has words of its own: contacts.browser.test.ts shows them.
    statuses: [401, 403, 429, 500, 503],
  },
  {
    name: "an erasure",
    path: async (scene) => `contacts/${(await addReaders(scene)).omar}`,
    open: ["Erase"],
    typed: { "To confirm, type omar@example.org": "omar@example.org" },
    submit: "Erase",
    isDialog: true,
  },
  {
    name: "a user",
    path: async ({ make }) => {
      await make.user("viewer");
      return "users";
    },
    open: ["Edit viewer"],
    typed: { Name: "Vera", "E-mail": "vera@example.org" },
    chosen: { Role: "editor" },
    submit: "Save",
    isDialog: true,
  },
  {
    name: "a new password of a user",
    path: async ({ make }) => {
      await make.user("viewer");
      return "users";
    },
    open: ["New password of viewer"],
    typed: { "New password": NEW_PASSWORD },
    submit: "Save",
    isDialog: true,
  },
  {
    name: "a new user",
    path: () => "users",
    open: ["Add a user"],
    typed: { Name: "Ana", "E-mail": "ana@example.org", Password: NEW_PASSWORD },
    submit: "Add",
    isDialog: true,
  },
  {
    name: "a new key",
    path: () => "api-keys",
    open: ["Make a key"],
    typed: { Purpose: "Website" },
    submit: "Make a key",
    isDialog: true,
  },
  {
    name: "a new password",
    path: () => "account",
    open: [],
    typed: { "Current password": PASSWORD, "New password": NEW_PASSWORD },
    submit: "Change the password",
  },
];

const button = (within: Page | Locator, name: string) => within.getByRole("button", { name, exact: true });

const CODES: Readonly<Record<number, string>> = { 403: "permission_missing" };

/** The sentence that a status is shown with. */
const WORDS: Readonly<Record<number, string>> = {
  403: "Your account doesn't have the permission for this.",
  412: "The server reported an error.",
  429: "Too many requests. Try again in 7 seconds.",
  500: "The server is busy or being restarted. What you typed is still here; try again.",
  503: "The server is busy or being restarted. What you typed is still here; try again.",
};

/** Logs in over the page. */
async function renewSession(page: Page) {
  const dialog = page.getByRole("dialog", { name: "Your session has ended" });
  await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await button(dialog, "Log in").click();
  await dialog.waitFor({ state: "detached" });
}

/** @returns a function that reads what the fields contain */
async function fillForm(form: Locator, { typed, chosen = {} }: Form) {
  const fields: Locator[] = [];
  for (const [name, text] of Object.entries(typed)) {
    const field = form.getByLabel(name, { exact: true }).and(form.locator("input, textarea"));
    await field.fill(text);
    fields.push(field);
  }
  for (const [name, value] of Object.entries(chosen)) {
    const field = form.getByRole("combobox", { name, exact: true });
    await field.selectOption(value);
    fields.push(field);
  }
  const readFields = () => Promise.all(fields.map((field) => field.inputValue()));
  await expect.poll(readFields).toEqual([...Object.values(typed), ...Object.values(chosen)]);
  return readFields;
}

describe.skipIf(CHROMIUM === undefined)("what was typed stays (needs /usr/bin/chromium)", () => {
  const browser = useBrowser();

  it.each(FORMS)("in the form of $name", async (tried) => {
    const { path, open, submit, isDialog = false } = tried;
    const scene = await startConsole();
    const page = await openConsole(browser, scene, await path(scene));
    let status: number | undefined;
    await page.route(/\/api\/(admin|auth\/password)/, (route) =>
      status === undefined || route.request().method() === "GET"
        ? route.continue()
        : route.fulfill({
            status,
            json: { status, code: CODES[status] ?? "x" },
            headers: { "Retry-After": "7" },
          }),
    );
    if (open.includes("Change tags"))
      await page.getByRole("checkbox", { name: "Select The Deep Well" }).click();
    for (const name of open) await button(page, name).click();
    const form = isDialog ? page.getByRole("dialog").first() : page.locator("#content");
    const readFields = await fillForm(form, tried);
    const given = await readFields();
    for (status of tried.statuses ?? STATUSES) {
      await button(form, submit).click();
      if (status === 401) await renewSession(page);
      else {
        const notice = page.getByRole("alert").filter({ hasText: WORDS[status] ?? "" });
        await notice.waitFor();
        await button(notice, "Close").click();
        await notice.waitFor({ state: "detached" });
      }
      expect([status, await readFields()]).toEqual([status, given]);
    }
    status = undefined;
    const [response] = await Promise.all([
      page.waitForResponse((each) => each.request().method() !== "GET" && each.url().includes("/api/a")),
      button(form, submit).click(),
    ]);
    expect(response.ok(), await response.text()).toBe(true);
  });
});
