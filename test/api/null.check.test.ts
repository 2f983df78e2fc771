/** `null` in the fields of requests: left out in a creation and on a form, cleared or rejected in an update. */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { routes } from "../../src/routes/index.ts";
import { startApp, startWithAdmin, type TestApp } from "../support/app.ts";
import { link } from "../support/bulk.ts";
import { RECIPE_SETTINGS } from "../support/change-recipes.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { contact, PASSWORD } from "../support/factory.ts";
import { NULL_RULES } from "../support/null-rules.ts";
import { linkTo } from "../support/reader.ts";

const EDITION = {
  authors: ["Ana"],
  contributors: [{ name: "Ben", role: "translator" }],
  publisher: "Village Press",
  license: "CC-BY-4.0",
  isbn: "9783161484100",
};
const BOOK = {
  titleEn: "Well",
  slug: "well",
  description: "Deep.",
  sortOrder: 7,
  legacyDownloadCount: 5,
  publishAt: "2026-01-01T00:00:00.000Z",
  unpublishAt: "2027-01-01T00:00:00.000Z",
  authors: ["Ana"],
  tags: ["wells"],
  series: { name: "Wells", position: 2 },
};
const TRANSLATION = { languageCode: "es", title: "El pozo", description: "Hondo.", ...EDITION };

const LIBRARY_TEXTS = {
  name: "Biblioteca",
  introduction: "Libros.",
  footer: "Pie",
  about: "Quiénes somos.",
  privacy: "Sus datos.",
  consent: "¿Noticias?",
  consentVersion: "1",
};

interface Target {
  path: string;
  method?: "put" | "patch" | "post";
  /** Fields that every request needs. */
  needed?: object;
  /** Where the response has the record; by default it is the record. */
  resource?: string;
}

/** Makes a record of which no field is empty. */
const TARGETS: Readonly<Record<string, (app: TestApp) => Promise<Target>>> = {
  updateBook: async ({ make }) => {
    const { id } = await make.book("Well", BOOK);
    return { path: `/api/admin/books/${id}`, resource: "book" };
  },
  putTranslation: async ({ make, admin }) => {
    await make.language("es");
    const { id } = await make.book("Well");
    const path = `/api/admin/books/${id}/translations`;
    expect((await (await admin()).post(path, TRANSLATION)).status).toBe(201);
    return { path, method: "post", needed: { languageCode: "es", title: "El pozo" } };
  },
  updateFile: async (app) => {
    const { path } = await linkedFile(app);
    return { path, method: "patch", resource: "file" };
  },
  updateLanguage: async ({ make }) => {
    const { id: parentId } = await make.language("pt");
    const rule = { emailConfirmation: "optional" };
    const more = { customDomain: "livros.example.org", legacyDownloadCount: 5, parentId, ...rule };
    const { id } = await make.language("pt-BR", more);
    return { path: `/api/admin/languages/${id}`, resource: "language" };
  },
  updateChannel: async ({ make }) => {
    const campaign = { utmSource: "site", utmMedium: "web", utmCampaign: "spring" };
    const addresses = { url: "https://example.org/", bookUrl: "https://example.org/{slug}" };
    const { id } = await make.channel("Site", { description: "Ours.", ...addresses, ...campaign });
    return { path: `/api/admin/channels/${id}`, resource: "channel" };
  },
  updateLibrary: async ({ make, admin }) => {
    const { id: channelId } = await make.channel("Site");
    const path = "/api/admin/library";
    expect((await (await admin()).put(path, { name: "Library", channelId })).status).toBe(200);
    return { path, resource: "library" };
  },
  updateLibraryTexts: async ({ make, admin }) => {
    await make.language("es");
    const path = "/api/admin/library/texts/es";
    expect((await (await admin()).put(path, LIBRARY_TEXTS)).status).toBe(200);
    return { path, resource: "texts" };
  },
  updateContact: async ({ make, api, admin }) => {
    await make.published("Well", "es");
    const given = { ...contact, lastName: "Ray", phone: "1", country: "Kenya" };
    await linkTo(api, { slug: "well", languageCode: "es", contact: given });
    const [known] = (await (await admin()).get("/api/admin/contacts")).body.contacts;
    return { path: `/api/admin/contacts/${known.id}`, resource: "contact" };
  },
  updateWebhook: async ({ admin }) => {
    const given = { url: "http://127.0.0.1:9/", events: ["book.changed"], name: "CRM" };
    const { body } = await (await admin()).post("/api/admin/webhooks", given);
    return { path: `/api/admin/webhooks/${body.id}`, resource: "webhook" };
  },
  updateUser: async ({ make }) => {
    const { id } = await make.user("editor");
    return { path: `/api/admin/users/${id}`, resource: "user" };
  },
};

async function linkedFile({ make, admin }: TestApp) {
  await make.language("es");
  const { id } = await make.book("Well");
  const response = await (await admin()).post(`/api/admin/books/${id}/files`, link("es", "pozo"));
  expect(response.status).toBe(201);
  return { path: `/api/admin/books/${id}/files/${response.body.id}`, file: response.body };
}

/** The record after a change of these fields; what has a version has another one then. */
const changed = (record: Record<string, unknown>, fields: object | undefined) => ({
  ...record,
  ...fields,
  ...("version" in record && { version: expect.not.stringContaining(String(record.version)) }),
});

/** The fields of the operation's JSON body. */
function fieldsOf(operation: string): string[] {
  const shapes = routes.find(({ id }) => id === operation)?.body?.shapes ?? [];
  const schema = shapes.find(({ mediaType }) => mediaType === "application/json")?.schema;
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

describe.each(Object.entries(NULL_RULES))("in %s, null", (operation, { cleared, other = [] }) => {
  const start = async () => {
    // A language can have a rule for confirmations only with letters.
    const letters = { SMTP_URL: "smtp://127.0.0.1:9", MAIL_FROM: "books@example.org" };
    const { app, client } = await startWithAdmin({ ...RECIPE_SETTINGS, ...letters });
    const target = await TARGETS[operation]?.(app);
    if (!target) throw new Error(`no record to update by ${operation}`);
    const { path, method = "put", needed, resource } = target;
    const send = (body: object) => client.call(method, path, { body: { ...needed, ...body } });
    const shown = ({ body }: Awaited<ReturnType<typeof send>>) =>
      resource === undefined ? body : body[resource];
    return { send, shown };
  };

  it("clears fields that can be empty, and nothing else", async () => {
    const { send, shown } = await start();
    let record = shown(await send({}));
    for (const [name, empty] of Object.entries(cleared)) {
      expect(record[name], name).not.toEqual(empty);
      const response = await send({ [name]: null });
      expect([name, response.status]).toEqual([name, 200]);
      expect(shown(response)).toEqual(changed(record, { [name]: empty }));
      record = shown(response);
    }
    expect(shown(await send({}))).toEqual(record);
  });

  it("is rejected for every field that can't be empty, and changes nothing", async () => {
    const { send, shown } = await start();
    const before = shown(await send({}));
    const firm = fieldsOf(operation).filter((name) => !(name in cleared) && !other.includes(name));
    // All texts of the library can be empty.
    expect(firm.length === 0).toBe(operation === "updateLibraryTexts");
    for (const name of firm) {
      const response = await send({ [name]: null });
      expectProblem(response, 400, { code: "invalid_input" });
      expect(response.body.errors.map(({ path }: { path: string }) => path)).toContain(name);
    }
    expect(shown(await send({}))).toEqual(before);
  });
});

it("cloudUrl: null changes nothing of an upload, which has none, and is rejected for a link", async () => {
  const { app, client } = await startWithAdmin();
  const { path, file } = await linkedFile(app);
  expectProblem(await client.patch(path, { cloudUrl: null }), 400, { errors: ["cloudUrl invalid_type"] });
  const { book, file: upload } = await app.make.published("Hill", "es");
  const uploaded = `/api/admin/books/${book.id}/files/${upload.id}`;
  const sent = await client.patch(uploaded, { fileName: "hill.txt", cloudUrl: null });
  expect(sent.body.file).toEqual(changed({ ...upload }, { fileName: "hill.txt" }));
  expect((await client.patch(path, {})).body.file).toEqual(file);
});

describe("in a creation, null", () => {
  const CREATIONS: readonly [string, string, object][] = [
    ["createBook", "/api/admin/books", { titleEn: "Well" }],
    ["createLanguage", "/api/admin/languages", { code: "es" }],
    ["createChannel", "/api/admin/channels", { name: "Site" }],
    [
      "createUser",
      "/api/admin/users",
      { email: "x@example.org", name: "X", password: PASSWORD, role: "editor" },
    ],
    ["createApiKey", "/api/admin/api-keys", { name: "Sync" }],
  ];

  it.each(CREATIONS)("in every optional field of %s is the same as omitting it", async (id, path, needed) => {
    const creating = async (more: object) => {
      const { admin } = await startApp();
      const response = await (await admin()).post(path, { ...needed, ...more });
      expect(response.status, JSON.stringify(response.body)).toBe(201);
      const { id: _, key: _key, keyPrefix: _prefix, ...record } = response.body;
      return record;
    };
    const optional = fieldsOf(id).filter((name) => !(name in needed));
    expect(optional).not.toEqual([]);
    expect(await creating(Object.fromEntries(optional.map((name) => [name, null])))).toEqual(
      await creating({}),
    );
  });
});

describe("in a bulk upsert, null", () => {
  const start = async () => {
    const { app, client } = await startWithAdmin();
    await app.make.language("es");
    const bulk = async (...books: object[]) =>
      (await client.post("/api/admin/books/bulk", { books })).body.results;
    const details = async (id: string) => (await client.get(`/api/admin/books/${id}`)).body;
    return { bulk, details };
  };
  const firm = { sortOrder: null, legacyDownloadCount: null };
  const dates = { publishAt: null, unpublishAt: null };
  const clear = {
    description: null,
    authors: null,
    tags: null,
    series: null,
    coverImagePath: null,
    ...dates,
  };
  const noEdition = {
    ...TRANSLATION,
    ...Object.fromEntries(Object.keys(EDITION).map((name) => [name, null])),
  };

  it("is the same as omitting the field in a new book", async () => {
    const { bulk, details } = await start();
    const nothing = { ...clear, ...firm, translations: null, files: null };
    const [{ status, bookId }] = await bulk({ titleEn: "Well", slug: null, ...nothing });
    expect(status).toBe("created");
    expect((await details(bookId)).book).toMatchObject({
      ...{ slug: "well", sortOrder: 1, legacyDownloadCount: 0 },
      ...NULL_RULES.updateBook?.cleared,
    });
  });

  it("clears the field or is an error in a known book, with its translations and links", async () => {
    const { bulk, details } = await start();
    const parts = { translations: [TRANSLATION], files: [link("es", "pozo")] };
    const [{ bookId }] = await bulk({ ...BOOK, ...parts });
    const before = await details(bookId);
    const item = { titleEn: "Well", slug: "well" };
    const [failed] = await bulk({ ...item, ...clear, ...firm });
    expect(failed).toMatchObject({ status: "failed", bookId: "" });
    expect(failed.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      "books.0.legacyDownloadCount",
      "books.0.sortOrder",
    ]);
    expect(await details(bookId)).toEqual(before);
    await bulk({ ...item, translations: null, files: null });
    expect(await details(bookId)).toEqual(before);
    const files = [link("es", "pozo", { fileSizeBytes: null })];
    const translations = [{ ...noEdition, description: null }];
    expect(await bulk({ ...item, ...clear, translations, files })).toMatchObject([{ status: "updated" }]);
    const after = await details(bookId);
    expect(after.book).toEqual(changed(before.book, NULL_RULES.updateBook?.cleared));
    expect(after.translations).toMatchObject([NULL_RULES.putTranslation?.cleared]);
    expect(after.files).toEqual([changed(before.files[0], { fileSizeBytes: 0 })]);
  });
});

it("on a public form, null in every optional field is the same as omitting it", async () => {
  const { make, api, admin } = await startApp();
  const { book } = await make.published("Well", "es");
  const none = { fileType: null, fileId: null, consent: null, reader: null };
  const who = { ...contact, lastName: null, phone: null, country: null };
  const form = { bookId: book.id, slug: null, languageCode: "es", contact: who, ...none };
  const consents = [
    { marketing: null, textVersion: null },
    { marketing: true, textVersion: null },
    { marketing: null, textVersion: "1" },
  ];
  for (const more of [{}, ...consents.map((consent) => ({ consent }))])
    expect((await api.post("/api/download/submit", { ...form, ...more })).status).toBe(200);
  const all = { languageCode: "es", contact: who, consent: null, reader: null };
  expect((await api.post("/api/download/submit-all", all)).status).toBe(200);
  const [known] = (await (await admin()).get("/api/admin/contacts")).body.contacts;
  expect(known).toMatchObject({ lastName: "", phone: "", country: "", totalDownloads: 5 });
  const { consent, consents: recorded } = (await (await admin()).get(`/api/admin/contacts/${known.id}`)).body;
  expect([consent.state, recorded]).toEqual(["none", []]);
});
