/** Download reports and the event log. Reports add the names of the counted books, languages or countries to counts. */
import type { Clock } from "../../adapters/system.ts";
import type { Period } from "../../lib/calendar.ts";
import { compareNames, splitIntoBatches } from "../../lib/collections.ts";
import { findCountryName } from "../../lib/countries.ts";
import { createYielder, mapInTurns, sortInTurns } from "../../lib/event-loop.ts";
import { type Counts, type EventCounts, NO_COUNTS } from "../../repositories/event-counts/event-counts.ts";
import type {
  DownloadLogQuery as DownloadLog,
  EventFilter,
  LogFilter,
} from "../../repositories/exports/download-log.ts";
import type { EventExport } from "../../repositories/exports/event-export.ts";
import type { NamedBook, NamedLanguage, ReportNames } from "../../repositories/report-names.ts";
import {
  DOWNLOAD_COLUMNS,
  type DownloadEvent,
  type DownloadExportQuery,
  type DownloadLogQuery,
} from "../../schemas/analytics.schemas.ts";
import {
  type ByBookQuery,
  type ByDateQuery,
  type DownloadsOfBook,
  type DownloadsOfCampaign,
  type DownloadsOfCountry,
  type DownloadsOfDevice,
  type DownloadsOfLanguage,
  type DownloadsOfPeriod,
  type LimitedReportQuery,
  MAX_ROWS,
  type Others,
} from "../../schemas/analytics-reports.schemas.ts";
import { offsetOf, type Pagination, paginationOf } from "../../schemas/queries.ts";
import { readCsvPages } from "../shared/export-pages.ts";
import { type CsvDocument, csvOptionsOf, formatExportName } from "../shared/results.ts";
import { Service } from "../shared/service.ts";
import type { EventSearch } from "./event-search.ts";
import { firstRows } from "./first-rows.ts";
import { presentEvent } from "./presenters.ts";
import { listPeriods, selectPeriods } from "./report-periods.ts";

interface AnalyticsServiceDeps {
  counts: EventCounts;
  names: ReportNames;
  downloadLog: DownloadLog;
  export: EventExport;
  search: EventSearch;
  clock: Clock;
}

export class AnalyticsService extends Service<AnalyticsServiceDeps> {
  /** The event log, newest event first. */
  async listDownloads(
    query: DownloadLogQuery,
  ): Promise<{ downloads: DownloadEvent[]; pagination: Pagination }> {
    const { downloadLog } = this.deps;
    const filter = await this.#filterOf(query);
    const page = { limit: query.limit, offset: offsetOf(query) };
    if (filter.words !== undefined) {
      const { rows, total } = await downloadLog.find(filter, page);
      return { downloads: rows.map(presentEvent), pagination: paginationOf(query, total) };
    }
    const [rows, total] = await Promise.all([downloadLog.list(filter, page), this.#numberOf(filter)]);
    return { downloads: rows.map(presentEvent), pagination: paginationOf(query, total) };
  }

  /** The whole event log as CSV, newest event first. */
  async exportDownloads(query: DownloadExportQuery): Promise<CsvDocument> {
    return {
      fileName: formatExportName("downloads", query, this.deps.clock.now()),
      columns: DOWNLOAD_COLUMNS,
      pages: readCsvPages(this.deps.export, await this.#filterOf(query), query),
      ...csvOptionsOf(query),
    };
  }

  async #filterOf({ search, ...filter }: DownloadLogQuery | DownloadExportQuery): Promise<LogFilter> {
    return { ...filter, words: await this.deps.search.of(search) };
  }

  /** The columns in memory have neither titles nor the ids of contacts. */
  async #numberOf(filter: LogFilter): Promise<number> {
    const { contactId, ...counted } = filter;
    if (contactId !== undefined) return this.deps.downloadLog.count(filter);
    return (await this.deps.counts.countTotals(counted)).downloads;
  }

  async countByDate(query: ByDateQuery): Promise<DownloadsOfPeriod[]> {
    const countPeriods = async (periods: readonly Period[]) => {
      const starts = periods.map(({ start }) => start);
      const counted = await this.deps.counts.countByPeriod(query, [
        ...starts,
        ...periods.slice(-1).map(({ end }) => end),
      ]);
      return new Map(counted.map((counts) => [counts.start, counts]));
    };
    const periods = await listPeriods(query, await this.deps.downloadLog.findSpan(), async (years) => {
      const counts = await countPeriods(years);
      return years.filter(({ start }) => counts.has(start));
    });
    const counts = await countPeriods(periods);
    const listed = selectPeriods(query, periods, ({ start }) => counts.has(start));
    return listed.map(({ date, start }) => ({ date, ...totalsOf(counts.get(start) ?? NO_COUNTS) }));
  }

  async countByBook({ limit, ...filter }: ByBookQuery): Promise<Limited<DownloadsOfBook>> {
    if (limit === undefined) return { data: await this.allBooks(filter) };
    return firstRows({
      limit,
      rows: () => this.allBooks(filter),
      compare: compareByDownloads(({ bookTitle }) => bookTitle),
      keyOf: ({ bookId }) => bookId,
      contactsOfRest: (shown) => this.deps.counts.contactsOfRest("book", shown, filter),
    });
  }

  /** Most delivered first. */
  async allBooks(filter: EventFilter): Promise<DownloadsOfBook[]> {
    const yieldToEventLoop = createYielder();
    const [counted, books] = await Promise.all([this.deps.counts.countByBook(filter), this.#listBookNames()]);
    await yieldToEventLoop();
    const named = await withNames(counted, books, {
      idOf: ({ bookId }) => bookId,
      isWhole: isWhole(filter),
      nameGone: (ids) => this.#findDeletedBooks(ids),
    });
    const rows = await mapInTurns(
      named,
      ({ id: bookId, title: bookTitle, legacyDownloadCount: legacyDownloads, counts }) => ({
        bookId,
        bookTitle,
        ...totalsOf(counts),
        legacyDownloads,
      }),
    );
    return sortInTurns(rows, (a, b) => b.totalBooks - a.totalBooks || compareNames(a.bookTitle, b.bookTitle));
  }

  async countByLanguage(filter: EventFilter): Promise<DownloadsOfLanguage[]> {
    const [counted, languages] = await Promise.all([
      this.deps.counts.countByLanguage(filter),
      this.deps.names.listLanguages(),
    ]);
    const rows = await withNames(counted, languages, {
      idOf: ({ languageId }) => languageId,
      isWhole: isWhole(filter),
      nameGone: (ids) => Promise.all(ids.map((id) => this.#findDeletedLanguage(id))),
    });
    const ids = counted.map(({ languageId }) => languageId);
    const contactsOf = (own: ReadonlySet<number>) =>
      this.deps.counts.contactsOfRest(
        "language",
        ids.filter((id) => !own.has(id)),
        filter,
      );
    const known = new Set(languages.map(({ id }) => id));
    const merged = await mergeByCode(rows, (id) => known.has(id), contactsOf);
    return merged
      .map(({ id, code, name, legacyDownloadCount, counts }) => ({
        languageId: id,
        languageCode: code,
        languageName: name,
        ...totalsOf(counts),
        legacyDownloads: legacyDownloadCount,
      }))
      .sort(compareByDownloads(({ languageName }) => languageName));
  }

  async countByCountry({ limit, ...filter }: LimitedReportQuery): Promise<Limited<DownloadsOfCountry>> {
    if (limit === undefined) return { data: await this.allCountries(filter) };
    return firstRows({
      limit,
      rows: () => this.allCountries(filter),
      compare: compareByDownloads(({ countryName }) => countryName),
      keyOf: ({ countryCode }) => countryCode || null,
      contactsOfRest: (shown) => this.deps.counts.contactsOfRest("country", shown, filter),
    });
  }

  /** Without a limit, as many as it can be: senders of forms choose campaigns freely. */
  async byCampaign({ limit, ...filter }: LimitedReportQuery): Promise<Limited<DownloadsOfCampaign>> {
    const { campaigns, others } = await this.deps.counts.byCampaign(filter, limit ?? MAX_ROWS);
    const data = campaigns.map(({ utmSource, utmMedium, utmCampaign, ...counts }) => ({
      utmSource,
      utmMedium,
      utmCampaign,
      ...totalsOf(counts),
    }));
    if (limit === undefined && others.groups === 0) return { data };
    const { groups: rows, downloads: totalDownloads, books: totalBooks, contacts: uniqueContacts } = others;
    return { data, others: { rows, totalDownloads, totalBooks, uniqueContacts } };
  }

  /** Downloads from unknown countries are counted under the country code "". */
  async allCountries(filter: EventFilter): Promise<DownloadsOfCountry[]> {
    const rows = await this.deps.counts.countByCountry(filter);
    return rows
      .map(({ countryCode, ...counts }) => ({
        countryCode: countryCode ?? "",
        countryName: findCountryName(countryCode ?? "") ?? "",
        ...totalsOf(counts),
      }))
      .sort(compareByDownloads((row) => row.countryName));
  }

  async countByDevice(filter: EventFilter): Promise<DownloadsOfDevice[]> {
    const rows = await this.deps.counts.countByDevice(filter);
    return rows
      .map(({ deviceType, ...counts }) => ({ deviceType, ...totalsOf(counts) }))
      .sort(compareByDownloads((row) => row.deviceType));
  }

  /** In pages, because the rows of all books in one message would hold the event loop. */
  async #listBookNames(): Promise<NamedBook[]> {
    const pages: NamedBook[][] = [];
    for (let afterId: string | undefined = ""; afterId !== undefined; ) {
      const page = await this.deps.names.listBooks(afterId, NAMES_PER_PAGE);
      pages.push(page);
      afterId = page[NAMES_PER_PAGE - 1]?.id;
    }
    return pages.flat();
  }

  async #findDeletedBooks(ids: readonly string[]): Promise<NamedBook[]> {
    const found = await Promise.all(
      splitIntoBatches(ids, IDS_PER_STATEMENT).map((some) => this.deps.names.findDeletedBooks(some)),
    );
    const titles = new Map(found.flat().map(({ id, title }) => [id, title]));
    return ids.map((id) => ({ id, title: titles.get(id) ?? "", ...NO_LEGACY }));
  }

  async #findDeletedLanguage(id: number): Promise<NamedLanguage> {
    return { id, ...((await this.deps.names.findLastLanguage(id)) ?? NO_NAME), ...NO_LEGACY };
  }
}

/** All rows of a report, or the first ones and the counts of the others. */
interface Limited<Row> {
  data: Row[];
  others?: Others;
}

const NAMES_PER_PAGE = 2000;

/** Bounds the number of parameters of one statement. */
const IDS_PER_STATEMENT = 500;

const totalsOf = ({ downloads, books, contacts, redeemed }: Counts) => ({
  totalDownloads: downloads,
  totalBooks: books,
  uniqueContacts: contacts,
  redeemed,
});

const NO_NAME = { code: "", name: "" };
const NO_LEGACY = { legacyDownloadCount: 0 };

/** Whether the filter excludes nothing except perhaps bots. */
const isWhole = ({ from, until, isRedeemed, ...filter }: EventFilter): boolean => {
  const { languageId, bookId, countryCode, deviceType, fileType, utmSource, utmMedium, utmCampaign } = filter;
  return [
    ...[from, until, isRedeemed, languageId, bookId, countryCode, deviceType],
    ...[fileType, utmSource, utmMedium, utmCampaign],
  ].every((value) => value === undefined);
};

interface Named<Id> {
  id: Id;
  legacyDownloadCount: number;
}

/**
 * Adds names to counts: the current ones, or the last known ones of deleted rows. A report without filters also
 * contains rows with downloads that were imported from an earlier system.
 */
async function withNames<Id, C extends Counts, N extends Named<Id>>(
  counted: readonly C[],
  there: readonly N[],
  { idOf, isWhole, nameGone }: Naming<Id, C, N>,
): Promise<(N & { counts: Counts })[]> {
  const yieldToEventLoop = createYielder();
  const unnamed = new Map<Id, Counts>();
  for (const counts of counted) {
    await yieldToEventLoop();
    unnamed.set(idOf(counts), counts);
  }
  const rows: (N & { counts: Counts })[] = [];
  const addAll = async (named: readonly N[]) => {
    for (const names of named) {
      await yieldToEventLoop();
      const counts = unnamed.get(names.id);
      if (counts) rows.push({ ...names, counts });
      else if (isWhole && names.legacyDownloadCount > 0) rows.push({ ...names, counts: NO_COUNTS });
      unnamed.delete(names.id);
    }
  };
  await addAll(there);
  await addAll(await nameGone([...unnamed.keys()].sort()));
  return rows;
}

interface Naming<Id, C, N> {
  idOf(counts: C): Id;
  isWhole: boolean;
  nameGone(ids: readonly Id[]): Promise<readonly N[]>;
}

/** Sorts by downloads, highest first, then by name. */
const compareByDownloads =
  <R extends { totalDownloads: number }>(nameOf: (row: R) => string) =>
  (a: R, b: R): number =>
    b.totalDownloads - a.totalDownloads || compareNames(nameOf(a), nameOf(b));

type CountedLanguage = NamedLanguage & { counts: Counts };

/**
 * @param isKnown whether a language with this number still exists: it gives number and name to the row
 * @param contactsOf distinct contacts of all these languages together
 */
async function mergeByCode(
  rows: readonly CountedLanguage[],
  isKnown: (languageId: number) => boolean,
  contactsOf: (languageIds: ReadonlySet<number>) => Promise<number>,
): Promise<CountedLanguage[]> {
  const groups = Map.groupBy(rows, ({ id, code }) => code.toLowerCase() || id);
  const merged = await Promise.all(
    [...groups.values()].map(async (group) => {
      const [first] = group.toSorted((a, b) => Number(isKnown(b.id)) - Number(isKnown(a.id)) || b.id - a.id);
      if (!first || group.length === 1) return group;
      const contacts = await contactsOf(new Set(group.map(({ id }) => id)));
      return [{ ...first, counts: { ...addCounts(group), contacts } }];
    }),
  );
  return merged.flat();
}

function addCounts(group: readonly CountedLanguage[]): Omit<Counts, "contacts"> {
  const sumOf = (name: Exclude<keyof Counts, "contacts">): number =>
    group.reduce((sum, { counts }) => sum + counts[name], 0);
  return { downloads: sumOf("downloads"), redeemed: sumOf("redeemed"), books: sumOf("books") };
}
