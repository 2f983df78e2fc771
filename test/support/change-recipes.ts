/** For each operation that changes something: a call that does, and what has to be there before. */
import { expect } from "vitest";
import { createSystemAuthor } from "../../src/repositories/change.ts";
import type { TestApp } from "./app.ts";
import type { CallOptions } from "./client.ts";
import { addContacts } from "./contact-rows.ts";
import { createPicture } from "./covers.ts";
import { PASSWORD } from "./factory.ts";
import { PATCHES } from "./patches.ts";
import { hashBytes } from "./stored-files.ts";

export interface ChangeCall extends CallOptions {
  /** Values of path parameters by name. */
  ids?: Readonly<Record<string, string | number>>;
  query?: string;
}

/** What some recipes need of the application. */
export const RECIPE_SETTINGS = {
  PUBLIC_BASE_URL: "https://books.example.org",
  WEBHOOK_ALLOW_HOSTS: "127.0.0.1:9",
};

type Recipe = (app: TestApp) => ChangeCall | Promise<ChangeCall>;

const textFile = (text: string) => ({ bytes: Buffer.from(text), name: "book.txt" });

/** A book in Spanish with a file. */
async function publishBook({ make }: TestApp) {
  const language = await make.language("es");
  const { book, file } = await make.published("Well", "es");
  return { book, language, ids: { bookId: book.id, fileId: file.id, languageId: language.id } };
}

async function createBookWithTranslation(app: TestApp) {
  const { ids } = await publishBook(app);
  const path = `/api/admin/books/${ids.bookId}/translations`;
  const response = await (await app.admin()).post(path, { languageCode: "es", title: "Pozo" });
  expect(response.status).toBe(201);
  return ids;
}

async function createBookWithCover(app: TestApp) {
  const ids = { bookId: (await app.make.book("Well")).id, languageCode: "default" };
  const response = await (await app.admin()).upload("put", `/api/admin/books/${ids.bookId}/covers/default`, {
    file: { bytes: await createPicture("red"), name: "red.jpg" },
  });
  expect(response.status).toBe(200);
  return ids;
}

/** @returns the SHA-256 of what the file had before */
async function replaceFile(app: TestApp, { bookId, fileId }: { bookId: string; fileId: string }) {
  const path = `/api/admin/books/${bookId}/files/${fileId}`;
  const { body } = await (await app.admin()).upload("put", path, { file: textFile("a newer text") });
  return firstReplaced(body.file);
}

async function replaceCover(
  app: TestApp,
  { bookId, languageCode }: { bookId: string; languageCode: string },
) {
  const path = `/api/admin/books/${bookId}/covers/${languageCode}`;
  const file = { bytes: await createPicture("yellow"), name: "yellow.jpg" };
  return firstReplaced((await (await app.admin()).upload("put", path, { file })).body.cover);
}

const firstReplaced = ({ replaced }: { replaced: { sha256: string }[] }) => replaced[0]?.sha256 ?? "";

async function createArchivedBook(app: TestApp) {
  const ids = await createBookId(app);
  expect((await (await app.admin()).delete(`/api/admin/books/${ids.bookId}`)).status).toBe(200);
  return ids;
}

async function createSubLanguage({ make }: TestApp) {
  const parent = await make.language("pt");
  const language = await make.language("pt-BR", { parentId: parent.id });
  const { book } = await make.published("Well", "pt");
  return { ids: { langId: language.id }, body: { overrides: [{ bookId: book.id, isVisible: false }] } };
}

async function place(app: TestApp) {
  const { book, language } = await publishBook(app);
  const channel = await app.make.channel("Kids");
  return { body: { bookId: book.id, channelId: channel.id, languageId: language.id } };
}

const createBookId = async ({ make }: TestApp) => ({ bookId: (await make.book("Well")).id });
const createLangId = async ({ make }: TestApp) => ({ langId: (await make.language("es")).id });
const createChannelId = async ({ make }: TestApp) => ({ channelId: (await make.channel("Kids")).id });
async function createTexts(app: TestApp) {
  const { code: languageCode } = await app.make.language("es");
  const path = `/api/admin/library/texts/${languageCode}`;
  expect((await (await app.admin()).put(path, { footer: "Pie" })).status).toBe(200);
  return { languageCode };
}
const createUserId = async ({ make }: TestApp) => ({ userId: (await make.user("editor")).id });

/** A job that runs as long as the test. */
async function createJobId({ container }: TestApp) {
  const start = container.services.jobs.start(createSystemAuthor("test"), {
    kind: "doctor",
    options: {},
    work: ({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", reject)),
  });
  return { jobId: (await start).id };
}

/** An import of a book that is there already, which so changes nothing else. */
async function describeImport(app: TestApp) {
  await publishBook(app);
  return { files: [{ path: "es/well.txt", sha256: hashBytes(Buffer.from("Text of Well")) }] };
}

async function createImportId(app: TestApp) {
  const response = await (await app.admin()).post("/api/admin/imports", await describeImport(app));
  expect(response.status).toBe(201);
  return { importId: String(response.body.id) };
}

async function createCancelledImport(app: TestApp) {
  const ids = await createImportId(app);
  expect((await (await app.admin()).delete(`/api/admin/imports/${ids.importId}`)).status).toBe(200);
  return ids;
}

async function createKeyId(app: TestApp) {
  const response = await (await app.admin()).post("/api/admin/api-keys", { name: "client" });
  expect(response.status).toBe(201);
  return { keyId: String(response.body.id) };
}

const webhook = { url: "http://127.0.0.1:9/hook", events: ["download.requested"] };

async function createWebhookId(app: TestApp) {
  const response = await (await app.admin()).post("/api/admin/webhooks", webhook);
  expect(response.status).toBe(201);
  return { webhookId: String(response.body.id) };
}

const ben = { email: "ben@example.org", name: "Ben", password: PASSWORD, role: "editor" };

const OWN_RECIPES: Readonly<Record<string, Recipe>> = {
  changePassword: () => ({ body: { currentPassword: PASSWORD, newPassword: "another long pass phrase" } }),
  logout: () => ({}),
  endSession: async (app) => {
    const { sessions } = (await (await app.admin()).get("/api/auth/sessions")).body;
    return { ids: { sessionId: sessions[0].id } };
  },
  createUser: () => ({ body: ben }),
  updateUser: async (app) => ({ ids: await createUserId(app), body: { role: "viewer" } }),
  deleteUser: async (app) => ({ ids: await createUserId(app) }),
  createApiKey: () => ({ body: { name: "client" } }),
  revokeApiKey: async (app) => ({ ids: await createKeyId(app) }),
  startDoctorRun: () => ({ body: { cloud: true } }),
  cancelJob: async (app) => ({ ids: await createJobId(app) }),
  createImport: async (app) => ({ body: await describeImport(app) }),
  startImport: async (app) => ({ ids: await createImportId(app) }),
  cancelImport: async (app) => ({ ids: await createImportId(app) }),
  undoImport: async (app) => ({ ids: await createCancelledImport(app) }),

  bulkUpsertBooks: () => ({ body: { books: [{ titleEn: "Well" }] } }),
  createBook: () => ({ body: { titleEn: "Well", slug: "well" } }),
  updateBook: async (app) => ({ ids: await createBookId(app), body: { titleEn: "The Well" } }),
  deleteBook: async (app) => ({ ids: await createBookId(app) }),
  "deleteBook permanently": async (app) => ({ ids: (await publishBook(app)).ids, query: "?permanent=true" }),
  restoreBook: async (app) => ({ ids: await createArchivedBook(app) }),
  runBookAction: async ({ make }) => {
    const { id } = await make.book("Well");
    return { body: { bookIds: [id], action: { type: "archive" } } };
  },
  "reorderBooks behind others": async ({ make }) => {
    await make.book("Well");
    return { body: { moves: [{ bookId: (await make.book("Tree")).id, after: null }] } };
  },
  reorderBooks: async (app) => ({ body: { moves: [{ ...(await createBookId(app)), sortOrder: 7 }] } }),

  putTranslation: async (app) => ({
    ids: (await publishBook(app)).ids,
    body: { languageCode: "es", title: "Pozo" },
  }),
  deleteTranslation: async (app) => ({ ids: await createBookWithTranslation(app) }),
  addFile: async (app) => {
    const { id } = await app.make.book("Well");
    const { code } = await app.make.language("es");
    return {
      ids: { bookId: id },
      form: { fields: { languageCode: code, fileType: "txt" }, file: textFile("1") },
    };
  },
  addCloudFile: async (app) => {
    const { id } = await app.make.book("Well");
    const { code: languageCode } = await app.make.language("es");
    const link = { fileType: "pdf", sourceType: "url", cloudUrl: "https://files.example.org/well.pdf" };
    return { ids: { bookId: id }, body: { languageCode, ...link, fileName: "well.pdf" } };
  },
  replaceFile: async (app) => ({
    ids: (await publishBook(app)).ids,
    form: { file: textFile("another text") },
  }),
  updateFile: async (app) => ({ ids: (await publishBook(app)).ids, body: { fileName: "other.txt" } }),
  deleteFile: async (app) => ({ ids: (await publishBook(app)).ids }),
  deleteReplacedFile: async (app) => {
    const { ids } = await publishBook(app);
    return { ids: { ...ids, sha256: await replaceFile(app, ids) } };
  },
  putCover: async (app) => ({
    ids: { ...(await createBookId(app)), languageCode: "default" },
    form: { file: { bytes: await createPicture("blue"), name: "blue.jpg" } },
  }),
  deleteCover: async (app) => ({ ids: await createBookWithCover(app) }),
  deleteReplacedCover: async (app) => {
    const ids = await createBookWithCover(app);
    return { ids: { ...ids, sha256: await replaceCover(app, ids) } };
  },

  createLanguage: () => ({ body: { code: "es", name: "Spanish", nativeName: "Español" } }),
  updateLanguage: async (app) => ({ ids: await createLangId(app), body: { name: "Castilian" } }),
  deleteLanguage: async (app) => ({ ids: await createLangId(app) }),
  updateSubLanguageBooks: createSubLanguage,
  createChannel: () => ({ body: { name: "Kids" } }),
  updateChannel: async (app) => ({ ids: await createChannelId(app), body: { name: "Children" } }),
  deleteChannel: async (app) => ({ ids: await createChannelId(app) }),
  updateLibrary: () => ({ body: { name: "Village Library" } }),
  updateLibraryTexts: async (app) => ({ ids: await createTexts(app), body: { name: "Biblioteca" } }),
  deleteLibraryTexts: async (app) => ({ ids: await createTexts(app) }),
  putLibraryLogo: async () => ({ form: { file: { bytes: await createPicture("blue"), name: "blue.jpg" } } }),
  deleteLibraryLogo: async (app) => {
    const file = { bytes: await createPicture("blue"), name: "blue.jpg" };
    await (await app.admin()).upload("put", "/api/admin/library/logo", { file });
    return {};
  },
  togglePublication: place,
  changePublications: async (app) => ({
    body: { changes: [{ ...(await place(app)).body, isPublished: true }] },
  }),

  createWebhook: () => ({ body: webhook }),
  updateWebhook: async (app) => ({ ids: await createWebhookId(app), body: { name: "CRM" } }),
  deleteWebhook: async (app) => ({ ids: await createWebhookId(app) }),
  rotateWebhookSecret: async (app) => ({ ids: await createWebhookId(app) }),

  updateContact: async (app) => {
    const [contactId = ""] = await addContacts(app, [{}]);
    return { ids: { contactId }, body: { firstName: "Sarah" } };
  },
  "updateContact by a decision": async (app) => {
    const [contactId = ""] = await addContacts(app, [{}]);
    return { ids: { contactId }, body: { marketing: false } };
  },
  eraseContact: async (app) => {
    const [contactId = ""] = await addContacts(app, [{ events: [{}, {}] }]);
    return { ids: { contactId } };
  },
};

const patchRecipes = [...PATCHES].flatMap(([patch, put]) =>
  Object.entries(OWN_RECIPES)
    .filter(([name]) => name.split(" ")[0] === put)
    .map(([name, recipe]) => [name.replace(put, patch), recipe] as const),
);

/** By the id of the operation and, where there is more than one way, a word for each. */
export const RECIPES: Readonly<Record<string, Recipe>> = {
  ...OWN_RECIPES,
  ...Object.fromEntries(patchRecipes),
};

/** Operations that leave no line in the audit log, and why. */
export const UNRECORDED: Readonly<Record<string, string>> = {
  examineFile: "keeps bytes for an hour, which aren't part of the catalogue",
  lookUpFiles: "only reads; the hashes don't fit into a query",
  planImport: "only reads; the files don't fit into a query",
  testWebhook: "changes no record; the deliveries of the webhook list it",
  resendWebhookDelivery: "changes no record; the deliveries of the webhook list it",
  updateGeoIp: "changes a file and no row; the request log names who asked",
};
