/** Finds the books of a library that the service has. */
import type { LimitFunction } from "p-limit";
import { AppError } from "../../errors.ts";
import { createFormerFolderSlug, createFormerSlug, numberSlug } from "../../lib/slug.ts";
import { NEW_BOOK } from "../../schemas/import-corrections.schemas.ts";
import { hashIfReadable } from "./identical-files.ts";
import type { BookFile, DerivedFrom } from "./library.ts";
import { type Choice, chooseBook, type Hashes } from "./same-book.ts";
import type { StoredBook, StoredPlace, Target } from "./target.ts";
import type { WantedBook } from "./wanted.ts";

/**
 * What the service has of a book, and the places of the bytes of its files. A new one has the slug that it gets. Undefined
 * for a book that was chosen and is gone.
 */
export type Match =
  | ((Exclude<Choice, { kind: "new" }> | { kind: "new"; slug: string }) & { placesOf: PlacesOf })
  | undefined;

/** Where the service has the bytes of a file. */
type PlacesOf = (file: BookFile) => readonly StoredPlace[];

/** Books that differ in nothing but their numbers. */
const MAX_NUMBER = 20;

export class KnownBooks {
  readonly #target: Target;
  readonly #limit: LimitFunction;
  /** The slugs that new books of this import have got. */
  readonly #given = new Set<string>();
  /** The slugs of all books of the library: none of them is made by numbering another one. */
  readonly #reserved = new Set<string>();

  constructor(target: Target, limit: LimitFunction) {
    this.#target = target;
    this.#limit = limit;
  }

  /** Call it with all books of a library before those of a part are looked for. */
  reserve(books: readonly { slug: string }[]): void {
    for (const { slug } of books) this.#reserved.add(slug);
  }

  /** @returns a match for each book, in their order */
  async findAll(books: readonly WantedBook[]): Promise<Match[]> {
    const hashes = await this.#hash(books.flatMap(({ derivedFrom, files }) => (derivedFrom ? files : [])));
    const places = await this.#target.findPlaces([...new Set(hashes.values())]);
    const byHash = Map.groupBy(places, ({ sha256 }) => sha256);
    const idsBySlug = await this.#findSlugs(books);
    const details = new Map<string, Promise<StoredBook | undefined>>();
    const read = (bookId: string) => {
      const reading = details.get(bookId) ?? readIfThere(this.#target, bookId);
      details.set(bookId, reading);
      return reading;
    };
    const placesOf: PlacesOf = (file) => byHash.get(hashes.get(file) ?? "") ?? [];
    const choices = await this.#limit.map(books, async (wanted): Promise<Choice | undefined> => {
      const { derivedFrom, slug, files, chosen } = wanted;
      if (chosen === NEW_BOOK) return { kind: "new" };
      if (chosen !== undefined) return createSame(await read(chosen));
      if (!derivedFrom) {
        const bookId = idsBySlug.get(slug);
        return (bookId === undefined ? undefined : createSame(await read(bookId))) ?? { kind: "new" };
      }
      const bySlug = listSlugs(wanted, derivedFrom).flatMap((each) => listNumbered(each, idsBySlug));
      const byBytes = files.flatMap(placesOf);
      const ids = new Set([...bySlug, ...byBytes.map(({ bookId }) => bookId)]);
      const candidates: (StoredBook | undefined)[] = [];
      for (const id of ids) candidates.push(await read(id));
      return chooseBook(
        wanted,
        derivedFrom,
        candidates.filter((each) => each !== undefined),
        hashes,
      );
    });
    return choices.map((choice, index) => {
      if (choice?.kind !== "new") return choice && { ...choice, placesOf };
      return { kind: "new", slug: this.#giveSlug(books[index], idsBySlug), placesOf };
    });
  }

  async #hash(files: readonly BookFile[]): Promise<Hashes> {
    const found = await this.#limit.map(
      files,
      async (each) => [each, await hashIfReadable(each.file)] as const,
    );
    return new Map(
      found.flatMap(([file, sha256]) => (sha256 === undefined ? [] : [[file, sha256] as const])),
    );
  }

  /** The ids of books by the slugs that the books could have. */
  async #findSlugs(books: readonly WantedBook[]): Promise<Map<string, string>> {
    const ids = new Map<string, string>();
    let bases = [
      ...new Set(
        books.flatMap((wanted) =>
          wanted.derivedFrom ? listSlugs(wanted, wanted.derivedFrom) : [wanted.slug],
        ),
      ),
    ];
    const derived = new Set(books.flatMap(({ derivedFrom, slug }) => (derivedFrom ? slug : [])));
    for (let n = 1; bases.length > 0 && n <= MAX_NUMBER; n += 1) {
      const slugs = bases.map((slug) => (n === 1 ? slug : numberSlug(slug, n)));
      for (const [slug, bookId] of await this.#target.findIds(slugs)) ids.set(slug, bookId);
      bases = bases.filter((slug, index) => derived.has(slug) && ids.has(slugs[index] ?? ""));
    }
    return ids;
  }

  #giveSlug(wanted: WantedBook | undefined, stored: ReadonlyMap<string, string>): string {
    const { slug = "", derivedFrom } = wanted ?? {};
    let given = slug;
    const isTaken = () =>
      this.#given.has(given) || stored.has(given) || (given !== slug && this.#reserved.has(given));
    for (let n = 2; derivedFrom && isTaken(); n += 1) given = numberSlug(slug, n);
    this.#given.add(given);
    return given;
  }
}

const createSame = (stored: StoredBook | undefined): Choice | undefined => stored && { kind: "same", stored };

/** @returns undefined if it doesn't exist: it can be deleted at any time */
async function readIfThere(target: Target, bookId: string): Promise<StoredBook | undefined> {
  try {
    return await target.readDetails(bookId);
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return undefined;
    throw error;
  }
}

/** The derived slug, and those of the rule before. */
const listSlugs = ({ slug }: WantedBook, { name, key }: DerivedFrom): string[] => [
  ...new Set([slug, createFormerSlug(name) || createFormerFolderSlug(key)]),
];

function listNumbered(slug: string, ids: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  for (let n = 1; n <= MAX_NUMBER; n += 1) {
    const id = ids.get(n === 1 ? slug : numberSlug(slug, n));
    if (id === undefined) break;
    found.push(id);
  }
  return found;
}
