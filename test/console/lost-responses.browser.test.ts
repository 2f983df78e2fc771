/** A change that the service has made while its response was lost is no conflict with the next attempt. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../support/chromium.ts";
import { addReaders } from "../support/console-readers.ts";
import { type ConsoleScene, openConsole, startConsole, useBrowser } from "../support/console-scene.ts";

async function start() {
  const scene = await startConsole({ CONSENT_TEXT_VERSIONS: "v1,v2" });
  return { ...scene, readers: await addReaders(scene) };
}

type Scene = ConsoleScene & { readers: Awaited<ReturnType<typeof addReaders>> };

interface Form {
  name: string;
  path(scene: Scene): string;
  /** The button that opens it. */
  open?: string;
  /** What is chosen, by the labels of the lists. */
  chosen?: Readonly<Record<string, string>>;
  /** What is typed before the first attempt, by the labels of the fields; the service writes some of it differently. */
  typed: Readonly<Record<string, string>>;
  /** What is typed before the second one. */
  more: Readonly<Record<string, string>>;
  /** What the service has in the end. */
  read(scene: Scene): Promise<unknown>;
  saved: object;
}

const readFrom = async ({ admin }: Scene, path: string) => (await (await admin()).get(path)).body;

const FORMS: readonly Form[] = [
  {
    name: "a book",
    path: ({ well }) => `books/${well.id}`,
    typed: { Title: " The Deeper Well ", Tags: "deep,  wells,2026" },
    more: { Description: "About a well" },
    read: async (scene) => (await readFrom(scene, `/api/admin/books/${scene.well.id}`)).book,
    saved: {
      titleEn: "The Deeper Well",
      tags: ["water", "deep", "wells", "2026"],
      description: "About a well",
    },
  },
  {
    name: "a translation",
    path: ({ well }) => `books/${well.id}`,
    open: "Edit Spanish",
    typed: { Title: "El pozo  ", ISBN: "978-0-306-40615-7" },
    more: { Publisher: "Pozos" },
    read: async (scene) => (await readFrom(scene, `/api/admin/books/${scene.well.id}`)).translations[0],
    saved: { title: "El pozo", publisher: "Pozos" },
  },
  {
    name: "a language",
    path: () => "languages",
    open: "Edit Spanish",
    typed: { "Name in English": " Castilian" },
    more: { "Name in the language itself": "castellano" },
    read: async (scene) => (await readFrom(scene, "/api/admin/languages")).languages,
    saved: expect.arrayContaining([expect.objectContaining({ name: "Castilian", nativeName: "castellano" })]),
  },
  {
    name: "a channel",
    path: () => "channels",
    open: "Edit Website",
    typed: { Name: "Our website " },
    more: { Name: "Our website of books" },
    read: async (scene) => (await readFrom(scene, "/api/admin/channels")).channels,
    saved: expect.arrayContaining([expect.objectContaining({ name: "Our website of books" })]),
  },
  {
    name: "a contact",
    path: ({ readers }) => `contacts/${readers.sara}`,
    typed: { "First name": " Sarah", Country: "Uganda" },
    more: { Phone: "+256 1" },
    read: async (scene) => (await readFrom(scene, `/api/admin/contacts/${scene.readers.sara}`)).contact,
    saved: { firstName: "Sarah", country: "Uganda", phone: "+256 1" },
  },
  {
    name: "a decision on a consent",
    path: ({ readers }) => `contacts/${readers.omar}`,
    open: "Record a decision",
    chosen: { Marketing: "yes" },
    typed: { "Version of the text": "v2" },
    more: {},
    read: async (scene) => (await readFrom(scene, `/api/admin/contacts/${scene.readers.omar}`)).consent,
    saved: { state: "agreed", textVersion: "v2" },
  },
];

/** Lets the service make the next change, and its response never arrive. */
async function loseResponse(page: Page) {
  let isLost = false;
  await page.route(/\/api\/admin\//, async (route) => {
    if (isLost || route.request().method() === "GET") return route.fallback();
    isLost = true;
    await route.fetch();
    await route.abort("connectionreset");
  });
}

describe.skipIf(CHROMIUM === undefined)("a response that is lost (needs /usr/bin/chromium)", () => {
  const browser = useBrowser();

  it.each(FORMS)("leads to no conflict in the form of $name", async (form) => {
    const scene = await start();
    const page = await openConsole(browser, scene, form.path(scene));
    if (form.open) await page.getByRole("button", { name: form.open, exact: true }).first().click();
    const part = form.open ? page.getByRole("dialog") : page.locator("#content");
    const fill = async (texts: Readonly<Record<string, string>>) => {
      for (const [name, text] of Object.entries(texts))
        await part.getByRole("textbox", { name, exact: true }).fill(text);
    };
    const save = async () => {
      await expect.poll(() => part.locator("form button[type=submit]").first().isEnabled()).toBe(true);
      await part.locator("form input:not([type=hidden])").first().press("Enter");
    };
    for (const [name, value] of Object.entries(form.chosen ?? {}))
      await part.getByRole("combobox", { name }).selectOption(value);
    await fill(form.typed);
    await loseResponse(page);
    await save();
    await page.getByText("The server can't be reached.").first().waitFor();
    await fill(form.more);
    await save();
    if (form.open) await part.waitFor({ state: "detached" });
    else await page.getByText("Saved", { exact: true }).waitFor();
    expect(await form.read(scene)).toMatchObject(form.saved);
  });

  it("doesn't hide what someone else has changed besides", async () => {
    const scene = await start();
    const page = await openConsole(browser, scene, `contacts/${scene.readers.sara}`);
    await page.getByRole("textbox", { name: "First name" }).fill(" Sarah");
    await page.getByRole("textbox", { name: "Country" }).fill("Uganda");
    await loseResponse(page);
    await page.keyboard.press("Control+s");
    await page.getByText("The server can't be reached.").waitFor();
    const admin = await scene.admin();
    const path = `/api/admin/contacts/${scene.readers.sara}`;
    await admin.patch(path, { country: "Tanzania" });
    await page.keyboard.press("Control+s");
    await page.getByText("Someone else saved this while you typed").waitFor();
    await page.getByRole("cell", { name: "Tanzania" }).waitFor();
    await expect.poll(() => page.getByRole("row", { name: /First name/ }).count()).toBe(0);
    expect((await admin.get(path)).body.contact.country).toBe("Tanzania");
  });
});
