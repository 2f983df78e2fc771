/** The main job from an empty data folder to delivered books, on the demo's catalogue, through the interface alone. */
import { beforeAll, describe, expect, it } from "vitest";
import { demoBooks, demoLanguages } from "../../tools/demo/catalogue.ts";
import { createDemoFiles, type DemoFile } from "../../tools/demo/files.ts";
import { readZip } from "../../tools/lib/read-zip.ts";
import { startApp, type TestApp } from "../support/app.ts";
import type { Client } from "../support/client.ts";
import { AGENTS } from "../support/reader.ts";
import { hashBytes } from "../support/stored-files.ts";

const MINUTE = 60_000;
const NOON = "2026-03-01T12:00:00.000Z";
const asha = { email: "asha@example.org", firstName: "Asha" };
const li = { email: "li@example.org", firstName: "Li" };
let sources: DemoFile[];

beforeAll(async () => {
  sources = await createDemoFiles();
});

/** An administrator enters languages, books and translations, an external client with an API key brings the files. */
async function loadCatalogue(app: TestApp): Promise<Client> {
  const admin = await app.admin();
  for (const language of demoLanguages) {
    expect((await admin.post("/api/admin/languages", language)).status).toBe(201);
  }
  const ids = new Map<string, string>();
  for (const { titleEn, slug, description, translations } of demoBooks) {
    const texts = translations.map(({ paragraphs: _, ...translation }) => translation);
    const created = await admin.post("/api/admin/books", { titleEn, slug, description, translations: texts });
    expect(created.status).toBe(201);
    ids.set(slug, created.body.id);
  }
  const client = await app.make.apiKey(["edit_books"]);
  for (const { slug, languageCode, fileType, fileName, bytes } of sources) {
    const uploaded = await client.upload("post", `/api/admin/books/${ids.get(slug)}/files`, {
      fields: { languageCode, fileType },
      file: { bytes, name: fileName },
    });
    expect(uploaded.status, fileName).toBe(201);
    expect(uploaded.body).toMatchObject({ fileName, sha256: hashBytes(bytes) });
  }
  return admin;
}

/** The name in `filename*` or, where it is plain, in `filename`. */
function offeredName(disposition: string): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1];
  return encoded === undefined ? /filename="?([^";]+)"?/.exec(disposition)?.[1] : decodeURIComponent(encoded);
}

const inLanguage = (code: string): DemoFile[] => sources.filter(({ languageCode }) => languageCode === code);
const booksIn = (code: string): number => new Set(inLanguage(code).map(({ slug }) => slug)).size;
const translationsIn = (code: string) =>
  demoBooks.flatMap(({ slug, translations }) =>
    translations.filter(({ languageCode }) => languageCode === code).map(({ title }) => ({ slug, title })),
  );
const hashesOf = (files: readonly { bytes: Buffer }[]) => files.map(({ bytes }) => hashBytes(bytes)).sort();

/** The public site lists what is published, in the reader's language. */
async function expectListed(reader: Client): Promise<void> {
  const { languages } = (await reader.get("/api/languages")).body;
  const byName = [...demoLanguages].sort((one, other) => (one.name < other.name ? -1 : 1));
  expect(languages.map(({ code, booksCount }: Record<string, unknown>) => [code, booksCount])).toEqual(
    byName.map(({ code }) => [code, booksIn(code)]),
  );
  for (const { code, nativeName, direction } of demoLanguages) {
    const { language, books } = (await reader.get(`/api/books?languageCode=${code}`)).body;
    expect(language).toMatchObject({ nativeName, direction });
    expect(books.map(({ slug, title }: Record<string, unknown>) => ({ slug, title }))).toEqual(
      translationsIn(code),
    );
  }
}

/** A reader asks for a file and gets it, byte for byte and under its name. */
async function expectDelivered(reader: Client, source: DemoFile): Promise<void> {
  const { slug, languageCode, fileType, fileName, bytes } = source;
  const request = { slug, languageCode, fileType, contact: asha };
  const asked = await reader.post("/api/download/submit?utm_source=journey", request);
  expect(asked.status, fileName).toBe(200);
  expect(asked.body).toMatchObject({ fileName, fileSizeBytes: bytes.length, fileType });
  const response = await reader.get(asked.body.downloadUrl);
  expect(response.body.equals(bytes), fileName).toBe(true);
  expect(offeredName(response.headers["content-disposition"] ?? "")).toBe(fileName);
}

/** Another asks for everything in a language and gets a ZIP with exactly the sources' bytes, under their titles. */
async function expectAllDelivered(reader: Client, code: string): Promise<void> {
  const files = inLanguage(code);
  const asked = await reader.post("/api/download/submit-all", { languageCode: code, contact: li });
  expect(asked.body).toMatchObject({
    booksCount: booksIn(code),
    filesCount: files.length,
    totalBytes: files.reduce((sum, { bytes }) => sum + bytes.length, 0),
  });
  const zip = await reader.get(asked.body.downloadUrl);
  expect(Number(zip.headers["content-length"])).toBe(zip.body.length);
  const entries = await readZip(zip.body);
  expect(hashesOf(entries)).toEqual(hashesOf(files));
  const titles = new Map(translationsIn(code).map(({ slug, title }) => [slug, title]));
  const names = entries.map(({ name }) => name.replace(/^\d+ - /, ""));
  expect(names.sort()).toEqual(
    files.map(({ slug, fileType }) => `${titles.get(slug)} [${code}].${fileType}`).sort(),
  );
}

/** Every request is an event that was redeemed, and each file was delivered alone and within its language. */
async function expectOnRecord(admin: Client): Promise<void> {
  const { downloads, pagination } = (await admin.get("/api/admin/analytics/downloads?limit=200")).body;
  expect(pagination.total).toBe(sources.length + demoLanguages.length);
  for (const event of downloads) {
    expect(event).toMatchObject({ deviceType: "mobile", redeemedAt: NOON, isBot: 0 });
  }
  const whole = downloads.filter(({ isDownloadAll }: { isDownloadAll: number }) => isDownloadAll === 1);
  expect(whole).toHaveLength(demoLanguages.length);
  expect(whole[0]).toMatchObject({ bookTitle: "All books", contactEmail: li.email });
  const { books } = (await admin.get("/api/admin/books?limit=200")).body;
  for (const { slug, totalDownloads, filesCount } of books) {
    expect([slug, totalDownloads]).toEqual([slug, 2 * filesCount]);
  }
}

describe("from an empty machine to a delivered book, the service", () => {
  it("publishes the catalogue, delivers each file and every language completely, and records it all", async () => {
    const app = await startApp();
    const reader = app.api.with({ "User-Agent": AGENTS.iphone });
    expect((await reader.get("/api/health")).body.status).toBe("ok");
    expect((await reader.get("/api/books")).body.pagination.total).toBe(0);
    const admin = await loadCatalogue(app);
    await expectListed(reader);
    for (const source of sources) await expectDelivered(reader, source);
    for (const { code } of demoLanguages) await expectAllDelivered(reader, code);
    await expectOnRecord(admin);
  });

  it("expires a link after ten minutes, renews it, and withdraws a file immediately", async () => {
    const app = await startApp();
    const { api } = app;
    const admin = await loadCatalogue(app);
    const request = { slug: "counting-stars", languageCode: "zh", contact: asha };
    const { downloadUrl } = (await api.post("/api/download/submit", request)).body;
    const first = await api.get(downloadUrl, { Range: "bytes=0-99" });
    expect(first.status).toBe(206);
    app.clock.advance(9 * MINUTE);
    const rest = await api.get(downloadUrl, { Range: "bytes=100-", "If-Range": first.headers.etag ?? "" });
    const source = sources.find(({ slug, languageCode }) => slug === request.slug && languageCode === "zh");
    expect(hashBytes(Buffer.concat([first.body, rest.body]))).toBe(hashBytes(source?.bytes ?? Buffer.of()));

    app.clock.advance(MINUTE);
    expect((await api.get(downloadUrl)).status).toBe(410);
    const renewed = (await api.post(`${downloadUrl}/renewal`)).body.downloadUrl;
    expect(hashBytes((await api.get(renewed)).body)).toBe(hashBytes(source?.bytes ?? Buffer.of()));

    const details = (await api.get("/api/books/counting-stars")).body;
    const file = details.files.find(({ languageCode }: DemoFile) => languageCode === "zh");
    const gone = await admin.delete(`/api/admin/books/${details.id}/files/${file.id}`);
    expect(gone.status).toBe(200);
    expect((await api.get(renewed)).status).toBe(404);
    expect((await api.post(`${downloadUrl}/renewal`)).status).toBe(404);
    expect((await api.get("/api/books/counting-stars")).body.languages).not.toContain("zh");
  });
});
