/** Nothing that was typed is lost when the service rejects a change for now: each form, with statuses in turn. */
import type { Locator, Page } from "@playwright/test";
import { AppError, forbidden, preconditionFailed, unauthorized, unavailable } from "../../../src/errors.ts";
import { ALL_VARIANTS } from "../../support/all-variants.ts";
import { PASSWORD } from "../../support/factory.ts";
import { expect, testOnStandIn } from "../fixtures.ts";
import { button } from "../support/locators.ts";
import type { OperationName } from "../support/operations.ts";
import { BOOK, CONTACT } from "../support/records.ts";
import type { StandIn } from "../support/stand-in.ts";

const test = testOnStandIn();

const NEW_PASSWORD = "correct horse battery staple 9";
const TOO_MANY = new AppError(429, "too_many_requests", "Wait.", { headers: { "Retry-After": "7" } });
const BUSY = "The server is busy or being restarted. What you typed is still here; try again.";

interface Rejection {
  error: AppError;
  /** The sentence with which it is shown; undefined: the log-in is. */
  words: string | undefined;
}

const SESSION_ENDED: Rejection = {
  error: unauthorized("unauthenticated", "The session has expired or was ended."),
  words: undefined,
};
const CHANGED: Rejection = {
  error: preconditionFailed("changed_meanwhile", "The record has changed since it was read."),
  words: "The record has changed since it was read.",
};
const OTHERS: readonly Rejection[] = [
  {
    error: forbidden("permission_missing", "The role has no such permission."),
    words: "Your account doesn't have the permission for this.",
  },
  { error: TOO_MANY, words: "Too many requests. Try again in 7 seconds." },
  { error: new AppError(500, "server_error", "Internal server error."), words: BUSY },
  { error: unavailable("stopping", "The server is shutting down."), words: BUSY },
];

/** Responds to an operation. @param take gets the body of each request, and throws to reject it */
type Answer = (api: StandIn, take: (body: unknown) => void) => void;

const to =
  <Name extends OperationName>(name: Name): Answer =>
  (api, take) =>
    api.on(name, ({ body }) => {
      take(body);
      return api.example(name);
    });

interface Form {
  name: string;
  /** The address of its page. */
  path: string;
  /** What opens it, in their order: names of buttons. */
  open?: readonly string[];
  /** What is typed, by the labels of the fields. */
  typed: Readonly<Record<string, string>>;
  /** What is chosen, by the labels of the lists. */
  chosen?: Readonly<Record<string, string>>;
  submit: string;
  answer: Answer;
  /** What is saved in the end. */
  sent: Record<string, unknown> | undefined;
  /** Has words of its own for a record that was changed. */
  hasOwnConflict?: boolean;
}

const OF_BOOKS: readonly Form[] = [
  {
    name: "a book",
    path: BOOK,
    typed: { Title: "The Deeper Well", Description: "About a well" },
    submit: "Save",
    answer: to("patch /api/admin/books/{bookId}"),
    sent: { titleEn: "The Deeper Well", description: "About a well" },
  },
  {
    name: "a translation",
    path: BOOK,
    open: ["Edit Spanish"],
    typed: { Title: "El pozo", Description: "De un pozo", Publisher: "Casa", Licence: "CC-BY-SA-4.0" },
    submit: "Save",
    answer: to("post /api/admin/books/{bookId}/translations"),
    sent: { title: "El pozo", description: "De un pozo", publisher: "Casa", license: "CC-BY-SA-4.0" },
  },
  {
    name: "tags of many books",
    path: "books?search=deep",
    open: ["Change tags"],
    typed: { Tags: "summer" },
    submit: "Preview",
    answer: to("post /api/admin/books/actions"),
    sent: { action: { type: "addTags", tags: ["summer"] }, dryRun: true },
  },
  {
    name: "a new book",
    path: "books",
    open: ["Add a book"],
    typed: { "Title in English": "Stars" },
    submit: "Add",
    answer: to("post /api/admin/books"),
    sent: { titleEn: "Stars" },
  },
];

const OF_LANGUAGES_AND_CHANNELS: readonly Form[] = [
  {
    name: "a language",
    path: "languages",
    open: ["Edit Spanish"],
    typed: { "Name in English": "Castilian", "Name in the language itself": "Castellano" },
    submit: "Save",
    answer: to("patch /api/admin/languages/{langId}"),
    sent: { name: "Castilian", nativeName: "Castellano" },
  },
  {
    name: "a new language",
    path: "languages",
    open: ["Add a language"],
    typed: { "Language code": "sw" },
    submit: "Add",
    answer: to("post /api/admin/languages"),
    sent: { code: "sw" },
  },
  {
    name: "a new channel",
    path: "channels",
    open: ["Add a channel"],
    typed: { Name: "Newsletter", Description: "Each month", "Web address": "https://example.org" },
    submit: "Add",
    answer: to("post /api/admin/channels"),
    sent: { name: "Newsletter", description: "Each month", url: "https://example.org" },
  },
];

const OF_CONTACTS: readonly Form[] = [
  {
    name: "a contact",
    path: CONTACT,
    typed: { "First name": "Sarah", "Last name": "Nunez", Country: "Uganda" },
    submit: "Save",
    answer: to("patch /api/admin/contacts/{contactId}"),
    sent: { firstName: "Sarah", lastName: "Nunez", country: "Uganda" },
  },
  {
    name: "a decision on a consent",
    path: CONTACT,
    open: ["Record a decision"],
    typed: { "Version of the text": "v2" },
    chosen: { Marketing: "yes" },
    submit: "Save",
    answer: to("patch /api/admin/contacts/{contactId}"),
    sent: { marketing: true, textVersion: "v2" },
    hasOwnConflict: true,
  },
  {
    name: "an erasure",
    path: CONTACT,
    open: ["Erase"],
    typed: { "To confirm, type reader@example.org": "reader@example.org" },
    submit: "Erase",
    answer: to("delete /api/admin/contacts/{contactId}"),
    sent: undefined,
  },
];

const OF_ACCOUNTS: readonly Form[] = [
  {
    name: "a user",
    path: "users",
    open: ["Edit Ben"],
    typed: { Name: "Vera", "E-mail": "vera@example.org" },
    chosen: { Role: "editor" },
    submit: "Save",
    answer: to("patch /api/admin/users/{userId}"),
    sent: { name: "Vera", email: "vera@example.org", role: "editor" },
  },
  {
    name: "a new password of a user",
    path: "users",
    open: ["New password of Ben"],
    typed: { "New password": NEW_PASSWORD },
    submit: "Save",
    answer: to("patch /api/admin/users/{userId}"),
    sent: { password: NEW_PASSWORD },
  },
  {
    name: "a new user",
    path: "users",
    open: ["Add a user"],
    typed: { Name: "Ana", "E-mail": "ana@example.org", Password: NEW_PASSWORD },
    submit: "Add",
    answer: to("post /api/admin/users"),
    sent: { name: "Ana", email: "ana@example.org", password: NEW_PASSWORD },
  },
  {
    name: "a new key",
    path: "api-keys",
    open: ["Make a key"],
    typed: { Purpose: "Website" },
    submit: "Make a key",
    answer: to("post /api/admin/api-keys"),
    sent: { name: "Website" },
  },
  {
    name: "a new password",
    path: "account",
    typed: { "Current password": PASSWORD, "New password": NEW_PASSWORD },
    submit: "Change the password",
    answer: to("put /api/auth/password"),
    sent: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
  },
];

/** Fills a form. @returns a function that checks that it contains that */
async function fillForm(form: Locator, { typed, chosen = {} }: Form) {
  const field = (name: string) =>
    form.getByLabel(name, { exact: true }).and(form.locator("input, textarea, select"));
  for (const [name, text] of Object.entries(typed)) await field(name).fill(text);
  for (const [name, value] of Object.entries(chosen)) await field(name).selectOption(value);
  return async () => {
    for (const [name, value] of Object.entries({ ...typed, ...chosen }))
      await expect(field(name)).toHaveValue(value);
  };
}

/** Shows what is wrong, until it is closed or the session is begun again. */
async function settle(page: Page, { words }: Rejection) {
  if (words === undefined) {
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await button(dialog, "Log in").click();
    await expect(dialog).toHaveCount(0);
  } else {
    const notice = page.getByRole("alert").filter({ hasText: words });
    await expect(notice).toBeVisible();
    await button(notice, "Close").click();
    await expect(notice).toHaveCount(0);
  }
}

async function tryForm(page: Page, api: StandIn, tried: Form, others: readonly Rejection[]) {
  const { open = [], submit, hasOwnConflict = false } = tried;
  let error: AppError | undefined;
  const saved: unknown[] = [];
  tried.answer(api, (body) => {
    if (error) throw error;
    saved.push(body);
  });
  await page.goto(api.base + tried.path);
  if (open.includes("Change tags"))
    await page.getByRole("checkbox", { name: "Select The Deep Well" }).click();
  for (const name of open) await button(page, name).click();
  const form = open.length > 0 ? page.getByRole("dialog").first() : page.locator("#content");
  const expectTyped = await fillForm(form, tried);
  for (const rejection of [SESSION_ENDED, ...(hasOwnConflict ? [] : [CHANGED]), ...others]) {
    error = rejection.error;
    await button(form, submit).click();
    await settle(page, rejection);
    await expectTyped();
  }
  error = undefined;
  await button(form, submit).click();
  await expect.poll(() => saved).toEqual([tried.sent && expect.objectContaining(tried.sent)]);
}

for (const [pages, forms] of Object.entries({
  books: OF_BOOKS,
  "languages and channels": OF_LANGUAGES_AND_CHANNELS,
  contacts: OF_CONTACTS,
  accounts: OF_ACCOUNTS,
}))
  test(`stays in forms of ${pages}`, async ({ api, open }) => {
    const page = await open("settings");
    for (const [index, form] of forms.entries()) {
      const others = OTHERS.filter((_, place) => ALL_VARIANTS || place === index % OTHERS.length);
      await test.step(form.name, () => tryForm(page, api, form, others));
    }
  });
