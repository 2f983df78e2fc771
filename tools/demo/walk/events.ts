// What the administrator finds on record afterwards.

import type { ServiceClient } from "../../lib/service-client.ts";
import type { Loaded } from "../load.ts";
import { formatCount, type Report } from "../print.ts";
import * as responses from "../responses.ts";
import { layOutTable } from "../text-width.ts";
import { expectSame } from "./expect.ts";
import { oneBookRequest, reader } from "./one-book.ts";
import { wholeLanguages } from "./whole-language.ts";

/** Leaves out the downloads of the made-up year, which ended yesterday. */
export async function showEvents(report: Report, { session, today }: Loaded): Promise<void> {
  report.heading("What is recorded today");
  await report.step("Read the download events", () => readEvents(session, today));
  await report.step("Count the downloads by language", () => countByLanguage(session, today));
  await report.step("Export the contacts as CSV", () => exportContacts(session, today));
}

async function readEvents(session: ServiceClient, startDate: string) {
  const { downloads, pagination } = await session.get(
    `/api/admin/analytics/downloads?startDate=${startDate}`,
    responses.downloadLog,
  );
  expectSame(pagination.total, 1 + wholeLanguages.length, "the number of events");
  // Newest first: the languages were asked for after the single book.
  expectSame(
    downloads.map(({ languageCode }) => languageCode),
    [...wholeLanguages.toReversed(), oneBookRequest.languageCode],
    "the languages of the events",
  );
  for (const { contactEmail, redeemedAt, bookTitle } of downloads) {
    expectSame(contactEmail, reader.email, "the reader's e-mail");
    if (redeemedAt === null) throw new Error(`“${bookTitle}” was downloaded, but isn't marked so`);
  }
  const rows = downloads.map((event) => [
    event.downloadedAt.slice(11),
    event.languageCode,
    event.isDownloadAll === 1 ? "zip" : event.fileType,
    `${event.browserName}, ${event.osName}`,
    event.contactEmail,
    event.bookTitle,
  ]);
  return {
    result: `${formatCount(pagination.total, "event")}, all downloaded`,
    details: layOutTable(rows, ["left", "left", "left", "left", "left", "left"]),
    value: undefined,
  };
}

async function countByLanguage(session: ServiceClient, startDate: string) {
  const { data: languages } = await session.get(
    `/api/admin/analytics/by-language?startDate=${startDate}`,
    responses.downloadsByLanguage,
  );
  const asked = [...wholeLanguages, oneBookRequest.languageCode];
  for (const { languageCode, totalDownloads, redeemed, uniqueContacts } of languages) {
    const expected = asked.filter((code) => code === languageCode).length;
    expectSame(
      [totalDownloads, redeemed, uniqueContacts],
      [expected, expected, 1],
      `counts of ${languageCode}`,
    );
  }
  expectSame(languages.length, new Set(asked).size, "the number of languages");
  const rows = languages.map((each) => [
    each.languageCode,
    formatCount(each.totalDownloads, "download"),
    formatCount(each.totalBooks, "book"),
    `${each.redeemed} completed`,
  ]);
  return {
    result: `${formatCount(languages.length, "language")}, 1 reader`,
    details: layOutTable(rows, ["left", "right", "right", "right"]),
    value: undefined,
  };
}

async function exportContacts(session: ServiceClient, startDate: string) {
  const { status, bytes } = await session.send(`/api/admin/contacts/export?startDate=${startDate}`);
  expectSame(status, 200, "the status");
  const [header, ...contacts] = bytes.toString().trim().split("\r\n");
  expectSame(contacts.length, 1, "the number of contacts");
  if (!contacts[0]?.includes(reader.email)) throw new Error("The reader's e-mail isn't in the export");
  const columns = header?.split(",").length ?? 0;
  return {
    result: `${formatCount(contacts.length, "contact")}, ${columns} columns`,
    details: [],
    value: undefined,
  };
}
