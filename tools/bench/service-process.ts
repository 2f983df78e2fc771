/**
 * The measured process: the whole service on a fresh data folder with books in it, or a bare Express app.
 * `service <bytes of the large file> [books]`, `accel <bytes of the large file>` with `DELIVERY=accel`, `bare <address of the response>`, `postgres <DATABASE_URL> [bytes of
 * the large file]` with the same books, `generated <books>` with a large catalogue, `instance <DATABASE_URL>` for another one on such a database.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import express from "express";
import { z } from "zod";
import { createLogger } from "../../src/adapters/logger.ts";
import { createApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { type Container, createContainer } from "../../src/container.ts";
import { DATABASE_FILE } from "../../src/lib/data-dir-names.ts";
import { createSystemAuthor } from "../../src/repositories/change.ts";
import { generateCatalogue } from "../lib/catalogue-generator.ts";
import { UNLIMITED } from "../lib/server-process.ts";
import { reportFacts } from "./measured-process.ts";

export const SERVICE_PROCESS = import.meta.filename;

/** What the process tells once it listens. */
export const serviceFacts = z.object({ port: z.int(), fileSlug: z.string(), dataDir: z.string() });

const BOOKS = 50;
const AT_ONCE = 50;
export const LANGUAGES = ["en", "es", "fr", "ar", "zh"];

/** @param variables settings besides those of every measured service */
async function startService(
  variables: Readonly<Record<string, string>>,
  prepare: (container: Container) => Promise<string>,
  prepareFolder: (dataDir: string) => Promise<void> = async () => {},
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "bench-service-"));
  process.once("exit", () => rmSync(dataDir, { recursive: true, force: true }));
  process.once("SIGTERM", () => process.exit());
  await prepareFolder(dataDir);
  const config = readConfig({ DATA_DIR: dataDir, ...UNLIMITED, ...variables });
  const container = await createContainer(config, createLogger("info", { pretty: false }));
  await container.sweep();
  const fileSlug = await prepare(container);
  await reportFacts(await createApp(container), { fileSlug, dataDir });
}

const BENCH = createSystemAuthor("bench");

/** Who may log in to the measured service. */
export const ADMIN = { email: "admin@example.org", password: "the pass phrase of a bench" };

/** Books with a translation and a link in each language, and one book with an uploaded file. */
async function fill({ services, store }: Container, fileBytes: number, books: number): Promise<string> {
  await services.users.create(BENCH, { ...ADMIN, name: "admin", role: "admin" });
  for (const code of LANGUAGES)
    await services.languages.create(BENCH, { code, name: code, nativeName: code });
  const addBook = async (number: number) => {
    const translations = LANGUAGES.map((languageCode) => ({
      languageCode,
      title: `Title ${number} in ${languageCode}`,
    }));
    const book = await services.books.create(BENCH, { titleEn: `Book number ${number}`, translations });
    for (const languageCode of LANGUAGES) {
      const link = { cloudUrl: `https://files.example.org/${number}.pdf`, fileName: `book-${number}.pdf` };
      const file = {
        languageCode,
        fileType: "pdf" as const,
        sourceType: "url" as const,
        fileSizeBytes: 1_000_000,
      };
      await services.files.addCloudLink(BENCH, book.id, { ...link, ...file });
    }
  };
  // Many at once share a commit.
  for (let first = 1; first <= books; first += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, books - first + 1) }, (_, index) => first + index);
    await Promise.all(numbers.map(addBook));
  }
  await services.languages.create(BENCH, { code: "sw", name: "sw", nativeName: "sw" });
  const book = await services.books.create(BENCH, { titleEn: "The large one", sortOrder: 0 });
  const received = await store.receive(Readable.from(generateLargeText(fileBytes)), { maxBytes: fileBytes });
  await services.files.addUpload(
    BENCH,
    book.id,
    { languageCode: "sw", fileType: "txt" },
    { ...received, originalName: "large.txt" },
  );
  return book.slug;
}

/** A catalogue with texts and links in several languages, as it is after years. */
const startGenerated = (books: number): Promise<void> =>
  startService(
    {},
    async ({ services }) => {
      await services.users.create(BENCH, { ...ADMIN, name: "admin", role: "admin" });
      return "";
    },
    async (dataDir) => {
      await generateCatalogue(join(dataDir, DATABASE_FILE), books);
    },
  );

function* generateLargeText(bytes: number): Generator<Buffer> {
  const piece = Buffer.alloc(1_000_000, "A line of the large book.\n");
  for (let left = bytes; left > 0; left -= piece.length)
    yield piece.subarray(0, Math.min(left, piece.length));
}

/** Sends the bytes that another server answered, with their type and entity tag, which Express compares. */
async function startBare(url: string): Promise<void> {
  const app = express();
  // Express would hash the bytes for each request.
  app.set("etag", false);
  const response = await fetch(url, { headers: { "Accept-Encoding": "identity" } });
  const etag = response.headers.get("etag") ?? "";
  const body = Buffer.from(await response.arrayBuffer());
  const type = response.headers.get("content-type") ?? "";
  app.get(new URL(url).pathname, (_req, res) => {
    res.type(type).set("ETag", etag).send(body);
  });
  await reportFacts(app, { fileSlug: "", dataDir: "" });
}

/** All instances on one database have the same secret. */
export const onPostgres = (url: string) => ({
  DATABASE_URL: url,
  AUTH_SECRET: "c2VjcmV0IG9mIGFsbCBtZWFzdXJlZCBpbnN0YW5jZXM",
});

if (import.meta.main) {
  const [kind, argument = "", more] = process.argv.slice(2);
  if (kind === "bare") await startBare(argument);
  else if (kind === "postgres")
    await startService(onPostgres(argument), (container) => fill(container, Number(more ?? 1000), BOOKS));
  else if (kind === "accel")
    await startService({ DELIVERY: "accel" }, (container) => fill(container, Number(argument), BOOKS));
  else if (kind === "generated") await startGenerated(Number(argument));
  else if (kind === "instance") await startService(onPostgres(argument), async () => "");
  else await startService({}, (container) => fill(container, Number(argument), Number(more ?? BOOKS)));
}
