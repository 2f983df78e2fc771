/** Finds books for the palette. */
import type { Search } from "../ui/search.ts";
import { searchBooks } from "./queries.ts";

export const bookSearch: Search = {
  group: "books",
  permission: "view_books",
  minLetters: 1,
  async find(words) {
    const { books } = await searchBooks(words);
    return books.map(({ id, titleEn }) => ({ id, label: titleEn, to: `/books/${id}` }));
  },
};
