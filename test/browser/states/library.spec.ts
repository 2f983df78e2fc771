/** The page of the library: what of its settings is sent, what a language inherits, and how a consent text changes. */
import { conflict } from "../../../src/errors.ts";
import { findAccessibilityErrors } from "../../support/chromium.ts";
import { expect, testOnStandIn } from "../fixtures.ts";
import { button, field } from "../support/locators.ts";
import type { RequestOf } from "../support/operations.ts";
import type { StandIn } from "../support/stand-in.ts";

const test = testOnStandIn();

const PATCH = "patch /api/admin/library";
const PUT_TEXTS = "put /api/admin/library/texts/{languageCode}";

/** Keeps what was sent; the responses are those of the document. */
function recordSettings(api: StandIn): RequestOf<typeof PATCH>[] {
  const sent: RequestOf<typeof PATCH>[] = [];
  api.on(PATCH, ({ body }) => {
    sent.push(body);
    return api.example(PATCH);
  });
  return sent;
}

test("only what was changed is sent, and the preview shows how a colour can be read", async ({
  api,
  open,
}) => {
  const sent = recordSettings(api);
  const page = await open("library");
  const preview = page.getByRole("region", { name: "Preview" });
  const save = button(page, "Save the settings");
  await test.step("nothing is changed", async () => {
    await expect(field(page, "Name")).toHaveValue("Village Library");
    await expect(preview).toContainText("Village Library");
    await expect(save).toBeDisabled();
  });
  await test.step("a colour that is too light", async () => {
    await page.getByLabel("Colour", { exact: true }).fill("#ffcc00");
    await expect(preview).toContainText("Dark: #ffcc00");
    await expect(preview).not.toContainText("Light: #ffcc00");
    expect(await findAccessibilityErrors(page)).toEqual([]);
  });
  await test.step("a field of the form, and no channel", async () => {
    await page.getByLabel("Phone").selectOption("Required");
    await page.getByRole("checkbox", { name: "Offer whole languages" }).uncheck();
    await page.keyboard.press("Control+s");
    await expect
      .poll(() => sent)
      .toEqual([{ accentColor: "#ffcc00", contactFields: { phone: "required" }, offersAll: false }]);
  });
});

test("a channel is chosen, and all books afterwards", async ({ api, open }) => {
  const { channels } = api.example("get /api/admin/channels");
  const sent = recordSettings(api);
  const page = await open("library");
  const books = page.getByLabel("Books", { exact: true });
  const name = channels[0]?.name ?? "";
  const whole = page.getByRole("checkbox", { name: "Offer whole languages" });
  await expect(whole).toHaveAccessibleDescription(/^Readers can download/);
  await books.selectOption(name);
  await expect(whole).toHaveAccessibleDescription(/^Not while the library shows a channel/);
  await button(page, "Save the settings").click();
  await expect.poll(() => sent).toEqual([{ channelId: channels[0]?.id }]);
  const library = { ...api.example("get /api/admin/library"), channelId: channels[0]?.id ?? null };
  api.on("get /api/admin/library", () => ({ ...library, version: "other" }));
  await page.reload();
  await expect(books).toHaveValue(channels[0]?.id ?? "");
  await books.selectOption("All published books");
  await button(page, "Save the settings").click();
  await expect.poll(() => sent.at(-1)).toEqual({ channelId: null });
});

/** A version has one text. */
function keepConsents(api: StandIn, known: Map<string, string>): RequestOf<typeof PUT_TEXTS>[] {
  const sent: RequestOf<typeof PUT_TEXTS>[] = [];
  const texts = {
    ...api.example("get /api/admin/library/texts/{languageCode}"),
    consent: "¿Noticias?",
    consentVersion: "1",
  };
  api.on("get /api/admin/library/texts/{languageCode}", ({ params: [languageCode = ""] }) => ({
    ...texts,
    languageCode,
  }));
  api.on(PUT_TEXTS, ({ body }) => {
    sent.push(body);
    const { consent, consentVersion } = { ...texts, ...body };
    if ((known.get(consentVersion ?? "") ?? consent) !== consent)
      throw conflict("consent_version_needed", "The version has another text.");
    const saved = { consent: consent ?? "", consentVersion: consentVersion ?? "", version: "next" };
    return { ...api.example(PUT_TEXTS), texts: { ...texts, ...saved } };
  });
  return sent;
}

test("a changed consent text needs a new version, which is said at its field", async ({ api, open }) => {
  const sent = keepConsents(api, new Map([["1", "¿Noticias?"]]));
  const page = await open("library");
  const version = field(page, "Version of the consent text");
  await field(page, "Consent").fill("¿Todas las noticias?");
  await button(page, "Save the texts").click();
  await expect(version).toHaveAccessibleDescription(/This version has another text/);
  expect(await findAccessibilityErrors(page)).toEqual([]);
  await version.fill("2");
  await button(page, "Save the texts").click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await expect(button(page, "Save the texts")).toBeDisabled();
  expect(sent).toEqual([
    { consent: "¿Todas las noticias?" },
    { consent: "¿Todas las noticias?", consentVersion: "2" },
  ]);
});

test("a language shows what it inherits, and asks before typed texts are lost", async ({ api, open }) => {
  const [first] = api.example("get /api/admin/languages").languages;
  if (!first) throw new Error("The example has no language.");
  const languages = ["es", "fr"].map((code, index) => ({ ...first, id: index + 1, code, name: code }));
  api.on("get /api/admin/languages", () => ({ languages }));
  keepConsents(api, new Map());
  const page = await open("library?language=fr");
  const language = page.getByLabel("Language", { exact: true });
  const introduction = field(page, "Introduction");
  await expect(language).toHaveValue("fr");
  await expect(introduction).toHaveAttribute("placeholder", "Books from our village.");
  await expect(introduction).toHaveAttribute("lang", "fr");
  await introduction.fill("Livres");
  await language.selectOption("es");
  await button(page, "Stay").click();
  await expect(introduction).toHaveValue("Livres");
  await expect(language).toHaveValue("fr");
  await language.selectOption("es");
  await button(page, "Leave").last().click();
  await expect(language).toHaveValue("es");
  await expect(introduction).toHaveValue("");
  await expect(page).toHaveURL(/library\?language=es$/);
});

test("a contact's page shows the text that a reader has agreed to", async ({ api, open }) => {
  const details = api.example("get /api/admin/contacts/{contactId}");
  const [consent] = details.consents;
  if (!consent) throw new Error("The example has no consent.");
  const consents = ["<b>Send</b> me news.", null].map((text, index) => ({
    ...consent,
    eventId: `event-${index}`,
    text,
  }));
  api.on("get /api/admin/contacts/{contactId}", () => ({ ...details, consents }));
  const page = await open(`contacts/${details.contact.id}`);
  const text = page.getByText("<b>Send</b> me news.");
  await expect(page.locator("summary")).toHaveCount(1);
  await expect(text).toBeHidden();
  await page.locator("summary").click();
  await expect(text).toBeVisible();
  expect(await findAccessibilityErrors(page)).toEqual([]);
});
