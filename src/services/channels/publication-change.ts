/** Publishes or unpublishes one book on a channel in a language. publication-changes.ts does it for many. */
import { conflict } from "../../errors.ts";
import type { NamedBook } from "../../repositories/books.repository.ts";
import type { Change, Changed } from "../../repositories/change.ts";
import type { ChannelRow } from "../../repositories/channels.repository.ts";
import type { CatalogueRepositories } from "../../repositories/index.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";

export interface RequestedPlace {
  book: NamedBook;
  channel: ChannelRow;
  language: LanguageRow;
}

interface DecidedPublication {
  /** Whether the language publishes the book there itself, regardless of its parent. */
  isOwn: boolean;
  /** Whether that is to be stored. */
  isChanged: boolean;
  /** Whether the book is published there afterwards, by the language itself or by its parent. */
  isPublished: boolean;
}

/**
 * Whether the language publishes the book there itself. That stays when its parent no longer does.
 * @param wanted undefined: not any more, or otherwise the opposite of what readers see
 * @throws AppError 409 for an archived book, and for a publication of the parent language only that would have to be removed
 */
export async function decidePublication(
  { matrix }: Pick<CatalogueRepositories, "matrix">,
  { book, channel, language }: RequestedPlace,
  wanted?: boolean,
): Promise<DecidedPublication> {
  if (book.isActive === 0) throw conflict("book_archived", "This book is archived. Restore it first.");
  const languageIds = await matrix.findLanguages(book.id, channel.id, language);
  const wasOwn = languageIds.includes(language.id);
  const isInherited = languageIds.some((id) => id !== language.id);
  const isOwn = wanted ?? languageIds.length === 0;
  if (!isOwn && !wasOwn && isInherited) throw inherited();
  return { isOwn, isChanged: isOwn !== wasOwn, isPublished: isOwn || isInherited };
}

/** Stores what `decidePublication` has decided. */
export async function putPublication(
  { matrix }: Pick<CatalogueRepositories, "matrix">,
  { book, channel, language }: RequestedPlace,
  { isOwn, isPublished, now }: Pick<DecidedPublication, "isOwn" | "isPublished"> & { now: number },
): Promise<Changed<boolean>> {
  const row = { bookId: book.id, channelId: channel.id, languageId: language.id, createdAt: now };
  if (isOwn) await matrix.insert(row);
  else await matrix.delete(row);
  const change = describePublication({ book, channel, language }, isOwn);
  return { response: isPublished, change, reach: { bookId: book.id } };
}

/** For the audit log. */
export function describePublication(
  { book, channel, language }: RequestedPlace,
  isPublished: boolean,
): Change {
  const object = { kind: "publication", id: book.id, name: book.titleEn } as const;
  const place = {
    bookId: book.id,
    channelId: channel.id,
    languageId: language.id,
    channel: channel.slug,
    language: language.code,
  };
  return isPublished
    ? { action: "create", object, after: place }
    : { action: "delete", object, before: place };
}

const inherited = () =>
  conflict(
    "publication_inherited",
    "The publication is inherited from the parent language. Unpublish the book in the parent language, or hide it in this one.",
  );
