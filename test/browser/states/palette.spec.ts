/** The palette: it leads to pages, books and contacts, to filters that have a name, and to actions. */
import type { Page } from "@playwright/test";
import { notFound } from "../../../src/errors.ts";
import { findAccessibilityErrors } from "../../support/chromium.ts";
import { expect, testOnStandIn } from "../fixtures.ts";
import { field, heading } from "../support/locators.ts";
import { beginSession } from "../support/records.ts";
import { ANY_TITLE } from "../support/scenes.ts";
import type { StandIn } from "../support/stand-in.ts";

const test = testOnStandIn();

const WELL = "The Deep Well";
const READER = { email: "sara@example.org", name: "Sara Núñez" };

const dialog = (page: Page) => page.getByRole("dialog");
const box = (page: Page) => dialog(page).getByRole("combobox");
const option = (page: Page, name: string | RegExp) => dialog(page).getByRole("option", { name });

async function find(page: Page, words: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await expect(box(page)).toBeFocused();
  await page.keyboard.type(words);
}

/** A contact that is found by its name and its address. @returns what is asked for */
function addReader(api: StandIn): string[] {
  const asked: string[] = [];
  const { contacts, pagination } = api.example("get /api/admin/contacts");
  api.on("get /api/admin/contacts", ({ query }) => {
    const words = query.get("search") ?? "";
    asked.push(words);
    const isFound = `${READER.name} ${READER.email}`.toLowerCase().includes(words);
    const found = isFound ? contacts.map((contact) => ({ ...contact, email: READER.email })) : [];
    return { contacts: found, pagination: { ...pagination, total: found.length } };
  });
  return asked;
}

test("leads to a page and to a book by keyboard alone, and to the forms of new records", async ({
  api,
  open,
}) => {
  addBooks(api, [WELL, ANY_TITLE]);
  addReader(api);
  const page = await open("books");
  await test.step("a page", async () => {
    await find(page, "chan");
    await expect(page.getByRole("option", { name: /Channels/, selected: true })).toBeVisible();
    await expect(page.getByRole("combobox", { name: "Page or book" })).toBeFocused();
    expect(await findAccessibilityErrors(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await expect(heading(page, "Channels")).toBeVisible();
    await expect(dialog(page)).toHaveCount(0);
  });
  await test.step("a book", async () => {
    await find(page, "script");
    await expect(option(page, /كتاب/)).toBeVisible();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await expect(field(page, "Title")).toBeVisible();
    await expect(page.locator("h1")).toHaveText(ANY_TITLE);
  });
  for (const [words, name, form] of [
    ["add a book", "Add a book", "Add a book"],
    ["add lang", "Add a language", "Add a language"],
    ["make key", "Make an API key", "Make a key"],
    ["add user", "Add a user", "Add a user"],
  ] as const)
    await test.step(form, async () => {
      await find(page, words);
      await expect(option(page, name)).toBeVisible();
      await page.keyboard.press("Enter");
      await expect(page.getByRole("dialog", { name: form })).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(dialog(page)).toHaveCount(0);
    });
});

test("opens the form of a new record on its page, once", async ({ open }) => {
  const page = await open("books");
  await find(page, "add chan");
  await expect(option(page, "Add a channel")).toBeVisible();
  expect(await findAccessibilityErrors(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await expect(heading(page, "Channels")).toBeVisible();
  const form = page.getByRole("dialog", { name: "Add a channel" });
  await expect(form).toBeVisible();
  const { x, width } = (await form.boundingBox()) ?? { x: 0, width: 0 };
  expect(Math.abs(x + width / 2 - (page.viewportSize()?.width ?? 0) / 2)).toBeLessThan(10);
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await page.goBack();
  await expect(heading(page, "Books")).toBeVisible();
  await page.goForward();
  await expect(heading(page, "Channels")).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
});

test("runs the doctor, once", async ({ api, open }) => {
  const job = api.example("get /api/admin/jobs/{jobId}");
  const { report } = api.example("get /api/admin/doctor/last");
  let runs = 0;
  let reads = 0;
  api.on("post /api/admin/doctor/runs", () => {
    runs += 1;
    return api.example("post /api/admin/doctor/runs");
  });
  api.on("get /api/admin/jobs/{jobId}", () => {
    reads += 1;
    return reads === 1 ? job : { ...job, status: "done", finishedAt: job.startedAt, result: report };
  });
  const page = await open("books");
  await find(page, "run doctor");
  await page.keyboard.press("Enter");
  await expect(heading(page, "Doctor")).toBeVisible();
  await expect(page).toHaveURL(/job=/);
  await expect(page.getByRole("table").first()).toBeVisible();
  await expect(page.getByRole("progressbar")).toBeVisible();
  await expect(page.getByRole("progressbar")).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("table").first()).toBeVisible();
  expect(runs).toBe(1);
});

test("finds contacts by name and address, and asks for them only when somebody types", async ({
  api,
  open,
}) => {
  addBooks(api, ["Stars"]);
  const asked = addReader(api);
  const page = await open("account");
  await test.step("two letters at least", async () => {
    await find(page, "s");
    await expect(option(page, "Stars")).toBeVisible();
    expect(asked).toEqual([]);
    await page.keyboard.type("ara@");
    await expect(option(page, READER.name)).toBeVisible();
    expect(await findAccessibilityErrors(page)).toEqual([]);
    await expect(page.getByRole("group", { name: "Contacts" })).toHaveCount(1);
    await page.keyboard.press("Enter");
    await expect(heading(page, READER.name)).toBeVisible();
  });
  await test.step("the arrows keep what they reached when others come before it", async () => {
    addBooks(api, ["Sara's Well"]);
    await page.getByRole("link", { name: "Languages", exact: true }).click();
    const books = api.hold("get /api/admin/books");
    await find(page, "sara");
    await expect(option(page, READER.name)).toBeVisible();
    await page.keyboard.press("ArrowDown");
    books.release();
    await expect(option(page, "Sara's Well")).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(heading(page, READER.name)).toBeVisible();
  });
});

test("doesn't open what the words before found: Enter waits for what these find", async ({ api, open }) => {
  addBooks(api, [WELL, "Deep Sea"]);
  const page = await open("account");
  await find(page, "deep");
  await expect(option(page, WELL)).toBeVisible();
  await page.keyboard.type(" sea");
  await page.keyboard.press("Enter");
  await expect(heading(page, "Deep Sea")).toBeVisible();
});

test("opens by mouse, and neither offers nor reads what the user may not see", async ({ api, open }) => {
  beginSession(api, { role: "viewer" });
  addBooks(api, [WELL]);
  const asked = addReader(api);
  const page = await open("books");
  await find(page, "sara");
  await expect(page.getByText("Nothing has all of these words.")).toBeVisible();
  await box(page).fill("");
  await expect(option(page, "Log out")).toBeVisible();
  await expect(option(page, /^(Add|Make|Import|Run)/)).toHaveCount(0);
  expect(asked).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await page.getByRole("button", { name: "Go to" }).click();
  await expect(option(page, "Languages")).toHaveText("LanguagesPages");
  await expect(option(page, "Users")).toHaveCount(0);
  await option(page, "Languages").click();
  await expect(heading(page, "Languages")).toBeVisible();
});

test("changes colours and language, and logs out", async ({ open }) => {
  const page = await open("books", { colorScheme: "light" });
  await find(page, "dark");
  await page.keyboard.press("Enter");
  await expect(page.locator("html[data-mantine-color-scheme=dark]")).toBeVisible();
  await find(page, "العربية");
  await page.keyboard.press("Enter");
  await expect(page.locator("html[dir=rtl]")).toBeVisible();
  await find(page, "English");
  await page.keyboard.press("Enter");
  await expect(page.locator("html[dir=ltr]")).toBeVisible();
  await find(page, "log out");
  await page.keyboard.press("Enter");
  await expect(page.locator("input[type=password]")).toBeVisible();
});

test("offers what can be done on a book, and filters that have a name", async ({ api, open }) => {
  addBooks(api, [WELL, "The High Hill"]);
  const page = await open("books?missing=cover");
  await page.getByRole("button", { name: "Saved filters" }).click();
  await page.getByRole("menuitem", { name: "Save these filters" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("without cover");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Saved filters: without cover" })).toBeVisible();
  await page.getByRole("link", { name: WELL }).click();
  await page.getByRole("textbox", { name: "Title", exact: true }).fill("The Deepest Well");
  await find(page, "save and next");
  await page.keyboard.press("Enter");
  await expect(heading(page, "The High Hill")).toBeVisible();
  await expect(page.getByRole("link", { name: "Previous book" })).toBeVisible();
  await find(page, "previous");
  await page.keyboard.press("Enter");
  await expect(heading(page, "The Deepest Well")).toBeVisible();
  await find(page, "archive");
  const here = page.getByRole("group", { name: "On this page" });
  await expect(here.getByRole("option", { name: "Archive" })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByText("The book was archived.")).toBeVisible();
  await find(page, "books without");
  await expect(option(page, "Books: without cover")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/books\?missing=cover/);
});

/** @param titles in the order of lists */
function addBooks(api: StandIn, titles: readonly string[]): void {
  const details = api.example("get /api/admin/books/{bookId}");
  const [example] = api.example("get /api/admin/books").books;
  if (!("book" in details) || example === undefined) throw new Error("The examples are no books.");
  const books = titles.map((titleEn, index) => {
    const id = `01a1fb60-1a34-772b-a309-${String(index).padStart(12, "0")}`;
    return { ...example, id, titleEn, slug: `book-${index}` };
  });
  const find = (bookId = "") => {
    const book = books.find(({ id }) => id === bookId);
    if (!book) throw notFound("book_not_found", "Book not found.");
    return book;
  };
  const describe = ({ id, titleEn, slug }: typeof example) => ({ ...details.book, id, titleEn, slug });
  api.on("get /api/admin/books", ({ query }) => {
    const words = query.get("search")?.toLowerCase() ?? "";
    const found = books.filter(({ titleEn }) => titleEn.toLowerCase().includes(words));
    return { books: found, pagination: { page: 1, limit: 50, total: found.length, totalPages: 1 } };
  });
  api.on("get /api/admin/books/{bookId}", ({ params }) => ({ ...details, book: describe(find(params[0])) }));
  api.on("patch /api/admin/books/{bookId}", ({ params, body }) => {
    const book = find(params[0]);
    book.titleEn = body.titleEn ?? book.titleEn;
    return { ...api.example("patch /api/admin/books/{bookId}"), book: describe(book) };
  });
}
