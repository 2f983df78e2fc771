/** Imports a library into a service: languages, books, files and covers. What fails is named, and the rest goes on. */
import pLimit from "p-limit";
import { splitIntoBatches } from "../../lib/collections.ts";
import { DEFAULT_COVER } from "../../schemas/covers.schemas.ts";
import type { ImportNotice } from "../../schemas/import-notices.schemas.ts";
import { explainError, readCover } from "./explain-error.ts";
import { KnownBooks } from "./known-books.ts";
import { Languages, MissingLanguagesError } from "./language-codes.ts";
import type { BookFile, DeclaredLanguage, Failure, Library, SourceBook } from "./library.ts";
import type { LocalFile } from "./local-files.ts";
import { findMissingLanguages, keepNeeded, listNeededCodes } from "./missing-languages.ts";
import {
  type BookPlan,
  describeStatus,
  findUntitledEditions,
  forgetTexts,
  isChanging,
  markCollisions,
  planBook,
  separateKnown,
} from "./plan.ts";
import type { Remark } from "./remarks.ts";
import type { SourceDeps } from "./source.ts";
import type { StoredBook, Target } from "./target.ts";
import { completeBook, type WantedBook, type WantedCover } from "./wanted.ts";

/** Books that are looked up and written together; their items are far below the limit of a request. */
const BOOKS_AT_ONCE = 50;
const REQUESTS_AT_ONCE = 4;

interface ImportDeps {
  target: Target;
  reader: SourceDeps["reader"];
  progress: SourceDeps["progress"] & { end(): void };
  /** Gives files of books that are planned next the texts that weren't read before. */
  completeTexts?(files: readonly BookFile[]): Promise<void>;
  /** Why a cover can't be used, if it can't: a dry run asks it of covers that known books lack. */
  findCoverError?(cover: WantedCover): Promise<string | undefined>;
}

export interface ImportOptions {
  isDryRun: boolean;
  overwrites: boolean;
  /** Whether books that could be known ones are these. */
  isSameBook?: boolean;
  /** Whether files of a folder are imported that the service has at another place. */
  keepsKnown?: boolean;
  /** Whether new books are archived. */
  archives?: boolean;
  /** Whether no further book is begun. */
  isStopped?: () => boolean;
  /** Called with the plans of new books before anything is written. */
  announce?: (newBooks: readonly BookPlan[]) => void;
  /** Called when nothing is left to do for a book. */
  onBook?: (plan: BookPlan) => void;
  /** Whether nothing but missing languages is created. */
  onlyLanguages: boolean;
  /** The command that creates missing languages, for a credential that can't. */
  languagesCommand: string;
}

export interface ImportReport {
  /** Codes of the languages that were or would be created. */
  languages: string[];
  /** The same, parents first, with what the source says of them. */
  declaredLanguages: DeclaredLanguage[];
  plans: BookPlan[];
  failures: Failure[];
  /** What isn't read in a catalogue. */
  notices: ImportNotice[];
  /** The slugs of books that would be empty. */
  skipped: string[];
  /** Where an English title is to be given; undefined without a catalogue. */
  titleField?: string | undefined;
  remarks: Remark[];
  /** Files that are left out, each with the one that has the same bytes. */
  identical: ReadonlyMap<LocalFile, LocalFile>;
  /** Of the books that were written. */
  bookIds: ReadonlyMap<BookPlan, string>;
  /** Books for which nothing is left to do: without those that a stop has kept from beginning. */
  settled: ReadonlySet<BookPlan>;
}

type Source = (deps: SourceDeps) => Promise<Library>;

export class LibraryImport {
  readonly #deps: ImportDeps;
  readonly #options: ImportOptions;
  readonly #failures: Failure[] = [];
  readonly #remarks: Remark[] = [];
  readonly #limit = pLimit(REQUESTS_AT_ONCE);
  readonly #known: KnownBooks;
  /** The places of files that were planned. */
  readonly #written = new Set<string>();
  readonly #inOrder = pLimit(1);
  readonly #bookIds = new Map<BookPlan, string>();
  readonly #settled = new Set<BookPlan>();
  #done = 0;

  constructor(deps: ImportDeps, options: ImportOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#known = new KnownBooks(deps.target, pLimit(REQUESTS_AT_ONCE));
  }

  /** @throws OperatorError if languages are missing that the credential can't create */
  async run(source: Source): Promise<ImportReport> {
    const { target, reader, progress } = this.#deps;
    const failures = this.#failures;
    const notices: ImportNotice[] = [];
    const remarks = this.#remarks;
    const languages = new Languages(target);
    const library = await source({ languages, reader, failures, notices, remarks, progress });
    const books = library.books.map(completeBook);
    const missing = await findMissingLanguages(library.languages, books, languages);
    const { skipped, titleField, identical = new Map() } = library;
    const leavesOutKnown = titleField === undefined && !this.#options.keepsKnown;
    this.#known.reserve(books);
    const { isDryRun, onlyLanguages } = this.#options;
    const keep = (needed: ReadonlySet<string>) => keepNeeded(missing, library.languages, needed);
    const isForeseen = !isDryRun || onlyLanguages;
    const foreseen = isForeseen && keep(await this.#foresee(library.books, leavesOutKnown, missing));
    if (foreseen && !isDryRun) await this.#createLanguages(foreseen);
    const found = { failures, notices, remarks, skipped, titleField, identical };
    const written = { bookIds: this.#bookIds, settled: this.#settled };
    if (foreseen && onlyLanguages)
      return { ...describeLanguages(foreseen), ...written, ...found, plans: [], remarks: [] };
    progress.begin(isDryRun ? "Comparing" : "Importing", countSteps(books), () => this.#done);
    const plans = await this.#importAll(library.books, leavesOutKnown);
    progress.end();
    const declared = foreseen || keep(new Set(listNeededCodes(plans)));
    return { ...describeLanguages(declared), ...written, ...found, plans };
  }

  async #importAll(books: readonly SourceBook[], leavesOutKnown: boolean): Promise<BookPlan[]> {
    const { isDryRun } = this.#options;
    const plans: BookPlan[] = [];
    for (const batch of splitIntoBatches(books, BOOKS_AT_ONCE)) {
      if (this.#isStopped()) break;
      await this.#deps.completeTexts?.(batch.flatMap(({ files }) => files));
      const planned = await this.#plan(batch, leavesOutKnown);
      plans.push(...planned);
      if (!isDryRun) await this.#carryOut(planned);
      if (isDryRun) this.#done += countSteps(planned.map(({ wanted }) => wanted));
      for (const plan of planned) forgetTexts(plan);
    }
    return plans;
  }

  /**
   * Plans all books, if that decides something before the first one is written: what is left out needs no language. Hashes
   * of files are known from then on, so that planning again takes little.
   * @returns the codes of the languages of what would be written
   */
  async #foresee(
    books: readonly SourceBook[],
    leavesOutKnown: boolean,
    missing: readonly DeclaredLanguage[],
  ): Promise<Set<string>> {
    const announce = this.#options.onlyLanguages ? undefined : this.#options.announce;
    const needed = new Set<string>();
    if (!announce && missing.length === 0) return needed;
    const planning = new LibraryImport(this.#deps, { ...this.#options, isDryRun: true });
    planning.#known.reserve(books);
    let done = 0;
    this.#deps.progress.begin("Comparing", books.length, () => done);
    const newBooks: BookPlan[] = [];
    for (const batch of splitIntoBatches(books, BOOKS_AT_ONCE)) {
      const plans = await planning.#plan(batch, leavesOutKnown);
      for (const code of listNeededCodes(plans)) needed.add(code);
      if (announce) newBooks.push(...plans.filter((plan) => describeStatus(plan) === "create"));
      done += batch.length;
    }
    this.#deps.progress.end();
    announce?.(newBooks);
    return needed;
  }

  #isStopped(): boolean {
    return this.#options.isStopped?.() ?? false;
  }

  async #createLanguages(missing: readonly DeclaredLanguage[]): Promise<void> {
    const { target } = this.#deps;
    if (this.#isStopped()) return;
    if (missing.length > 0 && !target.createsLanguages)
      throw new MissingLanguagesError(missing.map(({ code }) => code).sort(), this.#options.languagesCommand);
    for (const language of missing) await target.createLanguage(language);
  }

  async #plan(books: readonly SourceBook[], leavesOutKnown: boolean): Promise<BookPlan[]> {
    const { target } = this.#deps;
    const matches = await this.#known.findAll(books.map(completeBook));
    const all = await this.#limit.map(books, async (source, index) => {
      const match = matches[index];
      if (!match) {
        this.#failures.push(describeGone(source));
        return undefined;
      }
      const stored = match.kind === "new" ? undefined : match.stored;
      const placesOf = leavesOutKnown ? match.placesOf : () => [];
      const { known, others } = separateKnown(source.files, stored, placesOf);
      const given = completeBook({ ...source, files: others });
      const wanted = withSlug(given, match.kind === "new" ? match.slug : match.stored.book.slug);
      if (this.#lacksTitle(wanted, stored)) return undefined;
      const isUnsure = match.kind === "unsure" && !this.#options.isSameBook;
      const existing = stored && { stored, isUnsure, covers: await target.listCovers(stored.book.id) };
      // It compares files, which can be unreadable by now.
      const plan = await this.#attempt(wanted.slug, () => planBook(wanted, existing, this.#options));
      const isEmpty = !stored && known.length > 0 && others.length + source.links.length === 0;
      return plan && { ...plan, knownFiles: known, ...(isEmpty && { item: undefined, covers: [] }) };
    });
    const plans = all.filter((plan) => plan !== undefined);
    if (this.#options.isDryRun) await this.#limit.map(plans, (plan) => this.#leaveOutUnusable(plan));
    for (const { file } of plans.flatMap(({ knownFiles }) => knownFiles))
      this.#remarks.push({ kind: "known", subject: file.file.place });
    markCollisions(plans, this.#written);
    return plans;
  }

  /** A cover that can't be used changes nothing of a known book; what isn't a dry run finds it when it stores it. */
  async #leaveOutUnusable(plan: BookPlan): Promise<void> {
    if (plan.bookId === undefined) return;
    for (const cover of plan.covers) {
      const reason = await this.#deps.findCoverError?.(cover);
      if (reason !== undefined) this.#leaveOutCover(plan, cover, { reason, code: "cover_unusable" });
    }
  }

  /** A book is whole without the cover in its file; an image beside it is a file of its own. */
  #leaveOutCover(plan: BookPlan, cover: WantedCover, failure: Omit<Failure, "subject">): void {
    const { subject, place } = cover;
    plan.covers = plan.covers.filter((each) => each !== cover);
    if (place === undefined) this.#remarks.push({ kind: "noCover", subject, detail: failure.reason });
    else this.#failures.push({ subject, ...failure });
  }

  #lacksTitle(wanted: WantedBook, stored: StoredBook | undefined): boolean {
    const untitled = findUntitledEditions(wanted, stored);
    for (const { languageCode, place } of untitled) {
      const reason = `The edition in ${languageCode} needs a title: neither the catalogue nor a file has one.`;
      this.#failures.push({ subject: place, reason, problem: "title_missing", book: nameBook(wanted) });
    }
    return untitled.length > 0;
  }

  /** Books are written one beside the other, each with its files and covers; none begins after the import was stopped. */
  async #carryOut(plans: readonly BookPlan[]): Promise<void> {
    await this.#limit.map(plans, async (plan) => {
      if (this.#isStopped()) return;
      if (isChanging(plan)) await this.#writeBook(plan);
      this.#settled.add(plan);
      this.#done += countSteps([plan.wanted]);
      this.#options.onBook?.(plan);
    });
  }

  async #writeBook(plan: BookPlan): Promise<void> {
    const { target } = this.#deps;
    const { item, wanted, newFiles, replacedFiles, covers } = plan;
    // In their order, which new books keep in lists.
    const result = item && (await this.#inOrder(() => target.upsert(item)));
    const bookId = result?.bookId || plan.bookId;
    const book = { slug: wanted.slug, bookId };
    if (result?.error !== undefined) {
      const problem = result.code ?? result.errors?.[0]?.code;
      this.#failures.push({ subject: wanted.slug, reason: result.error, problem, written: book });
    }
    if (bookId === undefined || result?.error !== undefined) return;
    this.#bookIds.set(plan, bookId);
    const attempt = (subject: string, work: () => Promise<void>) => this.#attempt(subject, work, book);
    for (const file of newFiles) await attempt(file.file.place, () => target.addFile(bookId, file));
    for (const { id, file } of replacedFiles)
      await attempt(file.file.place, () => target.replaceFile(bookId, id, file));
    for (const cover of covers) await this.#putCover(plan, cover, { ...book, bookId });
  }

  async #putCover(
    plan: BookPlan,
    cover: WantedCover,
    written: { slug: string; bookId: string },
  ): Promise<void> {
    const { languageCode = DEFAULT_COVER, read, sha256 } = cover;
    const content = { read: () => readCover(read), sha256 };
    try {
      await this.#deps.target.putCover(written.bookId, languageCode, content);
    } catch (error) {
      const explained = explainError(error);
      if (!explained) throw error;
      this.#leaveOutCover(plan, cover, { ...explained, written });
    }
  }

  /** Undefined if the work has failed, which is added to the failures. */
  async #attempt<T>(
    subject: string,
    work: () => Promise<T>,
    written?: Failure["written"],
  ): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      const explained = explainError(error);
      if (!explained) throw error;
      this.#failures.push({ subject, ...explained, written });
      return undefined;
    }
  }
}

const describeLanguages = (declaredLanguages: DeclaredLanguage[]) => ({
  languages: declaredLanguages.map(({ code }) => code).sort(),
  declaredLanguages,
});

const describeGone = ({ slug, files }: SourceBook): Failure => ({
  subject: slug,
  places: files.map(({ file }) => file.place),
  reason: "The book that was chosen for it doesn't exist.",
  code: "book_gone",
});

/** For plans. Only what a catalogue describes can lack a title. */
const nameBook = ({ place = "", slug, fields: { titleEn } }: WantedBook) => ({ place, slug, titleEn });

const withSlug = (wanted: WantedBook, slug: string): WantedBook => ({
  ...wanted,
  slug,
  fields: { ...wanted.fields, slug },
});

/** What the progress counts: books, files and covers. */
const countSteps = (books: readonly WantedBook[]): number =>
  books.reduce((sum, { files, covers }) => sum + 1 + files.length + covers.length, 0);
