/** The library's settings, texts and logo, for administrators and as its pages read them. */
import { describe, expect, it } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { startWithAdmin } from "../support/app.ts";
import { readAuditLog } from "../support/audit-log.ts";
import { bodyOf } from "../support/client.ts";
import { BYTES, createPicture, readColor, readMetadata } from "../support/covers.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { contact } from "../support/factory.ts";
import { listContacts } from "../support/reader.ts";

const LIBRARY = "/api/admin/library";
const LOGO = `${LIBRARY}/logo`;
const textsOf = (code: string) => `${LIBRARY}/texts/${code}`;

async function start(variables: Record<string, string> = {}) {
  const { app, client } = await startWithAdmin(variables);
  const reader = app.container.services.libraryReader;
  const putTexts = (code: string, given: object) => client.put(textsOf(code), given);
  return { ...app, app, client, reader, putTexts };
}

describe("the settings of the library", () => {
  it("have defaults, and change by field, also within the fields of the form", async () => {
    const { client, reader } = await start();
    const { body: initial } = await client.get(LIBRARY);
    expect(initial).toMatchObject({
      name: "",
      contactFields: { lastName: "optional", phone: "off", country: "off" },
      offersAll: true,
      channelId: null,
      logo: null,
    });
    const changed = await client.put(LIBRARY, {
      name: " Village\tLibrary ",
      contactFields: { phone: "required" },
    });
    expect(changed.body.library).toMatchObject({
      name: "Village Library",
      accentColor: initial.accentColor,
      contactFields: { lastName: "optional", phone: "required", country: "off" },
    });
    expect(changed.headers.etag).toBe(`"${changed.body.library.version}"`);
    const patched = await client.patch(LIBRARY, { name: null, accentColor: "#FFCC00", offersAll: 0 });
    expect(patched.body.library).toMatchObject({ name: "", accentColor: "#ffcc00", offersAll: false });
    const { body } = await client.get(LIBRARY);
    expect(body).toEqual(patched.body.library);
    expect(await reader.readLibrary()).toMatchObject({
      accentColor: "#ffcc00",
      accent: { dark: "#ffcc00" },
      contactFields: { phone: "required" },
      offersAll: false,
    });
  });

  it("are changed in an expected version only", async () => {
    const { client } = await start();
    const { etag = "" } = (await client.get(LIBRARY)).headers;
    const put = (name: string) =>
      client.call("put", LIBRARY, { body: { name }, headers: { "If-Match": etag } });
    expect((await put("First")).status).toBe(200);
    const late = await put("Second");
    expectProblem(late, 412, { code: "changed_meanwhile" });
    expect(late.body).toMatchObject({ current: { name: "First" }, lastChange: { by: expect.any(String) } });
  });

  it("show a channel, which can't be deleted meanwhile", async () => {
    const { app, client, make } = await start();
    const { id } = await make.channel("Kids");
    expectProblem(await client.put(LIBRARY, { channelId: "unknown" }), 400, {
      errors: ["channelId unknown_channel"],
    });
    expect((await client.put(LIBRARY, { channelId: id })).body.library.channelId).toBe(id);
    expectProblem(await client.delete(`/api/admin/channels/${id}`), 409, { code: "channel_in_use" });
    expect((await client.put(LIBRARY, { channelId: null })).status).toBe(200);
    expect((await client.delete(`/api/admin/channels/${id}`)).status).toBe(200);
    const lines = (await readAuditLog(app)).filter(({ objectKind }) => objectKind === "library");
    expect(lines.map(({ objectId, action }) => [objectId, action])).toEqual([
      ["library", "update"],
      ["library", "update"],
    ]);
  });

  it("are for administrators only", async () => {
    const { make } = await start();
    const editor = await make.login("editor");
    for (const path of [LIBRARY, textsOf("en"), LOGO]) expectProblem(await editor.get(path), 403);
  });
});

describe("the texts of the library", () => {
  it("are empty until they are set, and are taken from the parent, from English, and from the name", async () => {
    const { client, make, reader, putTexts } = await start();
    const pt = await make.language("pt");
    await make.language("pt-BR", { parentId: pt.id });
    await make.language("en");
    await client.put(LIBRARY, { name: "Library" });
    const { body: empty } = await client.get(textsOf("pt-BR"));
    expect(empty).toMatchObject({ languageCode: "pt-BR", name: "", consent: "", consentVersion: "" });
    expect(empty.fallback).toMatchObject({ name: "Library", introduction: "" });
    await putTexts("en", { introduction: "Books", about: "About", consent: "News?", consentVersion: "e1" });
    await putTexts("pt", { name: "Biblioteca", introduction: "Livros\r\n\r\nde todos" });
    await putTexts("pt-br", { introduction: "Livros do Brasil" });
    const { body: texts } = await client.get(textsOf("pt-BR"));
    expect(texts).toMatchObject({ name: "", introduction: "Livros do Brasil" });
    expect(texts.fallback).toEqual({
      name: "Biblioteca",
      introduction: "Livros\n\nde todos",
      footer: "",
      about: "About",
      privacy: "",
      consent: "News?",
      consentVersion: "e1",
    });
    expect(await reader.readTexts("PT-br")).toMatchObject({
      name: "Biblioteca",
      introduction: "Livros do Brasil",
      about: "About",
      consentVersion: "e1",
      languages: {
        name: { code: "pt" },
        introduction: { code: "pt-BR" },
        consent: { code: "en" },
        footer: null,
      },
    });
    expect(await reader.readTexts("xx")).toMatchObject({ name: "Library", introduction: "Books" });
  });

  it("give a consent and its version from one language", async () => {
    const { make, reader, putTexts } = await start();
    await make.language("en");
    await make.language("es");
    await putTexts("en", { consent: "News?", consentVersion: "e1" });
    await putTexts("es", { consent: "¿Noticias?", consentVersion: "s1" });
    await putTexts("es", { consent: "" });
    expect(await reader.readTexts("es")).toMatchObject({ consent: "News?", consentVersion: "e1" });
  });

  it("keep what they have where a field is left out, and lose all by a deletion", async () => {
    const { app, client, make, putTexts } = await start();
    await make.language("en");
    const put = await putTexts("en", { name: "Library", footer: "Footer" });
    expect(put.headers.etag).toBe(`"${put.body.texts.version}"`);
    expect((await putTexts("en", { footer: null })).body.texts).toMatchObject({
      name: "Library",
      footer: "",
    });
    const stale = { headers: { "If-Match": `"${put.body.texts.version}"` } };
    expectProblem(await client.call("put", textsOf("en"), { ...stale, body: { name: "x" } }), 412);
    expectProblem(await client.call("delete", textsOf("en"), stale), 412, { code: "changed_meanwhile" });
    expect((await client.delete(textsOf("en"))).body).toEqual({ success: true });
    expect((await client.delete(textsOf("en"))).status).toBe(200);
    expect((await client.get(textsOf("en"))).body.name).toBe("");
    const lines = (await readAuditLog(app)).filter(({ objectId }) => objectId === "en");
    expect(lines.map(({ action }) => action).sort()).toEqual(["delete", "update", "update"]);
  });
});

describe("the consent text", () => {
  it("needs a version, and another version for another text, also after its deletion", async () => {
    const { client, make, putTexts } = await start();
    await make.language("en");
    await make.language("es");
    expectProblem(await putTexts("en", { consent: "News?" }), 400, {
      errors: ["consentVersion text_version_needed"],
    });
    await putTexts("en", { consent: "News?\r\nYes!", consentVersion: "1" });
    expect((await putTexts("en", { consent: "News?\nYes!", consentVersion: "1" })).status).toBe(200);
    const other = { consent: "All news?", consentVersion: "1" };
    expectProblem(await putTexts("en", { consent: "All news?" }), 409, { code: "consent_version_needed" });
    await client.delete(textsOf("en"));
    expectProblem(await putTexts("en", other), 409, { code: "consent_version_needed" });
    expect((await putTexts("es", other)).status).toBe(200);
    expect((await putTexts("en", { ...other, consentVersion: "2" })).status).toBe(200);
    expectProblem(await putTexts("en", { consentVersion: "1" }), 409, { code: "consent_version_needed" });
  });

  it("keeps its versions when its language is deleted and created again", async () => {
    const { client, make, putTexts } = await start();
    const { id } = await make.language("es");
    await putTexts("es", { consent: "¿Noticias?", consentVersion: "1" });
    expect((await client.delete(`/api/admin/languages/${id}`)).status).toBe(200);
    await make.language("es");
    const other = { consent: "¿Todas?", consentVersion: "1" };
    expectProblem(await putTexts("es", other), 409, { code: "consent_version_needed" });
  });

  it("is shown beside the consents of a contact, and makes its versions valid", async () => {
    const { app, api, client, make, putTexts } = await start({ CONSENT_TEXT_VERSIONS: "site-1" });
    for (const code of ["en", "es"]) await make.language(code);
    await make.published("The Well", "es");
    await putTexts("en", { consent: "News?", consentVersion: "e1" });
    const submit = (textVersion: string) =>
      api.post("/api/download/submit", {
        slug: "the-well",
        languageCode: "es",
        contact,
        consent: { marketing: true, textVersion },
      });
    for (const version of ["other", "site-1", "e1"]) {
      app.clock.advance(1000);
      expect((await submit(version)).status).toBe(200);
    }
    // It didn't exist when the reader agreed to the English one.
    app.clock.advance(1000);
    await putTexts("es", { consent: "¿Noticias?", consentVersion: "e1" });
    app.clock.advance(1000);
    await submit("other");
    expect((await submit("e1")).status).toBe(200);
    const [reader] = await listContacts(app);
    const { body } = await client.get(`/api/admin/contacts/${reader?.publicId}`);
    expect(body.consent).toMatchObject({ state: "agreed", textVersion: "e1" });
    const texts = body.consents.map((said: { textVersion: string; text: string | null }) => [
      said.textVersion,
      said.text,
    ]);
    expect(texts).toEqual([
      ["e1", "¿Noticias?"],
      ["other", null],
      ["e1", "News?"],
      ["site-1", null],
      ["other", null],
    ]);
    const path = `/api/admin/contacts/${reader?.publicId}`;
    expect((await client.put(path, { marketing: true, textVersion: "e1" })).status).toBe(200);
    expectProblem(await client.put(path, { marketing: true, textVersion: "e2" }), 400, {
      errors: ["textVersion unknown_text_version"],
    });
    const { body: found } = await client.get("/api/admin/contacts?marketing=yes");
    expect(found.contacts).toHaveLength(1);
  });
});

describe("the logo of the library", () => {
  const put = (client: Awaited<ReturnType<typeof start>>["client"], body: Buffer) =>
    client.call("put", LOGO, { body, headers: BYTES });

  it("is drawn anew as PNG, within its bounds, and sent with its hash", async () => {
    const { app, client, reader } = await start();
    for (const call of [client.get(LOGO), client.delete(LOGO)])
      expectProblem(await call, 404, { code: "logo_not_found" });
    expect(await reader.readLogo()).toBeUndefined();
    const picture = await createPicture("red", { width: 1600, height: 400 });
    const { body } = await put(client, picture);
    expect(body.logo).toMatchObject({ width: 640, height: 160 });
    const sent = await client.get(LOGO);
    expect(sent.headers).toMatchObject({ "content-type": "image/png", etag: `"${body.logo.sha256}"` });
    expect(await readColor(sent.body)).toBe("red");
    expect((await readMetadata(sent.body)).format).toBe("png");
    const repeated = await client.get(LOGO, { "If-None-Match": sent.headers.etag ?? "" });
    expect(repeated.status).toBe(304);
    expect((await client.get(LIBRARY)).body.logo).toEqual(body.logo);
    expect(await reader.readLogo()).toMatchObject({ sha256: body.logo.sha256 });
    const file = {
      bytes: await createPicture("blue", { width: 20, height: 20, type: "webp" }),
      name: "b.webp",
    };
    const { body: replaced } = await client.upload("put", LOGO, { file });
    expect(replaced.logo).toMatchObject({ width: 20, height: 20 });
    expect((await reader.readLibrary()).logo).toEqual(replaced.logo);
    expect((await client.delete(LOGO)).body).toEqual({ success: true });
    expect((await client.get(LIBRARY)).body.logo).toBeNull();
    const lines = (await readAuditLog(app)).filter(({ objectId }) => objectId === "logo");
    expect(lines.map(({ action }) => action).sort()).toEqual(["create", "delete", "update"]);
    expect(JSON.stringify(lines)).not.toContain("png");
  });

  it("is an image, and not too large", async () => {
    const { client } = await start();
    expectProblem(await put(client, Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")), 415);
    expectProblem(await put(client, Buffer.alloc(0)), 400);
    const cut = (await createPicture("red", { type: "png" })).subarray(0, 200);
    expectProblem(await put(client, cut), 400, { code: "image_invalid" });
    expectProblem(await put(client, Buffer.alloc(1024 * 1024 + 1)), 413);
    expect((await client.get(LIBRARY)).body.logo).toBeNull();
  });
});

it.each([
  ["with its logo where the library is shown", {}, true],
  ["without its logo where no library is shown", { LIBRARY: "false" }, false],
])("the organisation in a session has its name for every user, %s", async (_, variables, hasLogo) => {
  const { app, client, putTexts } = await start(variables);
  await app.make.language("fr");
  await bodyOf(client.patch(LIBRARY, { name: "Books" }));
  await bodyOf(putTexts("fr", { name: "Livres" }));
  const body = await createPicture("red", { width: 80, height: 40 });
  await bodyOf(client.call("put", LOGO, { body, headers: BYTES }));
  const analyst = await createAccount(app, "analyst");
  const read = async (language: string) =>
    (await bodyOf(analyst.client.get("/api/auth/session", { "Accept-Language": language }))).organisation;
  const { name, logoUrl } = await read("sw");
  expect([name, (await read("fr-CA")).name]).toEqual(["Books", "Livres"]);
  if (hasLogo) expect((await app.api.get(logoUrl)).headers["content-type"]).toBe("image/png");
  else expect(logoUrl).toBe(null);
});
