/** Rows of reports: counts together with the names of the counted books, languages or countries. */
import { batchesOf, compareNames } from "../../lib/collections.ts";
import { countryName } from "../../lib/countries.ts";
import type { Counts, EventCounts } from "../../repositories/event-counts/event-counts.ts";
import type { EventFilter } from "../../repositories/exports/download-log.ts";
import type { NamedBook, NamedLanguage, ReportNames } from "../../repositories/report-names.ts";
import type {
  DownloadsOfBook,
  DownloadsOfCountry,
  DownloadsOfDevice,
  DownloadsOfLanguage,
} from "../../schemas/analytics-reports.schemas.ts";

interface AnalyticsRowsDeps {
  counts: EventCounts;
  names: ReportNames;
}

export class AnalyticsRows {
  readonly #deps: AnalyticsRowsDeps;

  constructor(deps: AnalyticsRowsDeps) {
    this.#deps = deps;
  }

  async byBook(filter: EventFilter): Promise<DownloadsOfBook[]> {
    const [counted, books] = await Promise.all([this.#deps.counts.byBook(filter), this.#deps.names.books()]);
    const rows = await withNames(new Map(counted.map((counts) => [counts.bookId, counts])), books, {
      isWhole: isWhole(filter),
      nameGone: (ids) => this.#deletedBooks(ids),
    });
    return rows
      .map(({ id, title, legacyDownloadCount, counts }) => ({
        bookId: id,
        bookTitle: title,
        ...totalsOf(counts),
        legacyDownloads: legacyDownloadCount,
      }))
      .sort((a, b) => b.totalBooks - a.totalBooks || compareNames(a.bookTitle, b.bookTitle));
  }

  async byLanguage(filter: EventFilter): Promise<DownloadsOfLanguage[]> {
    const [counted, languages] = await Promise.all([
      this.#deps.counts.byLanguage(filter),
      this.#deps.names.languages(),
    ]);
    const rows = await withNames(new Map(counted.map((counts) => [counts.languageId, counts])), languages, {
      isWhole: isWhole(filter),
      nameGone: (ids) => Promise.all(ids.map((id) => this.#deletedLanguage(id))),
    });
    return rows
      .map(({ id, code, name, legacyDownloadCount, counts }) => ({
        languageId: id,
        languageCode: code,
        languageName: name,
        ...totalsOf(counts),
        legacyDownloads: legacyDownloadCount,
      }))
      .sort(byDownloads(({ languageName }) => languageName));
  }

  /** Downloads from unknown countries are counted under the country code "". */
  async byCountry(filter: EventFilter): Promise<DownloadsOfCountry[]> {
    const rows = await this.#deps.counts.byCountry(filter);
    return rows
      .map(({ countryCode, ...counts }) => ({
        countryCode: countryCode ?? "",
        countryName: countryName(countryCode ?? "") ?? "",
        ...totalsOf(counts),
      }))
      .sort(byDownloads((row) => row.countryName));
  }

  async byDevice(filter: EventFilter): Promise<DownloadsOfDevice[]> {
    const rows = await this.#deps.counts.byDevice(filter);
    return rows
      .map(({ deviceType, ...counts }) => ({ deviceType, ...totalsOf(counts) }))
      .sort(byDownloads((row) => row.deviceType));
  }

  async #deletedBooks(ids: readonly string[]): Promise<NamedBook[]> {
    const found = await Promise.all(
      batchesOf(ids, IDS_PER_STATEMENT).map((some) => this.#deps.names.deletedBooks(some)),
    );
    const titles = new Map(found.flat().map(({ id, title }) => [id, title]));
    return ids.map((id) => ({ id, title: titles.get(id) ?? "", ...NO_LEGACY }));
  }

  async #deletedLanguage(id: number): Promise<NamedLanguage> {
    return { id, ...((await this.#deps.names.lastLanguage(id)) ?? NO_NAME), ...NO_LEGACY };
  }
}

/** Bounds the number of parameters of one statement. */
const IDS_PER_STATEMENT = 500;

export const totalsOf = ({ downloads, books, contacts, redeemed }: Counts) => ({
  totalDownloads: downloads,
  totalBooks: books,
  uniqueContacts: contacts,
  redeemed,
});

export const NO_COUNTS: Counts = { downloads: 0, books: 0, redeemed: 0, contacts: 0 };
const NO_NAME = { code: "", name: "" };
const NO_LEGACY = { legacyDownloadCount: 0 };

/** Whether the filter excludes nothing except perhaps bots. */
const isWhole = ({ from, until, languageId, bookId, countryCode, deviceType }: EventFilter): boolean =>
  [from, until, languageId, bookId, countryCode, deviceType].every((value) => value === undefined);

interface Named<Id> {
  id: Id;
  legacyDownloadCount: number;
}

/**
 * Adds names to counts: the current ones, or the last known ones of deleted rows. A report without filters also
 * contains rows with downloads that were imported from an earlier system.
 */
async function withNames<Id, N extends Named<Id>>(
  counted: ReadonlyMap<Id, Counts>,
  there: readonly N[],
  { isWhole, nameGone }: { isWhole: boolean; nameGone: (ids: readonly Id[]) => Promise<readonly N[]> },
): Promise<(N & { counts: Counts })[]> {
  const known = new Set(there.map(({ id }) => id));
  const gone = [...counted.keys()].filter((id) => !known.has(id));
  const all = [...there, ...(await nameGone(gone.sort()))];
  return all.flatMap((names) => {
    const counts = counted.get(names.id);
    if (counts) return [{ ...names, counts }];
    return isWhole && names.legacyDownloadCount > 0 ? [{ ...names, counts: NO_COUNTS }] : [];
  });
}

/** Sorts by downloads, highest first, then by name. */
const byDownloads =
  <R extends { totalDownloads: number }>(nameOf: (row: R) => string) =>
  (a: R, b: R): number =>
    b.totalDownloads - a.totalDownloads || compareNames(nameOf(a), nameOf(b));
