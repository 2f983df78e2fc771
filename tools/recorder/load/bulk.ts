/** Somebody who sends many books at once; each item is a transaction of its own. */
import { type BookState, createBook, withLink, withTranslation } from "../book-state.ts";
import type { WorkerDeps } from "../ledger.ts";
import { readBooks } from "../read-books.ts";

/** A language of its own: a request for its ZIP would wait for the cloud. */
export const LINK_LANGUAGE = "fr";
const BOOKS = 30;
const MAX_ITEMS = 15;

export class BulkWorker {
  readonly #deps: WorkerDeps;

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
  }

  async act(): Promise<void> {
    const first = this.#deps.roll(BOOKS);
    const count = 1 + this.#deps.roll(MAX_ITEMS);
    const items = Array.from({ length: count }, (_, index) =>
      this.#createItem(`bulk-${(first + index) % BOOKS}`),
    );
    let id = "";
    const response = await this.#deps.ledger.write(this.#deps.client, {
      path: "/api/admin/books/bulk",
      request: { method: "POST", json: { books: items.map(({ sent }) => sent) } },
      begin: (requestId) => {
        id = requestId;
        return items.map(({ sent, state }) => ({
          settle: this.#deps.ledger.books.begin(sent.slug, state, requestId).settle,
          // Each item stands by itself: a refusal of the whole doesn't tell which were done.
          drop() {},
        }));
      },
      lines: count,
    });
    if (!response)
      await this.#lookAgain(
        id,
        items.map(({ sent }) => sent.slug),
      );
  }

  /** Which items of a refused request were done. */
  async #lookAgain(requestId: string, slugs: readonly string[]): Promise<void> {
    const books = await readBooks(this.#deps.client, slugs);
    const found = slugs.map((slug) => {
      const right = this.#deps.ledger.books.describe(slug);
      const { kind } = this.#deps.ledger.books.find(slug, books.get(slug)?.state);
      if (kind === "lost") this.#deps.ledger.unexpected.push(`after a refusal, ${slug} isn't ${right}`);
      return kind;
    });
    this.#deps.ledger.auditLines.set(requestId, found.filter((kind) => kind === "whole").length);
  }

  #createItem(slug: string) {
    const number = this.#deps.ledger.takeNextNumber();
    const titleEn = `Bulk title ${number}`;
    const translations = ["en", LINK_LANGUAGE].map((languageCode) => ({
      languageCode,
      title: `Bulk title ${number} in ${languageCode}`,
    }));
    const cloudUrl = `https://files.example.org/${number}.pdf`;
    const link = { languageCode: LINK_LANGUAGE, fileType: "pdf", sourceType: "url", cloudUrl };
    const files = [{ ...link, fileName: `${number}.pdf` }];
    const before: BookState = { ...(this.#deps.ledger.books.getState(slug) ?? createBook(titleEn)), titleEn };
    const translated = translations.reduce(
      (book, { languageCode, title }) => withTranslation(book, languageCode, title),
      before,
    );
    const state = withLink(translated, { languageCode: LINK_LANGUAGE, fileType: "pdf", content: cloudUrl });
    return { sent: { slug, titleEn, translations, files }, state };
  }
}
