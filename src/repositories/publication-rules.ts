/** Which books are published: the only place that decides it, for one book as for whole lists. */
import {
  type AliasableExpression,
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  type SqlBool,
} from "kysely";
import type { Schema } from "../db/schema.ts";

/** A language and its parent. */
export interface LanguageScope {
  id: number;
  parentId: number | null;
}

/** The ids of the language and, if there is one, its parent. */
export const scopeIds = ({ id, parentId }: LanguageScope): number[] =>
  parentId === null ? [id] : [id, parentId];

export interface PublicationFilter {
  /** In epoch milliseconds: books have dates before and after which readers don't get them. */
  at: number;
  /** Only books that are published in this language; if undefined, in any language. */
  language?: LanguageScope | undefined;
  channelId?: string | undefined;
}

/** One that is known, or that of the current row. */
type ChannelId = string | Expression<string>;

/** Whether the book is published in the requested language or, without one, in any. */
export const isPublished = (
  eb: ExpressionBuilder<Schema, "books">,
  filter: PublicationFilter,
): Expression<SqlBool> => eb.and([isOpenAt(eb, filter.at), isForReaders(eb.ref("books.id"), filter)]);

/**
 * `isPublished` for statements on all books. Archived books, and those that aren't due, are excluded by a list, as in
 * `isPublishedByFile`: then the ids come from an index or from another table, and the rows of books aren't read.
 */
export const isPublishedInLists = (
  bookId: Expression<string>,
  filter: PublicationFilter,
): Expression<SqlBool> => {
  const eb = expressionBuilder<Schema, never>();
  return eb.and([eb(bookId, "not in", selectClosed(eb, filter.at)), isForReaders(bookId, filter)]);
};

/** Whether a book is published if it is open. */
function isForReaders(bookId: Expression<string>, { language, channelId }: PublicationFilter) {
  if (channelId !== undefined) return isPublishedOnChannel(bookId, channelId, language);
  return language ? isPublishedInLanguage(bookId, language) : isPublishedAnywhere(bookId);
}

/** The files of the language are read once: most books have none in it, and need no further test. */
function isPublishedInLanguage(bookId: Expression<string>, language: LanguageScope) {
  const eb = expressionBuilder<Schema, never>();
  const files = eb
    .selectFrom("book_files")
    .select("book_files.bookId")
    .where((file) => isActiveFile(file))
    .where("book_files.languageId", "in", scopeIds(language));
  const openLanguage = eb
    .selectFrom("languages")
    .select("languages.id")
    .where((inLanguages) => isOpenTo(inLanguages, bookId))
    .where("languages.id", "=", language.id);
  return eb.and([eb(bookId, "in", files), eb.exists(openLanguage)]);
}

/**
 * `isPublishedIn` for any language: the languages of each file are tested, because most languages have no file of a book.
 * They are tested by the file's own column for the book, with which PostgreSQL looks up the first file of each book in
 * place of reading all files. A file of a language that hides no books needs no look-up.
 */
function isPublishedAnywhere(bookId: Expression<string>) {
  const eb = expressionBuilder<Schema, never>();
  const files = eb
    .selectFrom("book_files")
    .select("book_files.id")
    .where("book_files.bookId", "=", bookId)
    .where((file) => isActiveFile(file))
    .where((file) =>
      file.or([
        file("book_files.languageId", "in", selectLanguagesOpenToAll(file)),
        file.exists(
          file
            .selectFrom("languages")
            .select("languages.id")
            .where((inLanguages) => isFileOfLanguage(inLanguages))
            .where((inLanguages) => isOpenTo(inLanguages, inLanguages.ref("book_files.bookId"))),
        ),
      ]),
    );
  return eb.exists(files);
}

/**
 * Of a language, all publications are read once. Without one, a book can have many publications on the channel: they are
 * tested until the first one counts.
 */
function isPublishedOnChannel(bookId: Expression<string>, channelId: string, language?: LanguageScope) {
  const eb = expressionBuilder<Schema, never>();
  const onChannel = selectCounted(eb, language?.id)
    .select("publications.bookId")
    .where("publications.channelId", "=", channelId);
  return language
    ? eb(bookId, "in", onChannel.where("publications.languageId", "in", scopeIds(language)))
    : eb.exists(onChannel.where("publications.bookId", "=", bookId));
}

/** The publications by which books are published in any language. */
export const selectPublished = (db: Pick<ExpressionBuilder<Schema, never>, "selectFrom">, at: number) =>
  selectCounted(db).where((place) => place("publications.bookId", "not in", selectClosed(db, at)));

/** The publications by which active books are published: in the language or, without one, in any. */
const selectCounted = (eb: Pick<ExpressionBuilder<Schema, never>, "selectFrom">, languageId?: number) =>
  eb
    .selectFrom("publications")
    .where((place) =>
      languageId === undefined
        ? place.or([isCountedAtOnce(place), isCountedIn(place)])
        : isCountedIn(place, languageId),
    );

/** Of a language that hides no books, and with a file in it: needs no look-up of languages. */
const isCountedAtOnce = (place: ExpressionBuilder<Schema, "publications">) =>
  place.and([
    place("publications.languageId", "in", selectLanguagesOpenToAll(place)),
    place.exists(
      place
        .selectFrom("book_files")
        .select("book_files.id")
        .whereRef("book_files.bookId", "=", "publications.bookId")
        .whereRef("book_files.languageId", "=", "publications.languageId")
        .where((file) => isActiveFile(file)),
    ),
  ]);

function isCountedIn(place: ExpressionBuilder<Schema, "publications">, languageId?: number) {
  const languages = place
    .selectFrom("languages")
    .select("languages.id")
    .where((q) => isPlaceOfLanguage(q))
    .where((q) => isOpenTo(q, q.ref("publications.bookId")))
    .where((q) => q.exists(selectFilesOf(q, q.ref("publications.bookId"))));
  return place.exists(
    languageId === undefined ? languages : languages.where("languages.id", "=", languageId),
  );
}

/**
 * A book is published in a language if both are active, the book is due, an active file exists in the language or its parent,
 * and the book isn't hidden in the language. The parent language needn't be active.
 */
export const isPublishedIn = (
  eb: ExpressionBuilder<Schema, "books" | "languages">,
  at: number,
): AliasableExpression<SqlBool> =>
  eb.and([isOpenAt(eb, at), eb.exists(selectFilesOfBook(eb)), isOpenTo(eb, eb.ref("books.id"))]);

/**
 * `isPublishedIn` for the book of a file and a language: a statement over all files asks it in place of one over
 * all pairs of books and languages, of which most have no file. Books that aren't open are excluded by a list, which is
 * searched faster than the table of books.
 * @param channelId if given, the book must be on the channel in the language or its parent
 */
export function isPublishedByFile(
  eb: ExpressionBuilder<Schema, "book_files" | "languages">,
  at: number,
  channelId?: ChannelId,
) {
  return eb.and([
    eb("book_files.bookId", "not in", selectClosed(eb, at)),
    isActiveFile(eb),
    isFileOfLanguage(eb),
    isOpenTo(eb, eb.ref("book_files.bookId"), channelId),
  ]);
}

/** Whether readers may see the book at this time: it is active, has begun, and hasn't ended. */
const isOpenAt = (eb: ExpressionBuilder<Schema, "books">, at: number): Expression<SqlBool> =>
  eb.and([
    eb("books.isActive", "=", 1),
    eb.or([eb("books.publishAt", "is", null), eb("books.publishAt", "<=", at)]),
    eb.or([eb("books.unpublishAt", "is", null), eb("books.unpublishAt", ">", at)]),
  ]);

/** The others, each part from an index of its own: as in their conditions, `isActive` is no parameter. */
const selectClosed = (eb: Pick<ExpressionBuilder<Schema, never>, "selectFrom">, at: number) =>
  eb
    .selectFrom("books")
    .select("books.id")
    .where((book) => book("books.isActive", "=", book.lit(0)))
    .unionAll(eb.selectFrom("books").select("books.id").where("books.publishAt", ">", at))
    .unionAll(eb.selectFrom("books").select("books.id").where("books.unpublishAt", "<=", at));

/** Whether the current language is active, doesn't hide the book and, with a channel, has it there. */
function isOpenTo(
  eb: ExpressionBuilder<Schema, "languages">,
  bookId: Expression<string>,
  channelId?: ChannelId,
): AliasableExpression<SqlBool> {
  const rules = [eb("languages.isActive", "=", 1), eb.not(eb.exists(hidingsOf(eb, bookId)))];
  if (channelId === undefined) return eb.and(rules);
  const publications = eb
    .selectFrom("publications")
    .select("publications.bookId")
    .where("publications.bookId", "=", bookId)
    .where("publications.channelId", "=", channelId)
    .where((q) => isPlaceOfLanguage(q));
  return eb.and([...rules, eb.exists(publications)]);
}

/** Active languages that can't hide a book: see `selectHidingsOfBook`. */
const selectLanguagesOpenToAll = (eb: Pick<ExpressionBuilder<Schema, never>, "selectFrom">) =>
  eb
    .selectFrom("languages")
    .select("languages.id")
    .where("languages.isActive", "=", 1)
    .where("languages.parentId", "is", null);

/** Whether the current publication counts in the current language: one in the language or its parent. */
const isPlaceOfLanguage = (eb: ExpressionBuilder<Schema, "publications" | "languages">) =>
  eb("publications.languageId", "in", [eb.ref("languages.id"), eb.ref("languages.parentId")]);

/** As in the conditions of the indexes, which a parameter wouldn't match. */
const isActiveFile = (eb: ExpressionBuilder<Schema, "book_files">) =>
  eb("book_files.isActive", "=", eb.lit(1));

/** Whether readers of the current language get the current file, if it is active: one in the language or its parent. */
const isFileOfLanguage = (eb: ExpressionBuilder<Schema, "book_files" | "languages">) =>
  eb("book_files.languageId", "in", [eb.ref("languages.id"), eb.ref("languages.parentId")]);

/** Active files of the current book in the current language or its parent. */
export const selectFilesOfBook = (eb: ExpressionBuilder<Schema, "books" | "languages">) =>
  selectFilesOf(eb, eb.ref("books.id"));

const selectFilesOf = (eb: ExpressionBuilder<Schema, "languages">, bookId: Expression<string>) =>
  eb
    .selectFrom("book_files")
    .select("book_files.id")
    .where("book_files.bookId", "=", bookId)
    .where((inFiles) => inFiles.and([isActiveFile(inFiles), isFileOfLanguage(inFiles)]));

/**
 * Overrides that hide the current book in the current language. They only count while the language has a parent: a
 * language can lose its parent by an update or by the parent's deletion, and its overrides could then neither be seen
 * nor removed. They are kept so that an accidental change loses nothing.
 */
export const selectHidingsOfBook = (eb: ExpressionBuilder<Schema, "books" | "languages">) =>
  hidingsOf(eb, eb.ref("books.id"));

const hidingsOf = (eb: ExpressionBuilder<Schema, "languages">, bookId: Expression<string>) =>
  eb
    .selectFrom("book_visibility")
    .select("book_visibility.bookId")
    .where("book_visibility.bookId", "=", bookId)
    .whereRef("book_visibility.languageId", "=", "languages.id")
    .where("book_visibility.isVisible", "=", 0)
    .where((q) => q("languages.parentId", "is not", null));
