/** The forms of the library: wrong and right ones, the page that begins the download, and links that no longer work. */
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { bodyOf } from "../support/client.ts";
import { linksIn, pageOf, sendForm } from "../support/library-pages.ts";
import { TEXTS } from "../support/page-texts.ts";
import { AGENTS, listContacts, listEvents } from "../support/reader.ts";

const BOOK = "/library/es/books/the-deep-well";
const ALL = "/library/es/all";
const READER = { firstName: "Sara", email: "sara@example.org" };
const MINUTE = 60_000;

function wordsOf(code: string) {
  const words = TEXTS[code]?.library;
  if (!words) throw new Error(`No texts in ${code}`);
  return words;
}
const ES = wordsOf("es");

async function scene(variables: Record<string, string> = {}) {
  const { app, client: admin } = await startWithAdmin(variables);
  for (const code of ["en", "es", "ar"]) await app.make.language(code);
  const { book } = await app.make.published("The Deep Well", "es");
  await app.make.textFile(book.id, "ar", "x");
  await app.make.published("A Tall Man", "es");
  const settings = (given: object) => bodyOf(admin.put("/api/admin/library", given));
  const texts = (code: string, given: object) => bodyOf(admin.put(`/api/admin/library/texts/${code}`, given));
  return { ...app, app, admin, book, settings, texts };
}

/** The sentences at fields, by field. */
const errorsIn = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<p class="error" id="(\w+)-error">([^<]*)<\/p>/g)].map(([, name, text]) => [
      name,
      text,
    ]),
  );

const fieldIn = (html: string, name: string) => new RegExp(`<input id="${name}"[^>]*>`).exec(html)?.[0];

describe("a form of the library that is wrong", () => {
  it.each([
    [{ firstName: "" }, { firstName: ES.firstNameError }],
    [{ firstName: " \t " }, { firstName: ES.firstNameError }],
    [{ email: "" }, { email: ES.emailError }],
    [{ email: "sara@" }, { email: ES.emailError }],
    [{ email: "sara" }, { email: ES.emailError }],
    [
      { firstName: "", email: "x" },
      { firstName: ES.firstNameError, email: ES.emailError },
    ],
    [{ firstName: "x".repeat(201) }, { firstName: ES.firstNameError }],
    [{ lastName: "x".repeat(201) }, { lastName: ES.lastNameError }],
    [{ fileType: "exe" }, { fileType: ES.formatError }],
    [{ fileType: "pdf" }, { fileType: ES.formatError }],
    [{ fileId: "01890a5d-ac96-774b-bcce-b302099a8057" }, { fileType: ES.formatError }],
  ])("comes back with what was typed and a sentence at each field: %o", async (wrong, errors) => {
    const { app } = await scene();
    const typed = { ...READER, lastName: "Núñez <b>", ...wrong };
    const page = await sendForm(app, BOOK, typed);
    expect(page.status).toBe(400);
    expect(page.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-language": "es",
      "cache-control": expect.stringContaining("no-store"),
    });
    expect(page.html).toContain('<html lang="es" dir="ltr">');
    expect(page.html).toContain('<meta name="robots" content="noindex">');
    expect(page.html).toContain(`<p class="error" role="alert">${ES.check}</p>`);
    expect(errorsIn(page.html)).toEqual(errors);
    for (const name of ["firstName", "lastName", "email"] as const) {
      const value = typed[name].replaceAll("<", "&#60;").replaceAll(">", "&#62;");
      expect(fieldIn(page.html, name)).toContain(`value="${value}"`);
      expect(fieldIn(page.html, name)?.includes(`aria-describedby="${name}-error"`)).toBe(name in errors);
    }
    expect(await listEvents(app)).toEqual([]);
    expect(await listContacts(app)).toEqual([]);
    expect((await sendForm(app, BOOK, READER)).status).toBe(303);
  });

  it("comes back for a whole language, too", async () => {
    const { app } = await scene();
    const page = await sendForm(app, ALL, { firstName: "Sara", email: "x" });
    expect([page.status, errorsIn(page.html)]).toEqual([400, { email: ES.emailError }]);
    expect(fieldIn(page.html, "firstName")).toContain('value="Sara"');
    const { book: _, ...rest } = await scene();
    expect((await sendForm(rest, ALL, {})).status).toBe(400);
  });

  it("keeps the choice of a format and the campaign", async () => {
    const { app, admin, book } = await scene();
    const bytes = Buffer.from("%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n");
    const upload = { fields: { languageCode: "es", fileType: "pdf" }, file: { bytes, name: "a.pdf" } };
    expect((await admin.upload("post", `/api/admin/books/${book.id}/files`, upload)).status).toBe(201);
    const path = `${BOOK}?utm_source=mail`;
    const wrong = await sendForm(app, path, { ...READER, email: "x", fileType: "txt", marketing: "on" });
    expect(wrong.html).toMatch(/value="txt" required checked/);
    const action = /<form class="request"[^>]* action="([^"]*)"/.exec(wrong.html)?.[1] ?? "";
    expect(new URL(action, `http://x${path}`).search).toBe("?utm_source=mail");
    const none = await sendForm(app, path, READER);
    expect([none.status, errorsIn(none.html)]).toEqual([400, { fileType: ES.formatError }]);
    const right = await sendForm(app, path, { ...READER, fileType: "pdf" });
    expect(right.status).toBe(303);
    expect(await listEvents(app)).toMatchObject([{ fileType: "pdf", utmSource: "mail" }]);
  });

  it("keeps a campaign in another encoding, and ignores what else was added to the address", async () => {
    const { app } = await scene();
    const path = `${BOOK}?utm_campaign=Fr%FChling&fbclid=%`;
    const page = await pageOf(app, path);
    expect([page.status, page.html]).toEqual([200, expect.stringContaining("utm_campaign=Fr%C3%BChling")]);
    expect((await sendForm(app, path, READER)).status).toBe(303);
    expect(await listEvents(app)).toMatchObject([{ utmCampaign: "Frühling" }]);
    expect((await pageOf(app, "/library/es?q=%FC")).status).toBe(400);
  });

  it("is a page for a book that isn't here, a language without one, and an address in another form", async () => {
    const { app, settings } = await scene();
    expect((await sendForm(app, "/library/es/books/nothing", READER)).status).toBe(404);
    expect((await sendForm(app, "/library/en/books/the-deep-well", READER)).status).toBe(404);
    expect((await sendForm(app, "/library/xx/all", READER)).status).toBe(404);
    const moved = await sendForm(app, "/library/ES/books/the-deep-well", READER);
    expect([moved.status, moved.next]).toEqual([308, BOOK]);
    await settings({ offersAll: false });
    expect((await sendForm(app, ALL, READER)).status).toBe(404);
    expect((await pageOf(app, ALL)).status).toBe(404);
    expect((await pageOf(app, "/library/es")).html).not.toContain("/all");
    expect(await listEvents(app)).toEqual([]);
  });

  it("is refused from other sites, above the limit, and in other formats", async () => {
    const { app } = await scene({ RATE_LIMIT_SUBMIT: "4" });
    const foreign = await sendForm(app, BOOK, READER, { Origin: "https://other.example" });
    expect(foreign.status).toBe(403);
    expect(foreign.html).toContain(TEXTS.es?.foreignSite.heading);
    const json = { "Content-Type": "application/json" };
    expect((await app.api.call("post", BOOK, { headers: json, body: READER })).status).toBe(415);
    expect((await sendForm(app, BOOK, READER)).status).toBe(303);
    expect((await sendForm(app, ALL, {})).status).toBe(400);
    for (const path of [BOOK, ALL]) {
      const limited = await sendForm(app, path, READER);
      expect([limited.status, limited.headers["content-type"]]).toEqual([429, "text/html; charset=utf-8"]);
    }
    expect(await listEvents(app)).toHaveLength(1);
  });

  it("is a page also at an address that can't be decoded, for programs, too", async () => {
    const { app } = await scene();
    for (const path of ["/library/%ED%A0%80/all", "/library/es/books/%ff"]) {
      const headers = { "Content-Type": "application/x-www-form-urlencoded", Accept: "application/json" };
      const { status, headers: sent } = await app.api.call("post", path, { headers, body: "" });
      expect([path, status, sent["content-type"]]).toEqual([path, 400, "text/html; charset=utf-8"]);
    }
    const elsewhere = await app.api.get("/api/books/%ff");
    expect([elsewhere.status, elsewhere.body.code]).toEqual([400, "malformed_address"]);
  });

  it("is recorded as a bot's where a bot sends it", async () => {
    const { app } = await scene();
    expect((await sendForm(app, BOOK, READER, { "User-Agent": AGENTS.googlebot })).status).toBe(303);
    expect(await listEvents(app)).toMatchObject([{ isBot: 1 }]);
  });
});

it.each([
  ["lastName", ES.lastNameError],
  ["phone", ES.phoneError],
  ["country", ES.countryError],
] as const)(
  "the fields of the form are off, optional or required, as an administrator chose: %s",
  async (name, sentence) => {
    const { app, settings } = await scene();
    const choose = (rule: string) => settings({ contactFields: { [name]: rule } });
    const ask = async () => fieldIn((await pageOf(app, BOOK)).html, name);
    const send = (given: Record<string, string> = {}) => sendForm(app, BOOK, { ...READER, ...given });
    await choose("off");
    expect(await ask()).toBeUndefined();
    expect((await send({ [name]: "12" })).status).toBe(303);
    expect((await listContacts(app))[0]?.[name]).toBe("");
    await choose("optional");
    expect(await ask()).not.toContain(" required");
    expect((await send()).status).toBe(303);
    await choose("required");
    expect(await ask()).toContain(" required");
    for (const given of [{}, { [name]: "  " }]) {
      const wrong = await send(given);
      expect([wrong.status, errorsIn(wrong.html)]).toEqual([400, { [name]: sentence }]);
    }
    expect((await send({ [name]: "12" })).status).toBe(303);
    expect((await listContacts(app))[0]?.[name]).toBe("12");
  },
);

it("the consent of the form is asked with the organisation's text, and recorded with its version", async () => {
  const { app, admin, texts } = await scene();
  expect((await pageOf(app, BOOK)).html).not.toContain('name="marketing"');
  await texts("en", { consent: "News?\n<b>Yes</b>", consentVersion: "e1" });
  const { html } = await pageOf(app, BOOK);
  expect(html).toContain('<input type="hidden" name="textVersion" value="e1">');
  expect(html).toContain(
    '<label for="marketing" lang="en" dir="ltr">News?<br>&#60;b&#62;Yes&#60;/b&#62;</label>',
  );
  await texts("es", { consent: "¿Noticias?", consentVersion: "s1" });
  expect((await pageOf(app, BOOK)).html).toContain('value="s1"');
  const wrong = await sendForm(app, BOOK, { ...READER, email: "x", marketing: "on", textVersion: "s1" });
  expect(wrong.html).toContain('name="marketing" checked>');
  await sendForm(app, BOOK, { ...READER, marketing: "on", textVersion: "s1" });
  await sendForm(app, ALL, { firstName: "Ben", email: "ben@example.org", textVersion: "e1" });
  const [ben, sara] = await listContacts(app);
  const read = (id = "") => bodyOf(admin.get(`/api/admin/contacts/${id}`));
  expect((await read(sara?.publicId)).consents).toMatchObject([
    { marketing: true, textVersion: "s1", languageCode: "es", text: "¿Noticias?" },
  ]);
  expect((await read(ben?.publicId)).consents).toMatchObject([
    { marketing: false, textVersion: "e1", text: "News?\n<b>Yes</b>" },
  ]);
});

describe("the page after the form", () => {
  it("names the file and its time, begins the download, and isn't for others to know", async () => {
    const { app } = await scene();
    const { next } = await sendForm(app, BOOK, READER);
    for (const [agent, sentence] of [
      [AGENTS.iphone, ES.openAnywhere],
      [AGENTS.chrome, ES.openAnywhere],
    ]) {
      const page = await pageOf(app, next, { "User-Agent": agent ?? "" });
      expect(page.status).toBe(200);
      expect(page.headers).toMatchObject({
        "cache-control": expect.stringContaining("no-store"),
        "referrer-policy": "no-referrer",
        "x-robots-tag": "noindex",
      });
      expect(page.html).toContain("The Deep Well [es].txt");
      expect(page.html).toContain('<time datetime="2026-03-01T12:10:00.000Z">');
      expect(page.html).toContain(sentence);
      const [, target = ""] = /<meta http-equiv="refresh" content="0; url=([^"]*)">/.exec(page.html) ?? [];
      expect(linksIn(page.html, next)).toContain(new URL(target, `http://x${next}`).pathname);
    }
    expect(await listEvents(app)).toMatchObject([{ redeemedAt: null }]);
  });

  it("is 410 with a renewal once the link has expired, and without one a day later", async () => {
    const { app } = await scene();
    for (const path of [BOOK, ALL]) {
      const { next } = await sendForm(app, path, READER);
      app.clock.advance(11 * MINUTE);
      const page = await pageOf(app, next);
      expect(page.status).toBe(410);
      expect(page.headers).toMatchObject({ "referrer-policy": "no-referrer", "x-robots-tag": "noindex" });
      expect(page.html).toContain(TEXTS.es?.expired.heading);
      expect(page.html).not.toContain("http-equiv");
      expect(linksIn(page.html, next)).toContain(path);
      const [, action = ""] = /<form method="post" action="([^"]*)"/.exec(page.html) ?? [];
      const renewed = await sendForm(app, new URL(action, `http://x${next}`).pathname, {});
      expect(renewed.status).toBe(303);
      expect((await app.api.get(renewed.next)).status).toBe(200);
      app.clock.advance(24 * 60 * MINUTE);
      const late = await pageOf(app, next);
      expect([late.status, late.html.includes("<form method")]).toEqual([410, false]);
    }
  });

  it("is 404 for a token that is missing, forged, or of another book or language", async () => {
    const { app } = await scene();
    const { next } = await sendForm(app, BOOK, READER);
    const { next: ofAll } = await sendForm(app, ALL, READER);
    const token = new URL(next, "http://x").searchParams.get("token") ?? "";
    const tokenOfAll = new URL(ofAll, "http://x").searchParams.get("token") ?? "";
    for (const path of [
      `${BOOK}/ready`,
      `${BOOK}/ready?token=`,
      `${BOOK}/ready?token=guess`,
      `${BOOK}/ready?token=${token.slice(0, -2)}xx`,
      `${BOOK}/ready?token=${"x".repeat(1999)}`,
      `${BOOK}/ready?token=${tokenOfAll}`,
      `/library/es/books/a-tall-man/ready?token=${token}`,
      `/library/es/books/nothing/ready?token=${token}`,
      `/library/ar/books/the-deep-well/ready?token=${token}`,
      `${ALL}/ready`,
      `${ALL}/ready?token=${token}`,
      `/library/ar/all/ready?token=${tokenOfAll}`,
      `/library/en/all/ready?token=${tokenOfAll}`,
    ]) {
      const page = await pageOf(app, path);
      expect(page.status, path).toBe(404);
      expect(page.headers["cache-control"], path).toContain("no-store");
      expect(page.headers["x-robots-tag"], path).toBe("noindex");
      expect(page.html, path).not.toContain("http-equiv");
      expect(page.html, path).toContain("<footer>");
    }
    expect((await pageOf(app, next)).status).toBe(200);
    expect((await pageOf(app, ofAll)).status).toBe(200);
    const moved = await pageOf(app, next.replace("/es/", "/ES/"));
    expect(new URL(moved.headers.location ?? "", `http://x${next}`).search).toBe(`?token=${token}`);
  });

  it("is 404 once the book is withdrawn", async () => {
    const { app, admin, book } = await scene();
    const { next } = await sendForm(app, BOOK, READER);
    await bodyOf(admin.delete(`/api/admin/books/${book.id}`));
    expect((await pageOf(app, next)).status).toBe(404);
  });
});
