/** A book for forms that need neither a store nor any other book. */
import type { ServiceClient } from "../lib/service-client.ts";
import { createBook, withLink, withTranslation } from "./book-state.ts";
import type { Ledger } from "./ledger.ts";
import { LINK_LANGUAGE } from "./load/bulk.ts";

export const SLUG = "probe";

/** The book that the forms name, which nothing else changes. Its file is a link: forms don't need the store. */
export async function makeLinkedBook(ledger: Ledger, admin: ServiceClient): Promise<void> {
  const title = "Probed";
  const cloudUrl = "https://files.example.org/probed.pdf";
  const place = { languageCode: LINK_LANGUAGE, fileType: "pdf" };
  const file = { ...place, sourceType: "url", cloudUrl, fileName: "probed.pdf" };
  const translations = [{ languageCode: LINK_LANGUAGE, title }];
  const translated = withTranslation(createBook(title), LINK_LANGUAGE, title);
  const state = withLink(translated, { ...place, content: cloudUrl });
  await ledger.write(admin, {
    path: "/api/admin/books/bulk",
    request: {
      method: "POST",
      json: { books: [{ slug: SLUG, titleEn: title, translations, files: [file] }] },
    },
    begin: (requestId) => [ledger.books.begin(SLUG, state, requestId)],
    lines: 1,
  });
}
