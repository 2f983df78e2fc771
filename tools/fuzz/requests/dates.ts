// Dates of books: most of them are due, because what readers ask for needs books.
import fc from "fast-check";
import { asObject } from "./request.ts";

const dates = fc.constantFrom(
  {},
  {},
  { publishAt: "2026-01-01T00:00:00.5Z" },
  { publishAt: "2026-01-01T03:00:00+03:00", unpublishAt: "2999-01-01T00:00:00Z" },
  { publishAt: null, unpublishAt: null },
);

/** A book with dates that fit each other. */
export const dateBook = (body: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> =>
  fc.tuple(body, dates).map(([given, due]) => {
    const { publishAt: _, unpublishAt: __, ...others } = asObject(given);
    return { ...others, ...due };
  });

/** The same for many books. */
export const dateBooks = (body: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> =>
  fc.tuple(body, dates).map(([given, due]) => {
    const { books } = asObject(given);
    const all: unknown[] = Array.isArray(books) ? books : [];
    return {
      books: all.map((book) => {
        const { publishAt: _, unpublishAt: __, ...others } = asObject(book);
        return { ...others, ...due };
      }),
    };
  });
