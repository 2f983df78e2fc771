/** The life of a book: archived, brought back, removed for good. */
import type { Clock } from "../../adapters/system.ts";
import { conflict } from "../../errors.ts";
import type { DeletionImpact } from "../../repositories/books.repository.ts";
import type { Author } from "../../repositories/change.ts";
import type { FileRow } from "../../repositories/files.repository.ts";
import type { CatalogueRepositories, ChangeCatalogue } from "../../repositories/index.ts";
import type { Book, BookRestored } from "../../schemas/books.schemas.ts";
import { bookById } from "../catalogue/catalogue-lookup.ts";
import type { StoredFiles } from "../files/stored-files.ts";
import { bookObject } from "./books.service.ts";
import { presentBook } from "./presenters.ts";

interface BookLifecycleServiceDeps {
  report: CatalogueRepositories;
  change: ChangeCatalogue;
  stored: StoredFiles;
  clock: Clock;
}

export class BookLifecycleService {
  readonly #deps: BookLifecycleServiceDeps;

  /** @param deps with the repositories for reports: the events of a book are counted one by one */
  constructor(deps: BookLifecycleServiceDeps) {
    this.#deps = deps;
  }

  /** What a permanent deletion would take with it. */
  async deletionImpact(id: string): Promise<{ impact: DeletionImpact }> {
    await bookById(this.#deps.report.books, id);
    return { impact: await this.#deps.report.bookLifecycle.deletionImpact(id) };
  }

  /** An archived book stays as it is. */
  archive(by: Author, id: string): Promise<Book> {
    return this.#deps.change(by, async ({ books }) => {
      const before = await bookById(books, id);
      if (before.isActive === 0) return { response: presentBook(before), change: undefined };
      const now = this.#deps.clock.now();
      const archived = { isActive: 0, archivedAt: now, archivedBy: by.name, updatedAt: now } as const;
      const after = await books.update(id, archived);
      return {
        response: presentBook(after),
        change: { action: "archive", object: bookObject(after), before, after },
      };
    });
  }

  restore(by: Author, id: string): Promise<BookRestored> {
    return this.#deps.change(by, async ({ books, files }) => {
      const before = await bookById(books, id);
      if (before.isActive === 1) throw conflict("book_not_archived", "This book isn't archived.");
      const now = this.#deps.clock.now();
      const reactivated = filesToReactivate(await files.listOfBook(id));
      await files.activate(reactivated, now);
      const active = { isActive: 1, archivedAt: null, archivedBy: null, updatedAt: now } as const;
      const after = await books.update(id, active);
      const { slug, isActive } = after;
      return {
        response: { success: true, book: { id, slug, isActive }, reactivatedFiles: reactivated.length },
        change: {
          action: "restore",
          object: bookObject(after),
          before: { ...before, reactivatedFiles: [] },
          after: { ...after, reactivatedFiles: reactivated },
        },
      };
    });
  }

  /** Removes the book with all that hangs on it, then the bytes that nothing else refers to; its events stay. */
  async remove(by: Author, id: string): Promise<void> {
    const hashes = await this.#deps.change(by, async ({ books, files, covers, bookLifecycle }) => {
      const before = await bookById(books, id);
      const hashes = [...(await files.hashesOfBook(id)), ...(await covers.hashesOfBook(id))];
      await bookLifecycle.delete(id);
      return { response: hashes, change: { action: "delete", object: bookObject(before), before } };
    });
    await this.#deps.stored.release(hashes);
  }
}

/**
 * When no file is active in any language: of each language and format the newest, which the book's list has first.
 * Newest is the one that was added last. When a file was last changed says less: it is changed too when it is renamed and
 * when a newer one takes its place. New content mends a file and makes no newer one of it: it keeps its id and count.
 * @returns their ids
 */
function filesToReactivate(files: readonly FileRow[]): string[] {
  if (files.some(({ isActive }) => isActive === 1)) return [];
  const places = Map.groupBy(files, ({ languageId, fileType }) => `${languageId} ${fileType}`);
  return [...places.values()].flatMap(([newest]) => newest?.id ?? []);
}
