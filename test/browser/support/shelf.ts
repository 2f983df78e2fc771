/** Several books of the stand-in, which lists find by what their titles contain. */
import { notFound } from "../../../src/errors.ts";
import type { StandIn } from "./stand-in.ts";

/** @param titles in the order of lists */
export function addBooks(api: StandIn, titles: readonly string[]): void {
  const details = api.example("get /api/admin/books/{bookId}");
  const [example] = api.example("get /api/admin/books").books;
  if (!("book" in details) || example === undefined) throw new Error("The examples are no books.");
  const books = titles.map((titleEn, index) => {
    const id = `01a1fb60-1a34-772b-a309-${String(index).padStart(12, "0")}`;
    return { ...example, id, titleEn, slug: `book-${index}` };
  });
  const find = (bookId = "") => {
    const book = books.find(({ id }) => id === bookId);
    if (!book) throw notFound("book_not_found", "Book not found.");
    return book;
  };
  const describe = ({ id, titleEn, slug }: typeof example) => ({ ...details.book, id, titleEn, slug });
  api.on("get /api/admin/books", ({ query }) => {
    const words = query.get("search")?.toLowerCase() ?? "";
    const found = books.filter(({ titleEn }) => titleEn.toLowerCase().includes(words));
    return { books: found, pagination: { page: 1, limit: 50, total: found.length, totalPages: 1 } };
  });
  api.on("get /api/admin/books/{bookId}", ({ params }) => ({ ...details, book: describe(find(params[0])) }));
  api.on("patch /api/admin/books/{bookId}", ({ params, body }) => {
    const book = find(params[0]);
    book.titleEn = body.titleEn ?? book.titleEn;
    return { ...api.example("patch /api/admin/books/{bookId}"), book: describe(book) };
  });
}
