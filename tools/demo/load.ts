// Loads the demo's catalogue into an empty service, through its HTTP interface alone.
import { createHash } from "node:crypto";
import { readJson, readSessionCookie, type ServiceClient } from "../lib/service-client.ts";
import type { DemoBook } from "./book.ts";
import { demoBooks, demoLanguages } from "./catalogue.ts";
import { createDemoFiles, type DemoFile } from "./files.ts";
import { formatByteCount, type Report } from "./print.ts";
import { publish } from "./publish.ts";
import * as responses from "./responses.ts";
import { present } from "./walk/expect.ts";
import type { OfferedFile } from "./year.ts";

const MEDIA_TYPES = { epub: "application/epub+zip", pdf: "application/pdf" };

export type Login = { email: string; password: string };

/** The service with its catalogue, as three callers see it. */
export type Loaded = {
  /** No credential at all. */
  reader: ServiceClient;
  /** The administrator's session cookie. */
  session: ServiceClient;
  /** An API key as bearer. */
  apiClient: ServiceClient;
  key: string;
  files: DemoFile[];
  /** The uploaded files, as events name them. */
  offered: OfferedFile[];
  /** The day of the loading, in UTC. */
  today: string;
};

type Ids = { books: ReadonlyMap<string, string>; languages: ReadonlyMap<string, number> };

/** @throws StepFailed at the first step that fails: nothing later could work */
export async function loadCatalogue(report: Report, reader: ServiceClient, login: Login): Promise<Loaded> {
  report.heading("Loading sample books");
  const files = await report.step("Generate the book files", makeFiles);
  const session = await report.step("Log in", () => logIn(reader, login));
  const languages = await report.step("Create the languages", () => createLanguages(session));
  const books = await report.step("Create the books", () => createBooks(session));
  const key = await report.step("Create an API key", () => makeApiKey(session));
  const apiClient = reader.with({ authorization: `Bearer ${key}` });
  const epubs = files.filter(({ fileType }) => fileType === "epub");
  const pdfs = files.filter(({ fileType }) => fileType === "pdf");
  const ids = { books, languages };
  const offered = [
    ...(await report.step("Upload EPUBs (session cookie)", () => upload(session, epubs, ids))),
    ...(await report.step("Upload PDFs (API key)", () => upload(apiClient, pdfs, ids))),
  ];
  await report.step("Publish books on channels", () => publish(session, books));
  return { reader, session, apiClient, key, files, offered, today: new Date().toISOString().slice(0, 10) };
}

async function makeFiles() {
  const files = await createDemoFiles();
  return { result: `${files.length} files, ${formatByteCount(sumBytes(files))}`, value: files };
}

async function logIn(reader: ServiceClient, login: Login) {
  const response = await reader.send("/api/auth/login", { method: "POST", json: login });
  const { user } = readJson(response, responses.session, "POST /api/auth/login");
  const cookie = readSessionCookie(response);
  const result = `${user.role}, ${user.permissions.length} permissions`;
  return { result, value: reader.with({ cookie }) };
}

/** Gives the identifier of each language by its code. */
async function createLanguages(session: ServiceClient) {
  const ids = new Map<string, number>();
  for (const language of demoLanguages) {
    const { id, code } = await session.post("/api/admin/languages", language, 201, responses.language);
    ids.set(code, id);
  }
  const names = demoLanguages.map(({ nativeName }) => nativeName).join(" · ");
  return { result: `${demoLanguages.length} languages`, details: [names], value: ids };
}

/** Gives the identifier of each book by its slug. */
async function createBooks(session: ServiceClient) {
  const ids = new Map<string, string>();
  for (const demoBook of demoBooks) {
    const { id, slug } = await session.post(
      "/api/admin/books",
      createCreation(demoBook),
      201,
      responses.book,
    );
    ids.set(slug, id);
  }
  const translations = demoBooks.reduce((sum, demoBook) => sum + demoBook.translations.length, 0);
  return { result: `${ids.size} books, ${translations} translations`, value: ids };
}

function createCreation({ titleEn, slug, description, translations }: DemoBook) {
  const named = translations.map((translation) => ({
    languageCode: translation.languageCode,
    title: translation.title,
    description: translation.description,
  }));
  return { titleEn, slug, description, translations: named };
}

async function makeApiKey(session: ServiceClient) {
  const wanted = { name: "Demo uploads", scopes: ["view_books", "edit_books"] };
  const { key, keyPrefix } = await session.post("/api/admin/api-keys", wanted, 201, responses.apiKey);
  return { result: `${keyPrefix}…, shown once`, value: key };
}

async function upload(client: ServiceClient, files: readonly DemoFile[], ids: Ids) {
  const offered: OfferedFile[] = [];
  for (const file of files) {
    const bookId = present(ids.books.get(file.slug), `${file.slug}: not created`);
    const path = `/api/admin/books/${bookId}/files`;
    const stored = await client.upload(path, uploadForm(file), responses.uploadedFile);
    if (stored.sha256 !== hashBytes(file.bytes))
      throw new Error(`${file.fileName}: stored with another SHA-256`);
    offered.push({ fileId: stored.id, bookId, ...describe(file, ids) });
  }
  return { result: `${files.length} files, ${formatByteCount(sumBytes(files))}`, value: offered };
}

function describe({ slug, languageCode, fileType, fileName }: DemoFile, { languages }: Ids) {
  const book = demoBooks.find((each) => each.slug === slug);
  const translation = book?.translations.find((each) => each.languageCode === languageCode);
  const language = demoLanguages.find(({ code }) => code === languageCode);
  return {
    ...{ languageCode, fileType, fileName },
    bookTitle: present(translation, `${fileName}: no translation`).title,
    languageId: present(languages.get(languageCode), `${languageCode}: not created`),
    languageName: present(language, `${languageCode}: no such language`).name,
  };
}

/** The fields come before the file: the service reads the form in one pass. */
export function uploadForm({ languageCode, fileType, fileName, bytes }: Omit<DemoFile, "slug">): FormData {
  const form = new FormData();
  form.append("languageCode", languageCode);
  form.append("fileType", fileType);
  form.append("file", new Blob([new Uint8Array(bytes)], { type: MEDIA_TYPES[fileType] }), fileName);
  return form;
}

export function hashBytes(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function sumBytes(files: readonly DemoFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
