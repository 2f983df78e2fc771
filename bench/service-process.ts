/** The measured process: the whole service on a fresh data folder with books in it, or a bare Express app. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import express from "express";
import { z } from "zod";
import { createLogger } from "../src/adapters/logger.ts";
import { createApp } from "../src/app.ts";
import { readConfig } from "../src/config.ts";
import { type Container, createContainer } from "../src/container.ts";
import { systemAuthor } from "../src/repositories/change.ts";
import { listen } from "./listen.ts";
import { tellFacts } from "./measured-process.ts";

export const SERVICE_PROCESS = import.meta.filename;

/** What the process tells once it listens. */
export const serviceFacts = z.object({ port: z.int(), fileSlug: z.string() });

export const BOOKS = 50;
const LANGUAGES = ["en", "es", "fr", "ar", "zh"];

async function startService(fileBytes: number): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "bench-service-"));
  process.once("exit", () => rmSync(dataDir, { recursive: true, force: true }));
  process.once("SIGTERM", () => process.exit());
  const unlimited = { RATE_LIMIT_SUBMIT: "0", RATE_LIMIT_DOWNLOAD: "0", RATE_LIMIT_LOGIN: "0" };
  const config = readConfig({ DATA_DIR: dataDir, ...unlimited });
  const container = await createContainer(config, createLogger("info", { pretty: false }));
  await container.sweep();
  const fileSlug = await fill(container, fileBytes);
  tellFacts({ port: await listen(createApp(container)), fileSlug });
}

const BENCH = systemAuthor("bench");

/** Books with a translation and a link in each language, and one book with an uploaded file. */
async function fill({ services, store }: Container, fileBytes: number): Promise<string> {
  for (const code of LANGUAGES)
    await services.languages.create(BENCH, { code, name: code, nativeName: code });
  for (let number = 1; number <= BOOKS; number += 1) {
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
  }
  await services.languages.create(BENCH, { code: "sw", name: "sw", nativeName: "sw" });
  const book = await services.books.create(BENCH, { titleEn: "The large one", sortOrder: 0 });
  const received = await store.receive(Readable.from(largeText(fileBytes)), { maxBytes: fileBytes });
  await services.files.addUpload(
    BENCH,
    book.id,
    { languageCode: "sw", fileType: "txt" },
    { ...received, originalName: "large.txt" },
  );
  return book.slug;
}

function* largeText(bytes: number): Generator<Buffer> {
  const piece = Buffer.alloc(1_000_000, "A line of the large book.\n");
  for (let left = bytes; left > 0; left -= piece.length)
    yield piece.subarray(0, Math.min(left, piece.length));
}

/** Sends the bytes that another server answered: as JSON with Express' own entity tag and comparison. */
async function startBare(url: string): Promise<void> {
  const app = express();
  const body = fetch(url).then((answer) => answer.text());
  app.get("/api/books", async (_req, res) => {
    res.type("json").send(await body);
  });
  tellFacts({ port: await listen(app), fileSlug: "" });
}

if (import.meta.main) {
  const [kind, argument = ""] = process.argv.slice(2);
  if (kind === "bare") await startBare(argument);
  else await startService(Number(argument));
}
