/** The index of the searched texts of books in SQLite: trigrams, by FTS5. */
import { type Expression, type RawBuilder, sql } from "kysely";
import { type SearchWords, textOfPattern } from "../../lib/text.ts";
import type { Db } from "../kysely.ts";
import {
  type BookSearch,
  countUpTo,
  type FoundBooks,
  hasWords,
  measureFound,
  readTexts,
} from "../searched-texts.ts";

/** Characters that FTS5 takes for the end of a text, or for one another. */
const UNKNOWN = /[\0\uFFFD-\uFFFF]/;

/** Scripts in which words have one or two characters. In others, so short a part of a word is in most texts. */
const SHORT_WORDS =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}\p{Script=Yi}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;

/** Places of a short word: more take longer than reading the texts of a small catalogue. */
const MAX_PLACES = 20_000;

interface SortedWords {
  /** Of three characters or more: phrases of trigrams, which the index decides alone. */
  phrases: string[];
  /** Of one or two characters, with which trigrams begin. */
  starts: string[];
  /** What the index doesn't know. */
  others: SearchWords;
}

export class SqliteBookSearch implements BookSearch {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async find(words: SearchWords): Promise<FoundBooks> {
    const { phrases, starts, others } = await this.#sortWords(words);
    if (phrases.length + starts.length === 0) return { ids: readTexts(words), number: undefined };
    const matching = sql.join(
      [
        ...(phrases.length > 0 ? [sql`"book_trigrams" match ${phrases.join(" AND ")}`] : []),
        ...starts.map((start) => sql`"number" in (${selectPlaces(start)})`),
      ],
      sql` and `,
    );
    const table =
      phrases.length > 0
        ? sql`"book_trigrams" cross join "book_numbers" on "book_numbers"."number" = "book_trigrams"."rowid"`
        : sql`"book_numbers"`;
    const number = await measureFound(this.#db, sql`select 1 from ${table} where ${matching}`);
    if (others.length === 0) return { ids: sql`(select "bookId" from ${table} where ${matching})`, number };
    const ids = sql<{ bookId: string }>`(select "book_texts"."bookId" from ${table}
      inner join "book_texts" on "book_texts"."bookId" = "book_numbers"."bookId"
      where ${matching} and ${hasWords(TEXT, others)})`;
    // Of many, the other words can leave few.
    return { ids, number: number === "few" ? number : undefined };
  }

  /** The index keeps the number of trigrams of each text: one begins at each character. */
  async listUnindexed(bookIds: readonly string[]): Promise<Set<string>> {
    if (bookIds.length === 0) return new Set();
    const { rows } = await sql<{ bookId: string; characters: number; size: Uint8Array | null }>`
      select "book_texts"."bookId", length("searchText") as characters, "sz" as size from "book_texts"
      left join "book_numbers" on "book_numbers"."bookId" = "book_texts"."bookId"
      left join "book_trigrams_docsize" on "id" = "number"
      where "book_texts"."bookId" in (${sql.join(bookIds)})`.execute(this.#db);
    const unindexed = rows.filter(
      ({ characters, size }) => size === null || decodeVarint(size) !== characters,
    );
    return new Set(unindexed.map(({ bookId }) => bookId));
  }

  findLack = async (): Promise<undefined> => undefined;

  async #sortWords(words: SearchWords): Promise<SortedWords> {
    const sorted: SortedWords & { others: SearchWords[number][] } = { phrases: [], starts: [], others: [] };
    for (const patterns of words) {
      const texts = patterns.map(textOfPattern);
      const [text = ""] = texts;
      if (texts.every((each) => isLong(each))) sorted.phrases.push(createPhrase(texts));
      else if (texts.length === 1 && (await this.#isRareStart(text))) sorted.starts.push(text);
      else sorted.others.push(patterns);
    }
    return sorted;
  }

  async #isRareStart(text: string): Promise<boolean> {
    if (!SHORT_WORDS.test(text) || UNKNOWN.test(text)) return false;
    return (await countUpTo(this.#db, selectPlaces(text), MAX_PLACES + 1)) <= MAX_PLACES;
  }
}

/** SQLite's: seven bits in each byte, the highest first. */
const decodeVarint = (bytes: Uint8Array): number =>
  bytes.reduce((value, byte) => value * 128 + (byte & 0x7f), 0);

const TEXT: Expression<string> = sql.ref<string>("book_texts.searchText");

const isLong = (text: string): boolean => !UNKNOWN.test(text) && Array.from(text).length >= 3;

const createPhrase = (texts: readonly string[]): string =>
  `(${texts.map((text) => `"${text.replaceAll('"', '""')}"`).join(" OR ")})`;

/** The numbers of the books with trigrams that begin with the text. */
const selectPlaces = (text: string): RawBuilder<unknown> =>
  sql`select "doc" from "book_trigram_terms" where "term" >= ${text} and "term" < ${`${text}\u{10FFFF}`}`;
