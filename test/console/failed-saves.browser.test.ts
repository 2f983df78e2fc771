/** Nothing that was typed is lost when the service doesn't save it, whatever the reason. */
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { startAdministration } from "../support/administration-scene.ts";
import { CHROMIUM } from "../support/chromium.ts";
import { addReaders } from "../support/console-readers.ts";
import { openConsole, useBrowser } from "../support/console-scene.ts";
import { PASSWORD } from "../support/factory.ts";

const STATUSES = [403, 412, 429, 500, 503] as const;

interface TriedForm {
  path: string;
  /** The button that opens its dialog. */
  opens?: string;
  /** By label. */
  fields: Readonly<Record<string, string>>;
  saves: string;
}

const SECRET = "correct horse battery staple 9";

const FORMS: Readonly<Record<string, TriedForm>> = {
  "of a contact": { path: "contacts/CONTACT", fields: { "First name": "Zoë", Phone: "+1 2" }, saves: "Save" },
  "of a decision on a consent": {
    path: "contacts/CONTACT",
    opens: "Record a decision",
    fields: { Marketing: "yes", "Version of the text": "v2" },
    saves: "Save",
  },
  "of an erasure": {
    path: "contacts/CONTACT",
    opens: "Erase",
    fields: { "To confirm, type omar@example.org": "omar@example.org" },
    saves: "Erase",
  },
  "of a new key": {
    path: "api-keys",
    opens: "Make a key",
    fields: { Purpose: "Newsletter", "Expires on": "2099-12-31" },
    saves: "Make a key",
  },
  "of a new user": {
    path: "users",
    opens: "Add a user",
    fields: { Name: "Ana", "E-mail": "ana@example.org", Password: SECRET, Role: "analyst" },
    saves: "Add",
  },
  "of a user": {
    path: "users",
    opens: "Edit viewer",
    fields: { Name: "Vera", Role: "editor" },
    saves: "Save",
  },
  "of a new password": {
    path: "users",
    opens: "New password of viewer",
    fields: { "New password": SECRET },
    saves: "Save",
  },
};

class OpenForm {
  readonly #page: Page;
  readonly #form: TriedForm;
  readonly #element: Locator;

  constructor(page: Page, form: TriedForm) {
    this.#page = page;
    this.#form = form;
    const button = page.getByRole("button", { name: form.saves, exact: true });
    this.#element = page
      .locator("#content")
      .locator(form.opens ? "[role=dialog]" : "form")
      .filter({ has: button })
      .first();
  }

  async fill(): Promise<void> {
    const { opens, fields } = this.#form;
    if (opens) await this.#page.getByRole("button", { name: opens, exact: true }).click();
    for (const [label, value] of Object.entries(fields)) {
      const field = this.#find(label);
      await field.waitFor();
      const isList = (await field.and(this.#page.locator("select")).count()) > 0;
      await (isList ? field.selectOption(value) : field.fill(value));
    }
  }

  async expectTyped(): Promise<void> {
    for (const [label, value] of Object.entries(this.#form.fields))
      expect([label, await this.#find(label).inputValue()]).toEqual([label, value]);
  }

  save = () => this.#element.getByRole("button", { name: this.#form.saves, exact: true }).click();

  async expectSaved(): Promise<void> {
    if (this.#form.opens) await this.#element.waitFor({ state: "detached" });
    else await this.#page.getByText("Saved", { exact: true }).waitFor();
  }

  #find(label: string): Locator {
    return this.#element.getByLabel(label, { exact: true }).first();
  }
}

/** Answers every change with a status, until it is told otherwise. */
async function failChanges(page: Page) {
  let status: number | undefined;
  await page.route(/\/api\/admin\//, (route) =>
    status === undefined || route.request().method() === "GET"
      ? route.continue()
      : route.fulfill({
          status,
          json: { status, code: "x", detail: "The record has changed." },
          headers: { "Retry-After": "7" },
        }),
  );
  return (next: number | undefined) => {
    status = next;
  };
}

/** How a failure is reported. */
const REPORT = /^(This didn't work|This contact changed meanwhile)$/;

async function closeNotifications(page: Page): Promise<void> {
  const notes = page.locator("[role=alert].mantine-Notification-root");
  while ((await notes.count()) > 0) {
    const count = await notes.count();
    await notes.first().getByRole("button").click();
    await expect.poll(() => notes.count()).toBeLessThan(count);
  }
}

/** In the dialog over the page. */
async function logInAgain(page: Page, email: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Your session has ended" });
  await dialog.locator("input[type=email]").fill(email);
  await dialog.locator("input[type=password]").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
}

describe.skipIf(CHROMIUM === undefined)("what was typed (needs /usr/bin/chromium)", () => {
  const browser = useBrowser();

  it.each(Object.entries(FORMS))(
    "in the form %s stays after each failure and a new log-in",
    async (_, tried) => {
      const scene = await startAdministration();
      await scene.make.user("viewer");
      const { omar } = await addReaders(scene);
      const page = await openConsole(browser, scene, tried.path.replace("CONTACT", omar));
      const failWith = await failChanges(page);
      const form = new OpenForm(page, tried);
      await form.fill();
      for (const status of STATUSES) {
        failWith(status);
        await form.save();
        await page.getByText(REPORT).first().waitFor();
        await form.expectTyped();
        await closeNotifications(page);
      }
      failWith(undefined);
      await page.context().clearCookies();
      await form.save();
      await logInAgain(page, scene.email);
      await form.expectTyped();
      await form.save();
      await form.expectSaved();
    },
  );
});
