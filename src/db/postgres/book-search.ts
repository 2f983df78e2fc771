/** The index of the searched texts of books in PostgreSQL: trigrams, by the extension pg_trgm, where the database has it. */
import { sql } from "kysely";
import { type SearchWords, textOfPattern } from "../../lib/text.ts";
import type { Db } from "../kysely.ts";
import {
  type BookSearch,
  type FoundBooks,
  type IndexLack,
  measureFound,
  readTexts,
} from "../searched-texts.ts";

/** It makes trigrams of letters and digits only, and with `lc_ctype` C of those of ASCII only. */
const WITH_TRIGRAM = { all: /[\p{L}\p{Nd}]{3}/u, ascii: /[a-z0-9]{3}/ };

/** As in migration 0027, but beside running writes. */
const CREATE_INDEX =
  'create index concurrently book_texts_trigrams on book_texts using gin ("searchText" gin_trgm_ops) with (gin_pending_list_limit = 1024);';

export class PostgresBookSearch implements BookSearch {
  readonly #db: Db;
  /** A database keeps its `lc_ctype`. */
  #isOfAllScripts: boolean | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  /** The server chooses between the index and reading all texts. */
  async find(words: SearchWords): Promise<FoundBooks> {
    const ids = readTexts(words);
    if (!(await this.#canCount(words))) return { ids, number: undefined };
    return { ids, number: await measureFound(this.#db, sql`select 1 from ${ids} as "matching"`) };
  }

  /** The server keeps its indexes by itself. */
  listUnindexed = async (): Promise<Set<string>> => new Set();

  async findLack(): Promise<IndexLack | undefined> {
    const { schema, hasIndex } = await findTrigrams(this.#db);
    if (schema === undefined)
      return { kind: "extension", statement: `create extension pg_trgm; ${CREATE_INDEX}` };
    if (!hasIndex) return { kind: "index", statement: CREATE_INDEX };
    if (await makesTrigramsOfAllScripts(this.#db, schema)) return undefined;
    return { kind: "ascii", statement: "" };
  }

  /** Whether the index finds them without reading all texts. */
  async #canCount(words: SearchWords): Promise<boolean> {
    const { schema, hasIndex } = await findTrigrams(this.#db);
    if (schema === undefined || !hasIndex) return false;
    this.#isOfAllScripts ??= await makesTrigramsOfAllScripts(this.#db, schema);
    const pattern = this.#isOfAllScripts ? WITH_TRIGRAM.all : WITH_TRIGRAM.ascii;
    return words.some((patterns) => patterns.every((each) => pattern.test(textOfPattern(each))));
  }
}

interface Trigrams {
  /** Of the extension, if the database has it. */
  schema: string | undefined;
  /** Whether the texts of books have an index of trigrams that can be used. */
  hasIndex: boolean;
}

async function findTrigrams(db: Db): Promise<Trigrams> {
  const { rows } = await sql<{ schema: string | null; hasIndex: boolean }>`select
    (select nspname from pg_extension join pg_namespace on pg_namespace.oid = extnamespace where extname = 'pg_trgm') as schema,
    exists (
      select 1 from pg_index join pg_opclass on pg_opclass.oid = indclass[0]
      where indrelid = to_regclass('book_texts') and indisvalid and indpred is null and opcname = 'gin_trgm_ops'
    ) as "hasIndex"`.execute(db);
  return { schema: rows[0]?.schema ?? undefined, hasIndex: rows[0]?.hasIndex ?? false };
}

/** With `lc_ctype` C there are trigrams of ASCII only. @param schema of the extension */
async function makesTrigramsOfAllScripts(db: Db, schema: string): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select cardinality(${sql.id(schema, "show_trgm")}(${"жжж"})) as count`.execute(db);
  return (rows[0]?.count ?? 0) > 0;
}
