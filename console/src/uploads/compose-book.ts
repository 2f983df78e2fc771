/** What is written of a planned book once its files were corrected. Nothing here knows the page. */
import type { Schemas } from "../api/client.ts";
import type { BookDrafts, Draft, PlannedBook } from "./drafts.ts";

type Upsert = Schemas["BulkItem"];
type Edition = NonNullable<Upsert["translations"]>[number];

/** Planned books with their details, by slug. */
export type DetailedBooks = ReadonlyMap<string, PlannedBook>;

/** How the languages of a planned book have changed: its files say it. */
class Languages {
  readonly #kept = new Set<string>();
  readonly #moved = new Map<string, string>();
  readonly #planned: ReadonlySet<string>;

  /** @param open the paths of files that are to be stored, or were taken out */
  constructor(book: PlannedBook | undefined, drafts: readonly Draft[], open: ReadonlySet<string>) {
    this.#planned = new Set(book?.files.map(({ languageCode }) => languageCode));
    for (const { path, languageCode } of book?.files ?? []) if (!open.has(path)) this.#kept.add(languageCode);
    for (const { planned, languageCode } of drafts) {
      if (planned?.slug !== book?.slug || planned === undefined) continue;
      if (planned.languageCode === languageCode) this.#kept.add(languageCode);
      else this.#moved.set(planned.languageCode, languageCode);
    }
  }

  /** Undefined if no file is left in it. */
  find(code: string): string | undefined {
    if (this.#kept.has(code) || !this.#planned.has(code)) return code;
    return this.#moved.get(code);
  }
}

const editionsOf = (book: PlannedBook | undefined): readonly Edition[] =>
  book?.details?.upsert?.translations ?? [];

/**
 * The texts to write; undefined if there are none.
 * @param open the paths of files of the plan that are to be stored, or were taken out
 */
export function composeBook(
  { book, base, drafts }: BookDrafts,
  detailed: DetailedBooks,
  open: ReadonlySet<string>,
): Upsert | undefined {
  const planned = base === undefined ? undefined : detailed.get(base);
  const languages = new Languages(planned, drafts, open);
  const editions = new Map<string, Edition>();
  for (const edition of editionsOf(planned)) {
    const languageCode = languages.find(edition.languageCode);
    if (languageCode !== undefined) editions.set(languageCode, { ...edition, languageCode });
  }
  for (const draft of drafts) addEdition(editions, draft, planned, detailed);
  const isRenamed = base !== undefined && book.slug === undefined;
  const translations = [...editions.values()];
  const { slug: _, titleEn, ...upsert } = planned?.details?.upsert ?? { titleEn: undefined };
  const isKnown = planned !== undefined && planned.bookId !== null && !isRenamed;
  if (isKnown && titleEn === undefined && translations.length === 0) return undefined;
  return {
    ...upsert,
    ...(book.slug !== undefined && { slug: book.slug }),
    titleEn: isRenamed ? book.titleEn.trim() : (titleEn ?? book.titleEn.trim()),
    translations,
  };
}

/** A file that came from another book or language brings the texts of its edition. */
function addEdition(
  editions: Map<string, Edition>,
  { languageCode, title, hasOwnTitle, planned }: Draft,
  base: PlannedBook | undefined,
  detailed: DetailedBooks,
): void {
  const isUnmoved =
    planned !== undefined && planned.slug === base?.slug && planned.languageCode === languageCode;
  const known = editions.get(languageCode);
  const text = title.trim();
  if (hasOwnTitle && text !== "") editions.set(languageCode, { ...known, languageCode, title: text });
  if (known || hasOwnTitle || isUnmoved) return;
  const source =
    planned &&
    editionsOf(detailed.get(planned.slug)).find((each) => each.languageCode === planned.languageCode);
  if (source) editions.set(languageCode, { ...source, languageCode });
  else if (text !== "") editions.set(languageCode, { languageCode, title: text });
}

export interface WantedCover {
  /** Undefined: of no language. */
  languageCode: string | undefined;
  /** Of the file that contains it, or of an image in the queue. */
  source: { sha256: string } | { itemId: number };
}

/** The covers to write: images, and those in files that aren't taken out. */
export function composeCovers(
  { base, drafts, covers }: BookDrafts,
  detailed: DetailedBooks,
  open: ReadonlySet<string>,
): WantedCover[] {
  const planned = base === undefined ? undefined : detailed.get(base);
  const languages = new Languages(planned, drafts, open);
  const stored = new Set(drafts.map(({ path }) => path));
  const beside = covers.flatMap(({ itemId, languageCode }) => {
    const code = languageCode === undefined ? undefined : languages.find(languageCode);
    return languageCode !== undefined && code === undefined
      ? []
      : [{ languageCode: code, source: { itemId } }];
  });
  const inside = (planned?.details?.coversInFiles ?? []).flatMap(({ path, sha256, languageCode }) => {
    const code = languages.find(languageCode);
    const isThere = stored.has(path) || !open.has(path);
    return isThere && code !== undefined ? [{ languageCode: code, source: { sha256 } }] : [];
  });
  return [...beside, ...inside];
}
