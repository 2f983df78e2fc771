/** The book that was opened or moved last, so that the way to its list leads to its row. */

/** What gets the focus there. */
type RowPart = "link" | "handle";

let lastBook: { bookId: string; part: RowPart } | undefined;

export function rememberBook(bookId: string, part: RowPart = "link"): void {
  lastBook = { bookId, part };
}

/** Once: afterwards the list begins at its top again. */
export function takeLastBook(): typeof lastBook {
  const taken = lastBook;
  lastBook = undefined;
  return taken;
}
