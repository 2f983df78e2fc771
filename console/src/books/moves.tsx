/** Moves books in the order of readers: a handle is dragged to another row, or moved by the arrow keys. */
import { UnstyledButton } from "@mantine/core";
import type { DragEvent, KeyboardEvent } from "react";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { useNotifyProblem } from "../shell/problems.tsx";
import { useOfferUndo } from "../shell/undo.tsx";
import { booksMessages } from "./messages.ts";
import classes from "./moves.module.css";
import { moveBook, useBookChange } from "./queries.ts";

type Book = Schemas["AdminBook"];

/** What places a book at an index of the rows: behind the book before it, or before all of them. */
export function findMove(books: readonly Book[], bookId: string, index: number): Schemas["BookMove"] {
  const after = books.filter(({ id }) => id !== bookId)[index - 1];
  if (after) return { bookId, after: after.id };
  return { bookId, sortOrder: Math.min(...books.map(({ sortOrder }) => sortOrder)) - 1 };
}

/** A function that moves a book to an index of the rows. @param first the first index that can be moved and moved to */
export function useMoves(books: readonly Book[], first: number) {
  const { t } = useTexts(booksMessages);
  const notifyProblem = useNotifyProblem();
  const offerUndo = useOfferUndo();
  const change = useBookChange(moveBook);
  const bookIds = books.map(({ id }) => id);
  const place = (bookId: string, index: number) => change.mutateAsync(findMove(books, bookId, index));
  return async (bookId: string, index: number) => {
    const from = bookIds.indexOf(bookId);
    const book = books[from];
    const isPossible = from >= first && index >= first && index < books.length && index !== from;
    if (!book || !isPossible || change.isPending) return;
    try {
      await place(bookId, index);
      offerUndo(t.books.moved(book.titleEn, index + 1), () => void place(bookId, from).catch(notifyProblem));
    } catch (error) {
      notifyProblem(error);
    }
  };
}

const DRAGGED = "text/x-book-id";

interface HandleProps {
  book: Book;
  index: number;
  move(bookId: string, index: number): void;
}

export function MoveHandle({ book, index, move }: HandleProps) {
  const { t } = useTexts(booksMessages);
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    move(book.id, index + step);
  };
  return (
    <UnstyledButton
      className={classes.handle}
      aria-label={t.books.move(book.titleEn)}
      title={t.books.moveHint}
      draggable
      onDragStart={(event) => event.dataTransfer.setData(DRAGGED, book.id)}
      onKeyDown={press}
    >
      ⠿
    </UnstyledButton>
  );
}

/** The properties of a row on which a handle can be dropped. */
export const acceptMoves = (index: number, move: HandleProps["move"]) => ({
  onDragOver(event: DragEvent) {
    if (event.dataTransfer.types.includes(DRAGGED)) event.preventDefault();
  },
  onDrop(event: DragEvent) {
    const bookId = event.dataTransfer.getData(DRAGGED);
    if (bookId === "") return;
    event.preventDefault();
    move(bookId, index);
  },
});
