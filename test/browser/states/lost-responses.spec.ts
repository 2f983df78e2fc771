/** A change that the service has made while its response was lost is no conflict with the next attempt. */
import type { Locator, Page } from "@playwright/test";
import { expect, testOnStandIn } from "../fixtures.ts";
import { keepBook, keepChannel, keepContact, keepLanguage } from "../support/kept.ts";
import { BOOK, CONTACT } from "../support/records.ts";
import type { StandIn } from "../support/stand-in.ts";

const test = testOnStandIn();

type Texts = Readonly<Record<string, string>>;

interface Attempts {
  /** What is typed before the first attempt, by the labels of the fields; the service writes some of it differently. */
  typed: Texts;
  /** What is typed before the second one. */
  more?: Texts;
}

const fill = async (form: Locator, texts: Texts = {}) => {
  for (const [name, text] of Object.entries(texts))
    await form.getByRole("textbox", { name, exact: true }).fill(text);
};

async function save(form: Locator) {
  await expect(form.locator("form button[type=submit]").first()).toBeEnabled();
  await form.locator("form input:not([type=hidden])").first().press("Enter");
}

const failure = (page: Page) => page.getByRole("alert").filter({ hasText: "The server can't be reached." });

/** Saves a form twice, of which the first response is lost. */
async function saveTwice(page: Page, api: StandIn, form: Locator, { typed, more }: Attempts) {
  await fill(form, typed);
  const mend = api.loseChange();
  await save(form);
  await expect(failure(page)).toBeVisible();
  mend();
  await failure(page).getByRole("button", { name: "Close", exact: true }).click();
  await expect(failure(page)).toHaveCount(0);
  await fill(form, more);
  await save(form);
}

const edit = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

test("of a book and of a translation", async ({ api, open }) => {
  const { book, translations } = keepBook(api);
  const page = await open(BOOK);
  await saveTwice(page, api, page.locator("#content"), {
    typed: { Title: " The Deeper Well ", Tags: "deep,  wells,2026" },
    more: { Description: "About a well" },
  });
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  expect(book.now).toMatchObject({
    titleEn: "The Deeper Well",
    tags: ["folk tales", "deep", "wells", "2026"],
    description: "About a well",
  });
  await edit(page, "Edit Spanish");
  const dialog = page.getByRole("dialog");
  await saveTwice(page, api, dialog, {
    typed: { Title: "El pozo  ", ISBN: "978-0-306-40615-7" },
    more: { Publisher: "Pozos" },
  });
  await expect(dialog).toHaveCount(0);
  const spanish = translations.get("es")?.now;
  expect(spanish).toMatchObject({ title: "El pozo", isbn: "9780306406157", publisher: "Pozos" });
});

test("of a language and of a channel", async ({ api, open }) => {
  const language = keepLanguage(api);
  const channel = keepChannel(api);
  const page = await open("languages");
  const dialog = page.getByRole("dialog");
  await edit(page, "Edit Arabic");
  await saveTwice(page, api, dialog, {
    typed: { "Name in English": " Classical Arabic" },
    more: { "Name in the language itself": "العربية الفصحى" },
  });
  await expect(dialog).toHaveCount(0);
  expect(language.now).toMatchObject({ name: "Classical Arabic", nativeName: "العربية الفصحى" });
  await page.getByRole("link", { name: "Channels", exact: true }).click();
  await edit(page, "Edit Children's site");
  await saveTwice(page, api, dialog, {
    typed: { Name: "Our website " },
    more: { Name: "Our website of books" },
  });
  await expect(dialog).toHaveCount(0);
  expect(channel.now).toMatchObject({ name: "Our website of books" });
});

test("of a contact and of a decision on a consent", async ({ api, open }) => {
  const { contact, statements } = keepContact(api);
  const page = await open(CONTACT);
  await saveTwice(page, api, page.locator("#content"), {
    typed: { "First name": " Sarah", Country: "Uganda" },
    more: { Phone: "+256 1" },
  });
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  expect(contact.now).toMatchObject({ firstName: "Sarah", country: "Uganda", phone: "+256 1" });
  await edit(page, "Record a decision");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Marketing" }).selectOption("yes");
  await saveTwice(page, api, dialog, { typed: { "Version of the text": "v2" } });
  await expect(dialog).toHaveCount(0);
  expect(statements.consent).toMatchObject({ state: "agreed", textVersion: "v2" });
  expect(statements.consents).toHaveLength(2);
});

test("doesn't hide what someone else has changed besides", async ({ api, open }) => {
  const { contact } = keepContact(api);
  const page = await open(CONTACT);
  await fill(page.locator("#content"), { "First name": " Sarah", Country: "Uganda" });
  const mend = api.loseChange();
  await page.keyboard.press("Control+s");
  await expect(failure(page)).toBeVisible();
  mend();
  contact.change({ country: "Tanzania" });
  await page.keyboard.press("Control+s");
  await expect(page.getByText("Someone else saved this while you typed")).toBeVisible();
  await expect(page.getByRole("cell", { name: "Tanzania" })).toBeVisible();
  await expect(page.getByRole("row", { name: /First name/ })).toHaveCount(0);
  expect(contact.now.country).toBe("Tanzania");
});
