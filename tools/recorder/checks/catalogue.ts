/** Every book, read back through the interface: as answered last, or as the write under way would leave it. */
import { publicBookList } from "../../../src/schemas/public.schemas.ts";
import type { ServiceClient } from "../../lib/service-client.ts";
import type { Ledger } from "../ledger.ts";
import { readBooks } from "../read-books.ts";
import type { Findings } from "./findings.ts";

/** The most that a page holds. */
const PAGE = 200;

/** @returns the hashes that rows name */
export async function checkCatalogue(
  ledger: Ledger,
  admin: ServiceClient,
  findings: Findings,
): Promise<Set<string>> {
  const books = await readBooks(admin);
  for (const slug of new Set([...ledger.books.keys, ...books.keys()])) {
    const book = books.get(slug);
    findings.compare(`book ${slug}`, ledger.books, slug, book?.state);
    if (book) ledger.ids.set(slug, { book: book.id, files: book.files });
    else ledger.ids.delete(slug);
  }
  return new Set(books.values().flatMap(({ hashes }) => hashes));
}

/** The public list has the active books with an active file, and no others. */
export async function checkPublicList(
  ledger: Ledger,
  reader: ServiceClient,
  languageCode: string,
  findings: Findings,
): Promise<void> {
  const { books } = await reader.read(
    `/api/books?languageCode=${languageCode}&limit=${PAGE}`,
    publicBookList,
  );
  const expected = ledger.books.keys.filter((slug) => {
    const book = ledger.books.getState(slug);
    const isThere = book?.files.some((file) => file.languageCode === languageCode && file.isActive === 1);
    return book?.isActive === 1 && isThere;
  });
  const shown = books.map(({ slug }) => slug).sort();
  if (shown.join() !== expected.sort().join()) {
    findings.addLoss(`the public list in ${languageCode} has ${shown} in place of ${expected}`);
  }
}
