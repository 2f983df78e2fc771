/** Imports a library into a service: languages, books, files and covers. What fails is named, and the rest goes on. */
import pLimit from "p-limit";
import { RequestRejectedError } from "../../adapters/admin-client.ts";
import { AppError, OperatorError } from "../../errors.ts";
import { splitIntoBatches } from "../../lib/collections.ts";
import { refusalOf } from "../../lib/node-errors.ts";
import type { BulkItem } from "../../schemas/bulk.schemas.ts";
import { DEFAULT_COVER } from "../../schemas/covers.schemas.ts";
import { KnownBooks } from "./known-books.ts";
import { explainMissingLanguages, Languages } from "./language-codes.ts";
import type { DeclaredLanguage, Failure, Library } from "./library.ts";
import { UnusableFileError } from "./local-files.ts";
import { type BookPlan, findUntitledEditions, isChanging, markCollisions, planBook } from "./plan.ts";
import type { Remark } from "./remarks.ts";
import type { SourceDeps } from "./source.ts";
import type { StoredBook, Target } from "./target.ts";
import { completeBook, type WantedBook, type WantedCover } from "./wanted.ts";

/** Books that are looked up and written together; their items are far below the limit of a request. */
const BOOKS_AT_ONCE = 50;
const REQUESTS_AT_ONCE = 4;

export interface ImportDeps {
  target: Target;
  reader: SourceDeps["reader"];
  progress: SourceDeps["progress"] & { end(): void };
}

export interface ImportOptions {
  isDryRun: boolean;
  overwrites: boolean;
  /** Whether books that could be known ones are these. */
  isSameBook?: boolean;
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
  /** What else was left out or chosen, as sentences. */
  notices: string[];
  /** The slugs of books that would be empty. */
  skipped: string[];
  /** Where an English title is to be given; undefined without a catalogue. */
  titleField?: string | undefined;
  remarks: Remark[];
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
    const notices: string[] = [];
    const remarks = this.#remarks;
    const languages = new Languages(target);
    const library = await source({ languages, reader, failures, notices, remarks, progress });
    const books = library.books.map(completeBook);
    const missing = await findMissingLanguages(library.languages, books, languages);
    const codes = missing.map(({ code }) => code);
    const declaredLanguages = withParentsFirst(missing);
    if (!this.#options.isDryRun) await this.#createLanguages(declaredLanguages, codes);
    const { skipped, titleField } = library;
    const report = { languages: codes, declaredLanguages, failures, notices, remarks, skipped, titleField };
    if (this.#options.onlyLanguages) return { ...report, plans: [], remarks: [] };
    progress.begin(this.#options.isDryRun ? "Comparing" : "Importing", countSteps(books), () => this.#done);
    const plans: BookPlan[] = [];
    for (const batch of splitIntoBatches(books, BOOKS_AT_ONCE)) {
      const planned = await this.#plan(batch);
      plans.push(...planned);
      if (!this.#options.isDryRun) await this.#carryOut(planned);
      this.#done = countSteps(plans.map(({ wanted }) => wanted));
    }
    progress.end();
    return { ...report, plans };
  }

  async #createLanguages(missing: readonly DeclaredLanguage[], codes: readonly string[]): Promise<void> {
    const { target } = this.#deps;
    if (missing.length > 0 && !target.createsLanguages)
      throw new OperatorError(explainMissingLanguages(codes, this.#options.languagesCommand));
    for (const language of missing) await target.createLanguage(language);
  }

  async #plan(books: readonly WantedBook[]): Promise<BookPlan[]> {
    const { target } = this.#deps;
    const matches = await this.#known.findAll(books);
    const all = await this.#limit.map(books, async (given, index) => {
      const match = matches[index];
      if (!match) return undefined;
      const stored = match.kind === "new" ? undefined : match.stored;
      const wanted = withSlug(given, match.kind === "new" ? match.slug : match.stored.book.slug);
      if (this.#lacksTitle(wanted, stored)) return undefined;
      const isUnsure = match.kind === "unsure" && !this.#options.isSameBook;
      const existing = stored && { stored, isUnsure, covers: await target.listCovers(stored.book.id) };
      // It compares files, which can be unreadable by now.
      return this.#attempt(wanted.slug, () => planBook(wanted, existing, this.#options.overwrites));
    });
    const plans = all.filter((plan) => plan !== undefined);
    markCollisions(plans, this.#written);
    return plans;
  }

  #lacksTitle(wanted: WantedBook, stored: StoredBook | undefined): boolean {
    const untitled = findUntitledEditions(wanted, stored);
    for (const { languageCode, place } of untitled) {
      const reason = `The edition in ${languageCode} needs a title: neither the catalogue nor a file has one.`;
      this.#failures.push({ subject: place, reason });
    }
    return untitled.length > 0;
  }

  async #carryOut(plans: readonly BookPlan[]): Promise<void> {
    const items = plans.flatMap((plan) => (isChanging(plan) && plan.item) || []);
    const results = items.length > 0 ? await this.#deps.target.upsert(items, false) : [];
    const byItem = new Map(items.map((item, index) => [item, results[index]]));
    this.#done += plans.length;
    await this.#limit.map(
      plans.filter(isChanging).flatMap((plan) => this.#planWrites(plan, byItem)),
      async (write) => {
        await write();
        this.#done += 1;
      },
    );
  }

  /** The requests for the files and covers of a book; none if the book itself could not be written. */
  #planWrites(
    plan: BookPlan,
    results: ReadonlyMap<BulkItem, { bookId: string; error?: string | undefined } | undefined>,
  ) {
    const { target } = this.#deps;
    const result = plan.item && results.get(plan.item);
    const bookId = result?.bookId || plan.bookId;
    if (result?.error !== undefined) this.#failures.push({ subject: plan.wanted.slug, reason: result.error });
    if (bookId === undefined || result?.error !== undefined) return [];
    return [
      ...plan.newFiles.map(
        (file) => () => this.#attempt(file.file.place, () => target.addFile(bookId, file)),
      ),
      ...plan.replacedFiles.map(
        ({ id, file }) =>
          () =>
            this.#attempt(file.file.place, () => target.replaceFile(bookId, id, file)),
      ),
      ...plan.covers.map((cover) => () => this.#putCover(bookId, cover)),
    ];
  }

  /** A book is whole without the cover in its file; an image beside it is a file of its own. */
  async #putCover(
    bookId: string,
    { subject, place, languageCode = DEFAULT_COVER, read }: WantedCover,
  ): Promise<void> {
    const put = async () => this.#deps.target.putCover(bookId, languageCode, await readCover(read));
    if (place !== undefined) return this.#attempt(subject, put);
    try {
      await put();
    } catch (error) {
      const detail = explainError(error);
      if (detail === undefined) throw error;
      this.#remarks.push({ kind: "noCover", subject, detail });
    }
  }

  /** Undefined if the work has failed, which is added to the failures. */
  async #attempt<T>(subject: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      const reason = explainError(error);
      if (reason === undefined) throw error;
      this.#failures.push({ subject, reason });
      return undefined;
    }
  }
}

const withSlug = (wanted: WantedBook, slug: string): WantedBook => ({
  ...wanted,
  slug,
  fields: { ...wanted.fields, slug },
});

const withParentsFirst = (languages: readonly DeclaredLanguage[]): DeclaredLanguage[] => [
  ...languages.filter(({ parentCode }) => parentCode === undefined),
  ...languages.filter(({ parentCode }) => parentCode !== undefined),
];

/** What the progress counts: books, files and covers. */
const countSteps = (books: readonly WantedBook[]): number =>
  books.reduce((sum, { files, covers }) => sum + 1 + files.length + covers.length, 0);

/** Errors of its reader have sentences of their own; others are about the file. */
async function readCover(read: () => Promise<Buffer>): Promise<Buffer> {
  try {
    return await read();
  } catch (error) {
    const reason = explainError(error);
    if (reason === undefined) throw error;
    throw new RequestRejectedError(`The cover can't be read. ${reason}`);
  }
}

/** Undefined for an error that every other file would meet, too. */
function explainError(error: unknown): string | undefined {
  if (error instanceof RequestRejectedError || error instanceof UnusableFileError) return error.message;
  if (error instanceof AppError && error.status < 500) return error.message;
  const refusal = refusalOf(error);
  return refusal && `The file can't be read: ${refusal}.`;
}

/** The languages of the library that the service doesn't have. */
async function findMissingLanguages(
  declared: readonly DeclaredLanguage[],
  books: readonly WantedBook[],
  languages: Languages,
): Promise<DeclaredLanguage[]> {
  const needed = new Map<string, DeclaredLanguage>();
  for (const { translations, files, links, covers } of books) {
    for (const { languageCode: code } of [...translations, ...files, ...links, ...covers]) {
      if (code !== undefined) needed.set(code, { code });
    }
  }
  for (const language of declared) needed.set(language.code, language);
  await languages.learn([...needed.keys()]);
  return [...needed.values()]
    .filter(({ code }) => !languages.exists(code))
    .sort((one, other) => (one.code < other.code ? -1 : 1));
}
