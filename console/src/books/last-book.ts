/** The book that was opened last, so that the way back to the list leads to its row. */
let lastBook: string | undefined;

export function rememberBook(bookId: string): void {
  lastBook = bookId;
}

/** Once: afterwards the list begins at its top again. */
export function takeLastBook(): string | undefined {
  const taken = lastBook;
  lastBook = undefined;
  return taken;
}
