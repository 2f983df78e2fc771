/** The books of a sub-language: inherited visibility and overrides. */
import type { Clock } from "../../adapters/system.ts";
import { badRequest, bodyError, type FieldError, invalidInput } from "../../errors.ts";
import { splitIntoBatches } from "../../lib/collections.ts";
import type { Author } from "../../repositories/change.ts";
import type { ChangeCatalogue } from "../../repositories/index.ts";
import type { LanguageRow, LanguagesRepository } from "../../repositories/languages.repository.ts";
import type { BookInLanguageRow, VisibilityRepository } from "../../repositories/visibility.repository.ts";
import type { BookOverrides, Language, SubLanguageBook } from "../../schemas/languages.schemas.ts";
import { findLanguage } from "../shared/catalogue-lookup.ts";
import { Service } from "../shared/service.ts";
import { presentLanguage, presentSubLanguageBook } from "./presenters.ts";

type Overrides = BookOverrides["overrides"];

/** Number of books in one statement. */
const BATCH = 500;

interface VisibilityServiceDeps {
  languages: LanguagesRepository;
  /** On a worker thread: ten thousand books are a long response. */
  visibility: VisibilityRepository;
  change: ChangeCatalogue;
  clock: Clock;
}

export class VisibilityService extends Service<VisibilityServiceDeps> {
  async list(languageId: number): Promise<{ language: Language; books: SubLanguageBook[] }> {
    const rows = await this.deps.visibility.list(languageId, this.deps.clock.now());
    const language = await findSubLanguage(this.deps.languages, languageId);
    return { language: presentLanguage(language), books: rows.map(presentSubLanguageBook) };
  }

  /** @returns the named books after the update */
  async update(by: Author, languageId: number, given: Overrides): Promise<SubLanguageBook[]> {
    const known = await this.#findBooksById(languageId, given);
    // Checked last: a language that was just deleted has no known books.
    await findSubLanguage(this.deps.languages, languageId);
    rejectUnfit(given, known);
    await this.#put(by, languageId, sortByKey(given), known);
    const now = await this.#findBooksById(languageId, given);
    return given.flatMap(({ bookId }) => now.get(bookId) ?? []).map(presentSubLanguageBook);
  }

  /**
   * Writes all overrides in one transaction, which blocks the event loop: 45 ms for ten thousand. For this reason the
   * books are looked up beforehand. The override of a book that is deleted in between is deleted with it.
   */
  #put(by: Author, languageId: number, given: Overrides, known: ReadonlyMap<string, BookInLanguageRow>) {
    const slugOf = (bookId: string) => known.get(bookId)?.slug ?? bookId;
    return this.deps.change(by, async ({ languages, visibility }) => {
      const { code } = await findSubLanguage(languages, languageId);
      const changed = findDifferences(given, await visibility.findOverrides(languageId));
      if (changed.length === 0) return { response: undefined, change: undefined };
      await store(visibility, languageId, changed, this.deps.clock.now());
      const before = Object.fromEntries(changed.map(({ bookId, was }) => [slugOf(bookId), was]));
      const after = Object.fromEntries(changed.map(({ bookId, isVisible }) => [slugOf(bookId), isVisible]));
      const change = {
        action: "update",
        object: { kind: "visibility", id: languageId, name: code },
        before: { overrides: before },
        after: { overrides: after },
      } as const;
      return { response: undefined, change };
    });
  }

  async #findBooksById(languageId: number, given: Overrides): Promise<Map<string, BookInLanguageRow>> {
    const { visibility, clock } = this.deps;
    const books = new Map<string, BookInLanguageRow>();
    for (const batch of splitIntoBatches(idsOf(given), BATCH)) {
      const rows = await visibility.listOf(languageId, batch, clock.now());
      for (const row of rows) books.set(row.bookId, row);
    }
    return books;
  }
}

const idsOf = (given: Overrides): string[] => given.map(({ bookId }) => bookId);

/** Sorted by the table's key: inserts are twice as fast in this order. */
const sortByKey = (given: Overrides): Overrides =>
  given.toSorted((one, other) => (one.bookId < other.bookId ? -1 : 1));

const findDifferences = (given: Overrides, overrides: ReadonlyMap<string, 0 | 1>) =>
  given.flatMap(({ bookId, isVisible }) => {
    const was = booleanOf(overrides.get(bookId));
    return was === isVisible ? [] : [{ bookId, isVisible, was }];
  });

const booleanOf = (stored: 0 | 1 | undefined): boolean | null => (stored === undefined ? null : stored === 1);

async function store(visibility: VisibilityRepository, languageId: number, changed: Overrides, now: number) {
  const listBatches = (isVisible: boolean | null) =>
    splitIntoBatches(idsOf(changed.filter((requested) => requested.isVisible === isVisible)), BATCH);
  for (const ids of listBatches(null)) await visibility.remove(languageId, ids);
  for (const ids of listBatches(true)) await visibility.put(languageId, ids, { isVisible: 1, now });
  for (const ids of listBatches(false)) await visibility.put(languageId, ids, { isVisible: 0, now });
}

async function findSubLanguage(languages: LanguagesRepository, id: number): Promise<LanguageRow> {
  const row = await findLanguage(languages, id);
  if (row.parentId !== null) return row;
  throw badRequest("not_a_sub_language", "This language has no parent, so it has no overrides.");
}

/** Reports a separate error for each unknown or repeated book. */
function rejectUnfit(given: Overrides, known: ReadonlyMap<string, unknown>): void {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, { bookId }] of given.entries()) {
    const path = `overrides.${index}.bookId`;
    if (!known.has(bookId)) errors.push(bodyError(path, "does not exist", "unknown_book"));
    else if (seen.has(bookId)) errors.push(bodyError(path, "must not occur twice", "repeated_book"));
    seen.add(bookId);
  }
  if (errors.length > 0) throw invalidInput(errors);
}
