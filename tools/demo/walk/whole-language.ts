// One reader asks for all books of a language and gets them as a ZIP.

import { readZip } from "../../lib/read-zip.ts";
import { expectStatus, type ServiceClient } from "../../lib/service-client.ts";
import { demoLanguages } from "../catalogue.ts";
import type { DemoFile } from "../files.ts";
import { hashBytes, type Loaded } from "../load.ts";
import { formatByteCount, formatCount, type Report } from "../print.ts";
import * as responses from "../responses.ts";
import { layOutTable } from "../text-width.ts";
import { expectSame } from "./expect.ts";
import { reader } from "./one-book.ts";

/** One right-to-left language with one file for each book, one with two. */
export const wholeLanguages: readonly string[] = ["ar", "es"];

export async function downloadLanguages(report: Report, loaded: Loaded): Promise<void> {
  for (const code of wholeLanguages) {
    const name = demoLanguages.find((language) => language.code === code)?.name ?? code;
    const sources = loaded.files.filter(({ languageCode }) => languageCode === code);
    report.heading(`All books in ${name}`);
    const url = await report.step("Request a link", () => ask(loaded.reader, code, sources));
    await report.step("Download the ZIP", () => download(loaded.reader, url, sources));
  }
}

async function ask(client: ServiceClient, languageCode: string, sources: readonly DemoFile[]) {
  const link = await client.post(
    "/api/download/submit-all",
    { languageCode, contact: reader },
    200,
    responses.languageDownloadLink,
  );
  const books = new Set(sources.map(({ slug }) => slug));
  expectSame(link.booksCount, books.size, "booksCount");
  expectSame(link.filesCount, sources.length, "filesCount");
  const result = `${formatCount(link.booksCount, "book")}, ${formatCount(link.filesCount, "file")}, ${formatByteCount(link.totalBytes)}`;
  return { result, value: link.downloadUrl };
}

async function download(client: ServiceClient, url: string, sources: readonly DemoFile[]) {
  const response = await client.send(url);
  expectStatus(response, 200, "GET the link");
  const entries = await readZip(response.bytes);
  expectSame(
    entries.map(({ bytes }) => hashBytes(bytes)).sort(),
    sources.map(({ bytes }) => hashBytes(bytes)).sort(),
    "the SHA-256 of the files in the ZIP",
  );
  const rows = entries.map(({ name, bytes }) => [formatByteCount(bytes.length), name]);
  return {
    result: `${formatByteCount(response.bytes.length)}, same files as uploaded`,
    details: layOutTable(rows, ["right", "left"]),
    value: undefined,
  };
}
