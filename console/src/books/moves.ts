/** Moves books in the order of readers, by their positions in the list, and takes that back. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../api/client.ts";
import { PAGE_SIZE } from "../api/list-request.ts";
import { useTexts } from "../messages/index.tsx";
import { useNotifyProblem } from "../ui/problems.tsx";
import { useOfferUndo } from "../ui/undo.tsx";
import { type BookFilter, isFiltered } from "./book-filter.ts";
import { moveBooks, readBooks } from "./queries.ts";

type Book = Pick<Schemas["AdminBook"], "id" | "titleEn">;
type Move = Schemas["BookMove"];

/** A book of the list, and how many stand before it, from 1. */
export interface Place {
  bookId: string;
  position: number;
}

/**
 * What gives a book the place of another one of its list. Where filters hide books, it stands directly beside the other one.
 * @param isAll whether the list contains all active books
 */
function planMove(from: Place, to: Place, isAll: boolean): Move[] {
  const { bookId } = from;
  if (to.position > from.position) return [{ bookId, after: to.bookId }];
  if (to.position === 1 && isAll) return [{ bookId, after: null }];
  // Nothing says "before": behind the other one, which is then put behind it.
  return [
    { bookId, after: to.bookId },
    { bookId: to.bookId, after: bookId },
  ];
}

interface MoveOptions {
  /** Those of the page. */
  books: readonly Book[];
  /** Undefined: nothing can be moved. */
  order: { filter: BookFilter; total: number; isRefreshing: boolean } | undefined;
}

/** The position of a row of a page. */
export const positionOf = (index: number, page: number): number => (page - 1) * PAGE_SIZE + index + 1;

/** A function that moves a book of the page to a position of the list. @returns whether it was moved */
export function useMoves({ books, order }: MoveOptions) {
  const { t, formatNumber } = useTexts("books");
  const notifyProblem = useNotifyProblem();
  const offerUndo = useOfferUndo();
  const queries = useQueryClient();
  const change = useMutation({ mutationFn: moveBooks });
  const readAgain = () => queries.invalidateQueries({ queryKey: ["books"] });
  const carryOut = async (moves: Move[]) => {
    const places = await change.mutateAsync(moves);
    await readAgain();
    return places;
  };
  return async (book: Book, position: number): Promise<boolean> => {
    if (!order || order.isRefreshing || change.isPending) return false;
    const { filter, total } = order;
    const from = { bookId: book.id, position: positionOf(books.indexOf(book), filter.page) };
    if (position < 1 || position > total || position === from.position) return false;
    try {
      const shown = books[position - positionOf(0, filter.page)]?.id;
      const bookId = shown ?? (await findBookAt(filter, position));
      if (bookId === undefined || bookId === book.id) return false;
      const places = await carryOut(planMove(from, { bookId, position }, !isFiltered(filter)));
      const after = places.find(({ id }) => id === book.id)?.formerlyAfter ?? null;
      offerUndo(t("books.moved", { title: book.titleEn, place: formatNumber(position) }), () =>
        carryOut([{ bookId: book.id, after }]),
      );
      return true;
    } catch (error) {
      notifyProblem(error);
      return false;
    }
  };
}

const findBookAt = async (filter: BookFilter, position: number): Promise<string | undefined> =>
  (await readBooks(filter, { page: position, limit: 1 })).books[0]?.id;
