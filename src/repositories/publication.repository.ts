/** The versions of the catalogue, and queries on single published books. Lists are in published-lists.ts. */
import { type ExpressionBuilder, type Selectable, sql } from "kysely";
import { selectIdentity } from "../db/installation.ts";
import type { Db } from "../db/kysely.ts";
import { readOncePerSavepoint } from "../db/rows.ts";
import { allOf, type Schema } from "../db/schema.ts";
import { databaseBusy } from "../db/storage-error.ts";
import type { BookRow } from "./books.repository.ts";
import type { Reach } from "./change.ts";
import {
  isPublished,
  isPublishedByFile,
  isPublishedIn,
  selectFilesOfBook,
  selectHidingsOfBook,
} from "./publication-rules.ts";
import { hasRows, Repository } from "./repository.ts";

export type ActiveFileRow = Selectable<Schema["book_files"]>;

/** A state of the catalogue. Its number means something within its epoch only: compare both, for equality. */
export interface CatalogueVersion {
  /** The identity of the database. */
  epoch: string;
  /** Grows with every change. */
  version: number;
}

export const isSameVersion = (one: CatalogueVersion, other: CatalogueVersion): boolean =>
  one.version === other.version && one.epoch === other.epoch;

/** The dates of books on both sides of a time: between them, the same books are due. */
export interface DueDates {
  /** The last one until then; 0 if there is none. */
  dueSince: number;
  /** The next one; Infinity if there is none. */
  dueNext: number;
}

/** A book in a language. */
export interface BookLanguageRow {
  bookId: string;
  languageId: number;
}

export class PublicationRepository extends Repository {
  /**
   * Compiled once, because nearly every public request and every change runs it, and compiling it each time adds half
   * of its cost.
   */
  readonly #version = this.compile<CatalogueVersion, []>(
    this.db
      .selectFrom("catalogue_version")
      .select(["version", selectIdentity(this.db).as("epoch")])
      .compile(),
  );
  readonly #raise = this.db
    .updateTable("catalogue_version")
    .set((eb) => ({ version: eb("version", "+", 1) }))
    .returning(hasSubscriptions)
    .compile();
  readonly #raiseByLanguage = this.db
    .updateTable("catalogue_version")
    .set((eb) => ({ version: eb("version", "+", 1), byLanguage: eb("byLanguage", "+", 1) }))
    .returning(hasSubscriptions)
    .compile();
  readonly #raiseLanguages = this.compile<
    never,
    [string | null, string | null, number | null, number | null]
  >(selectRaisedLanguages(this.db).compile());

  /** Every catalogue write raises it in its transaction: a cached value is valid while the version stays the same. */
  async readCatalogueVersion(): Promise<CatalogueVersion> {
    const [row] = await this.#version();
    if (!row) throw withoutVersion();
    return row;
  }

  /** Like `readCatalogueVersion`, read once for several writes that share a savepoint, none of which changes the catalogue. */
  readonly readVersionOncePerSavepoint = readOncePerSavepoint(() => this.readCatalogueVersion());

  /**
   * All versions: `forAll` counts the changes that concern all languages, `countByLanguage` the others.
   * @param at for the dates of books before and after this time
   */
  async readCatalogueVersions(
    at: number,
  ): Promise<CatalogueVersion & DueDates & { forAll: number; byLanguage: Map<number, number> }> {
    // In one statement, so that they are those of one moment.
    const rows = await this.db
      .selectFrom("catalogue_version")
      .leftJoin("language_versions", (join) => join.onTrue())
      .select(["catalogue_version.version", "catalogue_version.byLanguage"])
      .select(selectIdentity(this.db).as("epoch"))
      .select(["language_versions.languageId", "language_versions.version as changes"])
      .select((eb) => [
        selectDate(eb, "publishAt", "max", at).as("begun"),
        selectDate(eb, "unpublishAt", "max", at).as("ended"),
        selectDate(eb, "publishAt", "min", at).as("begins"),
        selectDate(eb, "unpublishAt", "min", at).as("ends"),
      ])
      .execute();
    const [first] = rows;
    if (!first) throw withoutVersion();
    const { epoch, version, byLanguage, begun, ended, begins, ends } = first;
    const changes = rows.flatMap(({ languageId, changes }) =>
      languageId === null || changes === null ? [] : [[languageId, changes] as const],
    );
    return {
      epoch,
      version,
      forAll: version - byLanguage,
      byLanguage: new Map(changes),
      dueSince: Math.max(begun ?? 0, ended ?? 0),
      dueNext: Math.min(begins ?? Infinity, ends ?? Infinity),
    };
  }

  /**
   * @param reach where readers can see the change; undefined: in all languages
   * @returns whether other systems may want to know: a statement of its own would be one more for each change
   */
  async raiseCatalogueVersion(reach?: Reach): Promise<boolean> {
    const { bookId = null, languageId = null } = reach ?? {};
    // Sent together: on PostgreSQL every wait is a round trip, and all writers wait for it.
    const [{ rows }] = await Promise.all([
      this.db.executeQuery(reach ? this.#raiseByLanguage : this.#raise),
      reach && this.#raiseLanguages(bookId, bookId, languageId, languageId),
    ]);
    return rows.some(({ isSubscribed }) => Boolean(isSubscribed));
  }

  /** An id takes precedence over an equal slug of another book. */
  find(slugOrId: string, at: number): Promise<BookRow | undefined> {
    return this.db
      .selectFrom("books")
      .select(allOf("books"))
      .where((eb) => isPublished(eb, { at }))
      .where((eb) => eb.or([eb("books.id", "=", slugOrId), eb("books.slug", "=", slugOrId)]))
      .orderBy((eb) => eb("books.id", "=", slugOrId), "desc")
      .executeTakeFirst();
  }

  /** The active files of books, in all languages or in these. */
  async listActiveFiles(
    bookIds: readonly string[],
    languageIds?: readonly number[],
  ): Promise<ActiveFileRow[]> {
    if (bookIds.length === 0) return [];
    const query = this.db
      .selectFrom("book_files")
      .select(allOf("book_files"))
      .where("bookId", "in", bookIds)
      .where("isActive", "=", 1)
      .orderBy("fileType")
      .orderBy("id");
    return (languageIds ? query.where("languageId", "in", languageIds) : query).execute();
  }

  /** The languages in which the books are published at this time; with a channel, on that channel. */
  async findPlaces(bookIds: readonly string[], at: number, channelId?: string): Promise<BookLanguageRow[]> {
    if (bookIds.length === 0) return [];
    // Most pairs of a book and a language have no file.
    return this.db
      .selectFrom(["book_files", "languages"])
      .select(["book_files.bookId", "languages.id as languageId"])
      .distinct()
      .where("book_files.bookId", "in", bookIds)
      .where((eb) => isPublishedByFile(eb, at, channelId))
      .execute();
  }

  /** The languages in which the book is published at this time on each active channel. */
  findChannelPlaces(bookId: string, at: number): Promise<{ channelId: string; languageId: number }[]> {
    return this.db
      .selectFrom(["book_files", "languages", "channels"])
      .select(["channels.id as channelId", "languages.id as languageId"])
      .distinct()
      .where("book_files.bookId", "=", bookId)
      .where("channels.isActive", "=", 1)
      .where((eb) => isPublishedByFile(eb, at, eb.ref("channels.id")))
      .execute();
  }

  /** The languages whose readers can see a book's covers: active ones in which the book isn't hidden. */
  async findLanguagesShowing(bookId: string): Promise<number[]> {
    const rows = await this.db
      .selectFrom(["books", "languages"])
      .select("languages.id")
      .where("books.id", "=", bookId)
      .where("languages.isActive", "=", 1)
      .where((eb) => eb.not(eb.exists(selectHidingsOfBook(eb))))
      .execute();
    return rows.map((row) => row.id);
  }

  isActiveLanguage(languageId: number): Promise<boolean> {
    return hasRows(this.db.selectFrom("languages").where("id", "=", languageId).where("isActive", "=", 1));
  }

  /** Whether the book is published in the language and the file is one of those that its readers can get. */
  isPublishedFile({ bookId, languageId }: BookLanguageRow, fileId: string, at: number): Promise<boolean> {
    return hasRows(
      this.db
        .selectFrom(["books", "languages"])
        .where("books.id", "=", bookId)
        .where("languages.id", "=", languageId)
        .where((eb) => isPublishedIn(eb, at))
        .where((eb) => eb.exists(selectFilesOfBook(eb).where("book_files.id", "=", fileId))),
    );
  }

  findChannel(slug: string): Promise<{ id: string } | undefined> {
    return this.db
      .selectFrom("channels")
      .select("id")
      .where("slug", "=", slug)
      .where("isActive", "=", 1)
      .executeTakeFirst();
  }
}

/** Its row is missing only while a dump is restored below the service. */
const withoutVersion = () => databaseBusy("The database isn't complete.");

/** Of the dates until this time the last one, or of the later ones the first one. */
const selectDate = (
  eb: Pick<ExpressionBuilder<Schema, never>, "selectFrom">,
  column: "publishAt" | "unpublishAt",
  which: "max" | "min",
  at: number,
) =>
  eb
    .selectFrom("books")
    .select((book) => book.fn[which]<number | null>(`books.${column}`).as("at"))
    .where(`books.${column}`, which === "max" ? "<=" : ">", at)
    .$asScalar();

const hasSubscriptions = (eb: ExpressionBuilder<Schema, "catalogue_version">) =>
  eb.exists(eb.selectFrom("webhook_events").select("event")).as("isSubscribed");

/** Raises the versions of the languages that a change reaches. Its values are those of `Reach`, each of them twice. */
function selectRaisedLanguages(db: Db) {
  const none = sql.val<number | null>(null);
  const filesOf = db
    .selectFrom("book_files")
    .select("book_files.languageId")
    .where("bookId", "=", sql.val<string | null>(null))
    .where("isActive", "=", sql.lit(1));
  return db
    .insertInto("language_versions")
    .columns(["languageId", "version"])
    .expression((eb) =>
      eb
        .selectFrom("languages")
        .select(["languages.id", sql.lit(1).as("version")])
        .where((q) =>
          q.or([
            q("languages.id", "in", filesOf),
            q("languages.parentId", "in", filesOf),
            q("languages.id", "=", none),
            q("languages.parentId", "=", none),
          ]),
        ),
    )
    .onConflict((conflict) =>
      conflict
        .column("languageId")
        .doUpdateSet((eb) => ({ version: eb("language_versions.version", "+", sql.lit(1)) })),
    );
}
