/** Publishes and unpublishes many books on channels in languages: all of them or none. */
import { bodyError, conflict, type FieldError, invalidInput, notFound } from "../../errors.ts";
import type { Reach } from "../../repositories/change.ts";
import type { CatalogueRepositories } from "../../repositories/index.ts";
import { scopeIds } from "../../repositories/publication-rules.ts";
import type { FieldErrorCode } from "../../schemas/error-codes.ts";
import type { PublicationChange } from "../../schemas/publication-changes.schemas.ts";
import { checkRequestedLanguage } from "../shared/catalogue-lookup.ts";
import type { RequestedPlace } from "./publication-change.ts";

/** A requested change whose book, channel and language exist. */
interface Requested extends RequestedPlace {
  index: number;
  isPublished: boolean;
}

/**
 * The changes that are needed so that all requested states hold, sorted by the key of the table. Those of parent
 * languages come first, so that their order in the request doesn't matter.
 * @throws AppError with an error for each change that isn't possible
 */
export async function planPublications(
  changes: readonly PublicationChange[],
  repositories: CatalogueRepositories,
): Promise<Requested[]> {
  const { requested, errors } = await findRequested(changes, repositories);
  const published = await findPublished(requested, repositories);
  const needed: Requested[] = [];
  const conflicts: number[] = [];
  for (const change of requested.toSorted(compareByKey)) {
    const { book, channel, language, isPublished } = change;
    const [own = "", inherited = ""] = scopeIds(language).map((id) => keyOf(book.id, channel.id, id));
    const isInherited = published.has(inherited);
    const wasOwn = published.has(own);
    if (!isPublished && !wasOwn && isInherited) conflicts.push(change.index);
    if (isPublished === wasOwn) continue;
    if (isPublished) published.add(own);
    else published.delete(own);
    needed.push(change);
  }
  conflicts.sort((one, other) => one - other);
  rejectErrors([...errors, ...conflicts.map((index) => errorAt(index, "isPublished", INHERITED))]);
  return needed;
}

/** The existing records that the changes name, and the errors of the others. */
async function findRequested(changes: readonly PublicationChange[], repositories: CatalogueRepositories) {
  const bookIds = [...new Set(changes.map(({ bookId }) => bookId))].sort();
  const books = new Map((await repositories.books.findNames(bookIds)).map((book) => [book.id, book]));
  const channels = new Map((await repositories.channels.list()).map((channel) => [channel.id, channel]));
  const all = await repositories.languages.list();
  const byIds = new Map(all.map((language) => [language.id, language]));
  const byKeys = new Map(all.map((language) => [language.codeKey, language]));
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  const requested = changes.flatMap((given, index): Requested[] => {
    const { bookId, channelId, languageId, languageCode, isPublished } = given;
    const [book, channel] = [books.get(bookId), channels.get(channelId)];
    if (!book) errors.push(errorAt(index, "bookId", UNKNOWN_BOOK));
    else if (book.isActive === 0) errors.push(errorAt(index, "bookId", ARCHIVED));
    if (!channel) errors.push(errorAt(index, "channelId", UNKNOWN_CHANNEL));
    const byId = languageId === undefined ? undefined : byIds.get(languageId);
    const byCode = languageCode === undefined ? undefined : byKeys.get(languageCode.toLowerCase());
    const checked = checkRequestedLanguage(given, { byId, byCode }, "body", `changes.${index}.`);
    errors.push(...checked.errors);
    const { language } = checked;
    if (!book || !channel || !language) return [];
    const key = keyOf(bookId, channelId, language.id);
    if (seen.has(key)) errors.push(errorAt(index, "bookId", REPEATED));
    seen.add(key);
    return [{ book, channel, language, isPublished, index }];
  });
  return { requested, errors };
}

/** The keys of the publications in the languages of the changes and in their parents. */
async function findPublished(requested: readonly Requested[], { matrix }: CatalogueRepositories) {
  const bookIds = new Set(requested.map(({ book }) => book.id));
  const channelIds = new Set(requested.map(({ channel }) => channel.id));
  const languages = new Set(requested.map(({ language }) => language));
  const languageIds = new Set([...languages].flatMap(scopeIds));
  const places = await matrix.findPlacesOf([...bookIds], [...channelIds], [...languageIds]);
  return new Set(places.map((place) => keyOf(place.bookId, place.channelId, place.languageId)));
}

const keyOf = (bookId: string, channelId: string, languageId: number): string =>
  `${languageId} ${channelId} ${bookId}`;

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

const compareByKey = (one: Requested, other: Requested): number =>
  Number(one.language.parentId !== null) - Number(other.language.parentId !== null) ||
  one.language.id - other.language.id ||
  compare(one.channel.id, other.channel.id) ||
  compare(one.book.id, other.book.id);

/** Stores what `planPublications` has found. */
export async function storePublications(
  { matrix }: CatalogueRepositories,
  changed: readonly Requested[],
  createdAt: number,
) {
  const rowOf = ({ book, channel, language }: Requested) => ({
    bookId: book.id,
    channelId: channel.id,
    languageId: language.id,
    createdAt,
  });
  const removed = changed.filter(({ isPublished }) => !isPublished).map(rowOf);
  const byColumn = Map.groupBy(removed, ({ channelId, languageId }) => `${languageId} ${channelId}`);
  for (const rows of byColumn.values()) {
    const bookIds = rows.map(({ bookId }) => bookId);
    if (rows[0]) await matrix.deleteAll(rows[0], bookIds);
  }
  await matrix.insertAll(changed.filter(({ isPublished }) => isPublished).map(rowOf));
}

/**
 * The list of a channel shows all languages of a book there, so that a change in one language reaches the lists of the
 * others. Those of many books are nearly all lists.
 */
export function reachOf(changed: readonly Requested[]): { reach?: Reach } {
  const [bookId, ...others] = new Set(changed.map(({ book }) => book.id));
  return bookId !== undefined && others.length === 0 ? { reach: { bookId } } : {};
}

type Reason = readonly [message: string, code: FieldErrorCode];

const UNKNOWN_BOOK: Reason = ["does not exist", "unknown_book"];
const UNKNOWN_CHANNEL: Reason = ["does not exist", "unknown_channel"];
const ARCHIVED: Reason = ["must not be archived: restore the book first", "archived_book"];
const INHERITED: Reason = ["is inherited from the parent language", "inherited_publication"];
const REPEATED: Reason = ["must not occur twice with this channel and language", "repeated_publication"];

const errorAt = (index: number, field: string, [message, code]: Reason): FieldError =>
  bodyError(`changes.${index}.${field}`, message, code);

const NOT_FOUND = {
  unknown_book: ["book_not_found", "book"],
  unknown_channel: ["channel_not_found", "channel"],
  unknown_language: ["language_not_found", "language"],
} as const;

const isUnknown = (code: FieldErrorCode): code is keyof typeof NOT_FOUND => code in NOT_FOUND;

/** The gravest kind of error decides about the status; the response contains all errors. */
function rejectErrors(errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  const codes = errors.map(({ code }) => code);
  const isRejectedLater = (code: FieldErrorCode) =>
    isUnknown(code) || code === "archived_book" || code === "inherited_publication";
  if (!codes.every(isRejectedLater)) throw invalidInput(errors);
  const unknown = codes.find(isUnknown);
  if (unknown) {
    const [code, record] = NOT_FOUND[unknown];
    throw notFound(code, `A ${record} of the changes does not exist. Nothing was changed.`, { errors });
  }
  if (codes.includes("archived_book"))
    throw conflict("book_archived", "A book of the changes is archived. Nothing was changed.", { errors });
  throw conflict(
    "publication_inherited",
    "A publication is inherited from the parent language, where alone it can be removed. Nothing was changed.",
    { errors },
  );
}
