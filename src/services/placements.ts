/** On which channels books are in a language: by its own publications, or by those that it inherits. */
import { turns } from "../lib/turns.ts";
import type { MatrixRepository } from "../repositories/matrix.repository.ts";
import type { LanguageScope } from "../repositories/publication-sql.ts";

export interface Placements {
  /** Whether the book is on the channel, by whatever publication. */
  isOn(bookId: string, channelId: string): boolean;
  /** Whether the language that is inherited from has put it there: it can't be taken off here. */
  isInherited(bookId: string, channelId: string): boolean;
}

export async function placementsOf(
  matrix: MatrixRepository,
  { id, parentId }: LanguageScope,
): Promise<Placements> {
  const nextTurn = turns();
  const booksByChannel = async (languageId: number): Promise<Map<string, ReadonlySet<string>>> => {
    const books = new Map<string, ReadonlySet<string>>();
    for (const { channelId, bookIds } of await matrix.publishedBooks(languageId)) {
      await nextTurn();
      books.set(channelId, new Set(bookIds.split(" ")));
    }
    return books;
  };
  const own = await booksByChannel(id);
  const inherited = parentId === null ? undefined : await booksByChannel(parentId);
  const isInherited = (bookId: string, channelId: string) => inherited?.get(channelId)?.has(bookId) ?? false;
  return {
    isOn: (bookId, channelId) => own.get(channelId)?.has(bookId) || isInherited(bookId, channelId),
    isInherited,
  };
}
