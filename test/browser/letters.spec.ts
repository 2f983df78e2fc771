/** Letters as readers see them: each kind in each language, received over SMTP, read by a parser of MIME, and shown. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import type { Email } from "postal-mime";
import { ALL_VARIANTS } from "../support/all-variants.ts";
import type { Client } from "../support/client.ts";
import { findErrors } from "../support/looks.ts";
import { expect, testOn } from "./fixtures.ts";
import { type Mailbox, startMailbox } from "./support/mailbox.ts";
import { ANY_TITLE } from "./support/scenes.ts";
import { type Served, Template } from "./support/template.ts";

const CODES = readdirSync(join(import.meta.dirname, "../../assets/pages"))
  .map((name) => name.replace(".json", ""))
  .sort();
const RIGHT_TO_LEFT = ["ar", "fa"];

/** A language with a book, and the address of a user who reads it. */
interface Place {
  code: string;
  languageId: number;
  user: string;
}

const KINDS = ["download", "confirmation", "invitation", "reset"] as const;

const BOOKS = new Template(async ({ make }) => {
  const any = await make.book(ANY_TITLE);
  const places: Place[] = [];
  for (const code of CODES) {
    const { id } = await make.language(code, { name: undefined, nativeName: undefined });
    await make.textFile(any.id, code, "Once upon a time");
    places.push({ code, languageId: id, user: (await make.user("viewer")).email });
  }
  return { slug: any.slug, places };
});

const test = testOn(BOOKS).extend<{ mailbox: Mailbox }>({
  mailbox: async ({ needsChromium: _ }, use) => {
    const { mailbox, close } = await startMailbox();
    await use(mailbox);
    await close();
  },
  settings: async ({ mailbox }, use) => {
    const limits = { RATE_LIMIT_SUBMIT: "0", RATE_LIMIT_LOGIN: "0" };
    await use({ ...mailbox.settings, MAIL_LINK: "true", ...limits });
  },
});

/** Asks for a letter of each kind in each language. @returns their addresses, by kind and language */
async function askForLetters({
  api,
  admin: logIn,
  slug,
  places,
}: Served & { slug: string; places: Place[] }) {
  const admin = await logIn();
  const post = async (client: Client, path: string, body: object) => {
    const response = await client.post(path, body);
    expect([200, 201, 202], JSON.stringify(response.body)).toContain(response.status);
  };
  const addresses = new Map<string, string>();
  for (const { code, languageId, user } of places) {
    const to = (kind: (typeof KINDS)[number], email = `${kind}-${code}@example.org`) => {
      addresses.set(`${kind} ${code}`, email);
      return email;
    };
    const asked = (email: string) => ({ languageCode: code, contact: { email, firstName: "Ana" } });
    await post(api, "/api/download/submit", { slug, ...asked(to("download")) });
    const rule = { emailConfirmation: "optional" };
    expect((await admin.patch(`/api/admin/languages/${languageId}`, rule)).status).toBe(200);
    await post(api, "/api/download/submit-all", asked(to("confirmation")));
    const chosen = { "Accept-Language": code };
    const guest = { email: to("invitation"), name: "Ana", role: "viewer", invite: true };
    await post(admin.with(chosen), "/api/admin/users", guest);
    await post(api.with(chosen), "/api/auth/password-reset", { email: to("reset", user) });
  }
  return addresses;
}

const LOOKS = [1000, 360].flatMap((width) =>
  (["light", "dark"] as const).map((colorScheme) => ({ width, colorScheme })),
);

/** Of each language one kind, in one look; with all variants each. */
function chooseLooks(index: number): typeof LOOKS {
  if (ALL_VARIANTS) return LOOKS;
  const language = Math.floor(index / KINDS.length);
  const turn = (language + Math.floor(language / LOOKS.length)) % LOOKS.length;
  return index % KINDS.length === language % KINDS.length ? LOOKS.slice(turn, turn + 1) : [];
}

/** What every letter has besides what is seen. */
function expectParts({ html = "", text = "", subject, from, headers }: Email, isForReader: boolean): void {
  expect(from).toEqual({ name: "Our Books", address: "books@example.org" });
  expect(subject).toBeTruthy();
  const links = (part: string) => new Set(part.match(/http:\/\/127\.0\.0\.1\/[\w./#-]+/g));
  expect(links(text).size).toBe(isForReader ? 2 : 1);
  expect(links(html)).toEqual(links(text));
  expect(headers.some(({ key }) => key === "list-unsubscribe")).toBe(isForReader);
  // Nothing is loaded, and nothing runs.
  expect(html).not.toMatch(/<(?:script|img|link|style|iframe)\b|url\(/);
}

/** What is wrong with a letter in these looks, by look. */
async function findErrorsIn(page: Page, html: string, looks: readonly (typeof LOOKS)[number][]) {
  const found: [string, string[]][] = [];
  await page.setContent(html);
  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    const errors = await findErrors(page);
    if (errors.length > 0) found.push([`${width} wide, ${colorScheme}`, errors]);
  }
  return found;
}

test("letters have no accessibility errors, in each language and kind", async ({
  scene,
  mailbox,
  windows,
}) => {
  test.slow(ALL_VARIANTS, "it sees sixteen times as much");
  const addresses = await askForLetters(scene);
  await expect.poll(() => mailbox.letters.length).toBe(addresses.size);
  const letterTo = new Map(mailbox.letters.map((letter) => [letter.to?.[0]?.address, letter]));
  const page = await windows.open({ base: "about:", cookie: undefined }, "blank");
  const found: Record<string, unknown> = {};
  for (const [index, [name, address]] of [...addresses].entries()) {
    const [kind = "", code = ""] = name.split(" ");
    const letter = letterTo.get(address);
    if (!letter) throw new Error(`There is no letter: ${name}`);
    expectParts(letter, kind === "download" || kind === "confirmation");
    const looks = chooseLooks(index);
    const errors = await findErrorsIn(page, letter.html ?? "", looks);
    await expect(page.locator("html")).toHaveAttribute("lang", code);
    await expect(page.locator("html")).toHaveAttribute("dir", RIGHT_TO_LEFT.includes(code) ? "rtl" : "ltr");
    if (errors.length > 0) found[name] = errors;
  }
  expect(found).toEqual({});
});
