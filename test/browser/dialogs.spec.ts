/** What opens over a page, or changes under the pointer, in the looks of test/support/looks.ts. */
import type { Locator, Page } from "@playwright/test";
import { ALL_VARIANTS } from "../support/all-variants.ts";
import { choosing, findErrors, LOOKS, nameOf, seenIn } from "../support/looks.ts";
import { expect, testOn } from "./fixtures.ts";
import { go } from "./support/go.ts";
import { ADMINISTRATION, type AdministrationScene } from "./support/scenes.ts";
import { settled } from "./support/settled.ts";

const test = testOn(ADMINISTRATION);

/** With a sub-language that can show books, and an archived book. */
async function addMore(scene: AdministrationScene) {
  const { make, any } = scene;
  const admin = await scene.admin();
  const { body } = await admin.get("/api/admin/languages");
  const es = body.languages.find(({ code }: { code: string }) => code === "es");
  await make.language("es-MX", { parentId: es.id });
  const archived = await make.book("An archived book");
  await admin.delete(`/api/admin/books/${archived.id}`);
  await make.textFile(any.id, "es", "Uno");
  return { ...scene, admin, omar: scene.readers.omar, archived };
}

type Scene = Awaited<ReturnType<typeof addMore>>;

/** Names differ from language to language, so each is found by its place. */
interface Dialog {
  name: string;
  path(scene: Scene): string;
  /** Pressed in their order. */
  open(page: Page, scene: Scene): Promise<void>;
  /** What is then shown; a dialog unless told. */
  shown?: string;
  /** What is typed would be lost, so the page asks before another one comes. */
  asks?: true;
}

const besideTitle = (page: Page) => page.locator("#content div:has(> h1) button");
const inRows = (page: Page) => page.locator("#content tbody button");
const press = (find: (page: Page) => Locator, index: number) => (page: Page) => find(page).nth(index).click();
const onBook = ({ well }: Scene) => `books/${well.id}`;

async function openMenuOfLanguage(page: Page): Promise<Locator> {
  await page.locator("section[aria-labelledby=languages] tbody [aria-haspopup=menu]").first().click();
  return page.locator("[role=menu] [role=menuitem]");
}

async function selectBooks(page: Page, index: number) {
  await page.locator("#content thead input[type=checkbox]").click();
  await page.locator("section[aria-label]:has([role=status]) button").nth(index).click();
}

async function typeTitle(page: Page) {
  await page.locator("#content form input").first().fill("Another title");
}

const DIALOGS: readonly Dialog[] = [
  { name: "a new book", path: () => "books", open: press(besideTitle, 0) },
  { name: "tags", path: () => "books", open: (page) => selectBooks(page, 0) },
  { name: "the series", path: () => "books", open: (page) => selectBooks(page, 1) },
  { name: "publications of many books", path: () => "books", open: (page) => selectBooks(page, 2) },
  {
    name: "an undo",
    path: () => "books",
    open: (page) => selectBooks(page, 3),
    shown: "[role=alert] button",
  },
  {
    name: "the menu of a language",
    path: onBook,
    open: async (page) => void (await openMenuOfLanguage(page)),
    shown: "[role=menu]",
  },
  {
    name: "a language of a book",
    path: onBook,
    open: async (page) => (await openMenuOfLanguage(page)).first().click(),
  },
  {
    name: "the removal of a file",
    path: onBook,
    open: async (page) => (await openMenuOfLanguage(page)).last().click(),
  },
  {
    name: "the way out of a form",
    path: onBook,
    async open(page) {
      await typeTitle(page);
      await page.keyboard.press("Control+k");
      await page.locator("[role=option]").nth(1).click();
    },
    // Not the palette, which is closing.
    shown: "[role=dialog]:not(:has([role=combobox]))",
    asks: true,
  },
  {
    name: "the deletion of a book",
    path: ({ archived }) => `books/${archived.id}`,
    open: press(besideTitle, 1),
  },
  {
    name: "what someone else saved",
    path: onBook,
    async open(page, { admin, well }) {
      await typeTitle(page);
      await admin.patch(`/api/admin/books/${well.id}`, { titleEn: "Their title" });
      await page.keyboard.press("Control+s");
    },
    shown: "form [role=alert] table",
    asks: true,
  },
  { name: "a new language", path: () => "languages", open: press(besideTitle, 0) },
  { name: "a language", path: () => "languages", open: press(inRows, 0) },
  {
    name: "books of a sub-language",
    path: () => "languages",
    open: (page) => page.locator("#content tr:has-text('es-MX') button").nth(1).click(),
  },
  { name: "a new channel", path: () => "channels", open: press(besideTitle, 0) },
  { name: "a channel", path: () => "channels", open: press(inRows, 0) },
  { name: "the deletion of a channel", path: () => "channels", open: press(inRows, 1) },
  {
    name: "a decision on a consent",
    path: ({ omar }) => `contacts/${omar}`,
    open: press((page) => page.locator("#content section button[type=button]"), 0),
  },
  {
    name: "the erasure of a contact",
    path: ({ omar }) => `contacts/${omar}`,
    open: (page) => besideTitle(page).last().click(),
  },
  {
    name: "the ways to export contacts",
    path: () => "contacts",
    open: press(besideTitle, 0),
    shown: "[role=menu]",
  },
  { name: "a new key", path: () => "api-keys", open: press(besideTitle, 0) },
  { name: "the revocation of a key", path: () => "api-keys", open: press(inRows, 0) },
  { name: "a new user", path: () => "users", open: press(besideTitle, 0) },
  { name: "a user", path: () => "users", open: press(inRows, 0) },
  { name: "a new password", path: () => "users", open: press(inRows, 1) },
  {
    name: "the menu of the user",
    path: () => "account",
    open: (page) => page.locator("header [aria-haspopup=menu]").click(),
    shown: "header [role=menu]",
  },
  {
    name: "a dangerous button under the pointer",
    path: () => "channels",
    open: (page) => inRows(page).nth(1).hover(),
    shown: "#content tbody button:hover",
  },
  { name: "the palette", path: () => "account", open: (page) => page.keyboard.press("Control+k") },
  { name: "the keys", path: () => "account", open: (page) => page.keyboard.press("?") },
  {
    name: "the end of the session",
    path: onBook,
    async open(page) {
      await typeTitle(page);
      await page.context().clearCookies();
      await page.keyboard.press("Control+s");
    },
    shown: "[role=dialog] input[type=password]",
    asks: true,
  },
];

for (const look of LOOKS)
  test(`show no accessibility errors and no sideways scrolling in ${nameOf(look)}`, async ({
    scene: well,
    open: openPage,
  }) => {
    test.slow(ALL_VARIANTS, "it sees six times as much");
    const scene = await addMore(well);
    const page = await openPage("account", choosing(look));
    const found: Record<string, unknown> = {};
    const elsewhere = `${scene.base}nothing`;
    for (const { name, path, open, shown = "[role=dialog]", asks = false } of seenIn(look, DIALOGS)) {
      await go(page, scene.base + path(scene));
      await open(page, scene);
      await page.locator(shown).last().waitFor();
      await settled(page);
      const errors = await findErrors(page);
      if (errors.length > 0) found[name] = errors;
      // What is open over a page stays when one goes to where one is.
      if (asks) await page.goto(elsewhere);
      else await go(page, elsewhere);
    }
    expect(found).toEqual({});
  });
