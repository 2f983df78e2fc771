/** Publications: the matrix of books and channels in a language, its changes and its gaps. */
import { bodyError, invalidInput } from "../../errors.ts";
import { splitIntoBatches } from "../../lib/collections.ts";
import { createYielder, mapInTurns } from "../../lib/event-loop.ts";
import { searchWords } from "../../lib/text.ts";
import type { Author } from "../../repositories/change.ts";
import type { BookInLanguageRow, ChannelRow, GridBookRow } from "../../repositories/channels.repository.ts";
import type { Repositories } from "../../repositories/index.ts";
import { isSameVersion } from "../../repositories/publication.repository.ts";
import type {
  GapsQuery,
  MatrixExportQuery,
  PublicationGaps,
  PublicationMatrix,
  PublicationToggle,
} from "../../schemas/channels.schemas.ts";
import type { PublicationChange } from "../../schemas/publication-changes.schemas.ts";
import type { MatrixQuery, PublicationGrid } from "../../schemas/publication-grid.schemas.ts";
import { offsetOf, paginationOf } from "../../schemas/queries.ts";
import {
  assertRequestedLanguage,
  findRequestedLanguage,
  type LanguageNames,
} from "../shared/catalogue-lookup.ts";
import type { CsvDocument } from "../shared/results.ts";
import { type CatalogueDeps, Service } from "../shared/service.ts";
import { exportMatrix, type MatrixParts } from "./matrix-csv.ts";
import {
  type Placements,
  presentGridBook,
  presentMatrixBook,
  presentMatrixChannel,
  readPlacements,
} from "./presenters.ts";
import {
  decidePublication,
  describePublication,
  putPublication,
  type RequestedPlace,
} from "./publication-change.ts";
import { planPublications, reachOf, storePublications } from "./publication-changes.ts";

type PublicationsServiceDeps = Pick<CatalogueDeps, "reads" | "report" | "change" | "clock">;

export class PublicationsService extends Service<PublicationsServiceDeps> {
  /** The active books on each channel in a language, including inherited publications. */
  async readMatrix(query: LanguageNames): Promise<PublicationMatrix> {
    const { channels, books, ...said } = await this.#readMatrixParts(query);
    const presented: PublicationMatrix["books"] = [];
    const yieldToEventLoop = createYielder();
    for await (const page of books) {
      await yieldToEventLoop();
      presented.push(...page.map((book) => presentMatrixBook(book, channels, said)));
    }
    return { channels: channels.map(presentMatrixChannel), books: presented };
  }

  /** A page of the same, with a string of flags for each book. */
  async readGrid({ search, ...query }: MatrixQuery): Promise<PublicationGrid> {
    const { reads, report } = this.deps;
    const language = await assertRequestedLanguage(reads.languages, query, "query");
    const channels = await reads.channels.list();
    const page = { limit: query.limit, offset: offsetOf(query) };
    const { rows, total } = await report.matrix.listGrid({ language, search: searchWords(search) }, page);
    const places = new Map(channels.map(({ id }, index) => [id, index]));
    rows.sort(compareByOrder);
    const parent = language.parentId === null ? undefined : await reads.languages.find(language.parentId);
    const shown = { ...language, parentCode: parent?.code };
    const books = await mapInTurns(rows, (row) => presentGridBook(row, places, shown));
    return { channels: channels.map(presentMatrixChannel), books, pagination: paginationOf(query, total) };
  }

  /** The matrix as CSV, with what is known of each book and its edition in the language. */
  async export(query: MatrixExportQuery): Promise<CsvDocument> {
    const now = this.deps.clock.now();
    return exportMatrix(this.deps.reads, await this.#readMatrixParts(query), { ...query, now });
  }

  /** Treats an inactive language as active, so that gaps can be closed before it is activated. */
  async findGaps(query: GapsQuery): Promise<PublicationGaps> {
    const { reads } = this.deps;
    const { matrix } = this.deps.report;
    const language = await assertRequestedLanguage(reads.languages, query, "query");
    const channels = (await reads.channels.list()).filter(({ isActive }) => isActive === 1);
    const books = readInBatches(await matrix.listBookIds(), (ids) => matrix.findBooksIn(ids, language.id));
    const placements = await readPlacements(matrix, language);
    const { id, code, name, isActive } = language;
    return { language: { id, code, name, isActive }, ...(await collectGaps(books, channels, placements)) };
  }

  /** Sets or toggles whether a book is on a channel in a language. @returns whether it is now on the channel */
  toggle(by: Author, given: PublicationToggle): Promise<boolean> {
    return this.deps.change(by, async (repositories) => {
      const place = await findPlace(repositories, given);
      const decided = await decidePublication(repositories, place, given.isPublished);
      if (!decided.isChanged) return { response: decided.isPublished, change: undefined };
      return putPublication(repositories, place, { ...decided, now: this.deps.clock.now() });
    });
  }

  /**
   * Changes all publications in one transaction, which takes 100 ms for five thousand, half of them for their entries in
   * the audit log, and yields to the event loop meanwhile. Everything that can be computed beforehand is computed outside the
   * transaction, and again only if the catalogue has changed since.
   * @returns how many publications were stored or removed
   */
  async changeAll(by: Author, changes: readonly PublicationChange[]): Promise<number> {
    const { report } = this.deps;
    const version = await report.publication.readCatalogueVersion();
    const found = await planPublications(changes, report);
    return this.deps.change(by, async (repositories) => {
      const isUnchanged = isSameVersion(version, await repositories.publication.readCatalogueVersion());
      const changed = isUnchanged ? found : await planPublications(changes, repositories);
      await storePublications(repositories, changed, this.deps.clock.now());
      return {
        response: changed.length,
        change: changed.map((place) => describePublication(place, place.isPublished)),
        ...reachOf(changed),
      };
    });
  }

  async #readMatrixParts(query: LanguageNames): Promise<MatrixParts> {
    const { reads } = this.deps;
    const { matrix } = this.deps.report;
    const language = await assertRequestedLanguage(reads.languages, query, "query");
    const placements = await readPlacements(matrix, language);
    const books = readInBatches(await matrix.listBookIds(), (ids) => matrix.findBooks(ids));
    return { language, channels: await reads.channels.list(), books, placements };
  }
}

/** As the database orders books. */
const compareByOrder = (one: GridBookRow, other: GridBookRow): number =>
  one.sortOrder - other.sortOrder || (one.id < other.id ? -1 : 1);

/** The rows of all books arrive in short turns of the event loop: those of 50,000 in one message would hold it. */
const BATCH = 500;

async function* readInBatches<Row>(ids: readonly string[], read: (ids: readonly string[]) => Promise<Row[]>) {
  for (const some of splitIntoBatches(ids, BATCH)) yield await read(some);
}

async function* listEach<Row>(batches: AsyncIterable<readonly Row[]>) {
  for await (const batch of batches) yield* batch;
}

/** The book, channel and language that the body refers to; throws an error for each unknown one. */
async function findPlace(
  { books, channels, languages }: Repositories,
  given: PublicationToggle,
): Promise<RequestedPlace> {
  const book = await books.find(given.bookId);
  const channel = await channels.find(given.channelId);
  const { language, errors } = await findRequestedLanguage(languages, given);
  if (!book) errors.push(bodyError("bookId", "does not exist", "unknown_book"));
  if (!channel) errors.push(bodyError("channelId", "does not exist", "unknown_channel"));
  if (!book || !channel || !language || errors.length > 0) throw invalidInput(errors);
  return { book, channel, language };
}

/** A book that is hidden in the language has no gaps. */
async function collectGaps(
  books: AsyncIterable<readonly BookInLanguageRow[]>,
  channels: readonly ChannelRow[],
  placements: Placements,
): Promise<Omit<PublicationGaps, "language">> {
  const notOnAnyChannel: PublicationGaps["notOnAnyChannel"] = [];
  const withoutFile: PublicationGaps["withoutFile"] = [];
  const published = new Map<string, number>();
  let publishable = 0;
  const yieldToEventLoop = createYielder();
  for await (const { id: bookId, slug, titleEn, hasFile, isHidden } of listEach(books)) {
    await yieldToEventLoop();
    if (isHidden) continue;
    const there = channels.filter((channel) => placements.isOn(bookId, channel.id));
    if (hasFile) {
      publishable += 1;
      for (const { id } of there) published.set(id, (published.get(id) ?? 0) + 1);
      if (there.length === 0) notOnAnyChannel.push({ bookId, slug, titleEn });
    } else if (there.length > 0) {
      withoutFile.push({ bookId, slug, titleEn, channels: there.map((channel) => channel.slug) });
    }
  }
  const coverage = channels.map(({ id: channelId, name, slug }) => {
    const there = published.get(channelId) ?? 0;
    return { channelId, name, slug, published: there, publishable, percent: percentOf(there, publishable) };
  });
  return { notOnAnyChannel, withoutFile, coverage };
}

/** With one decimal, rounded down, so that 100 means all. */
const percentOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.floor((part * 1000) / whole) / 10;
