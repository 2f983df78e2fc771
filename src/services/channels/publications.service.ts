/** Publications: the matrix of books and channels in a language, its changes and its gaps. */
import type { Clock } from "../../adapters/system.ts";
import { bodyError, conflict, invalidInput } from "../../errors.ts";
import { createYielder } from "../../lib/event-loop.ts";
import type { BookRow } from "../../repositories/books.repository.ts";
import type { Author } from "../../repositories/change.ts";
import type {
  BookInLanguageRow,
  ChannelRow,
  MatrixRepository,
} from "../../repositories/channels.repository.ts";
import type { CatalogueRepositories, ChangeCatalogue, Repositories } from "../../repositories/index.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import type {
  MatrixExportQuery,
  MatrixQuery,
  PublicationGaps,
  PublicationMatrix,
  PublicationToggle,
} from "../../schemas/channels.schemas.ts";
import { languageBy, requestedLanguage } from "../shared/catalogue-lookup.ts";
import type { CsvDocument } from "../shared/results.ts";
import { type MatrixParts, matrixCsv } from "./matrix-csv.ts";
import { type Placements, placementsOf, presentMatrixBook, presentMatrixChannel } from "./presenters.ts";

interface PublicationsServiceDeps {
  reads: CatalogueRepositories;
  report: MatrixRepository;
  change: ChangeCatalogue;
  clock: Clock;
}

export class PublicationsService {
  readonly #deps: PublicationsServiceDeps;

  /** @param deps.report runs on a worker thread, for queries on the files of all books */
  constructor(deps: PublicationsServiceDeps) {
    this.#deps = deps;
  }

  /** The active books on each channel in a language, including inherited publications. */
  async matrix(query: MatrixQuery): Promise<PublicationMatrix> {
    const { channels, books, ...said } = await this.#matrixOf(query);
    const presented: PublicationMatrix["books"] = [];
    const yieldToEventLoop = createYielder();
    for (const book of books) {
      await yieldToEventLoop();
      presented.push(presentMatrixBook(book, channels, said));
    }
    return { channels: channels.map(presentMatrixChannel), books: presented };
  }

  /** The matrix as CSV, with what is known of each book and its edition in the language. */
  async export(query: MatrixExportQuery): Promise<CsvDocument> {
    return matrixCsv(this.#deps.reads, await this.#matrixOf(query), query);
  }

  /** Treats an inactive language as active, so that gaps can be closed before it is activated. */
  async gaps(query: MatrixQuery): Promise<PublicationGaps> {
    const language = await requestedLanguage(this.#deps.reads.languages, query, "query");
    const channels = (await this.#deps.reads.channels.list()).filter(({ isActive }) => isActive === 1);
    const books = await this.#deps.report.booksIn(language.id);
    const placements = await placementsOf(this.#deps.report, language);
    const { id, code, name, isActive } = language;
    return { language: { id, code, name, isActive }, ...(await gapsOf(books, channels, placements)) };
  }

  /** Sets or toggles whether a book is on a channel in a language. @returns whether it is now on the channel */
  toggle(by: Author, given: PublicationToggle): Promise<boolean> {
    return this.#deps.change(by, async (repositories) => {
      const { book, channel, language } = await requestedPlace(repositories, given);
      if (book.isActive === 0) throw conflict("book_archived", "This book is archived. Restore it first.");
      const languageIds = await repositories.matrix.languagesOf(book.id, channel.id, language);
      const isPublished = given.isPublished ?? languageIds.length === 0;
      if (isPublished === languageIds.length > 0) return { response: isPublished, change: undefined };
      if (!isPublished && languageIds.some((id) => id !== language.id)) throw inherited();
      const row = {
        bookId: book.id,
        channelId: channel.id,
        languageId: language.id,
        createdAt: this.#deps.clock.now(),
      };
      const object = { kind: "publication", id: book.id, name: book.titleEn } as const;
      const named = { ...row, channel: channel.slug, language: language.code };
      if (isPublished) await repositories.matrix.insert(row);
      else await repositories.matrix.delete(row);
      const change = isPublished
        ? ({ action: "create", object, after: named } as const)
        : ({ action: "delete", object, before: named } as const);
      return { response: isPublished, change, reach: { bookId: book.id } };
    });
  }

  async #matrixOf(query: MatrixQuery): Promise<MatrixParts> {
    const { languages, channels, matrix } = this.#deps.reads;
    const language = await requestedLanguage(languages, query, "query");
    const placements = await placementsOf(matrix, language);
    return { language, channels: await channels.list(), books: await matrix.books(), placements };
  }
}

const inherited = () =>
  conflict(
    "publication_inherited",
    "The publication is inherited from the parent language. Unpublish the book in the parent language, or hide it in this one.",
  );

/** The book, channel and language that the body refers to; throws an error for each unknown one. */
async function requestedPlace(
  { books, channels, languages }: Repositories,
  given: PublicationToggle,
): Promise<{ book: BookRow; channel: ChannelRow; language: LanguageRow }> {
  const book = await books.find(given.bookId);
  const channel = await channels.find(given.channelId);
  const { language, errors } = await languageBy(languages, given);
  if (!book) errors.push(bodyError("bookId", "does not exist", "unknown_book"));
  if (!channel) errors.push(bodyError("channelId", "does not exist", "unknown_channel"));
  if (!book || !channel || !language || errors.length > 0) throw invalidInput(errors);
  return { book, channel, language };
}

/** A book that is hidden in the language has no gaps. */
async function gapsOf(
  books: readonly BookInLanguageRow[],
  channels: readonly ChannelRow[],
  placements: Placements,
): Promise<Omit<PublicationGaps, "language">> {
  const notOnAnyChannel: PublicationGaps["notOnAnyChannel"] = [];
  const withoutFile: PublicationGaps["withoutFile"] = [];
  const published = new Map<string, number>();
  let publishable = 0;
  const yieldToEventLoop = createYielder();
  for (const { id: bookId, slug, titleEn, hasFile, isHidden } of books) {
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
