/** Archives, restores and permanently deletes books. */
import { conflict } from "../../errors.ts";
import type { Author } from "../../repositories/change.ts";
import type { FileRow } from "../../repositories/files.repository.ts";
import type { Book, BookRestored, DeletionImpact } from "../../schemas/books.schemas.ts";
import type { ReleasedBytes } from "../files/released-bytes.ts";
import { findBook } from "../shared/catalogue-lookup.ts";
import { assertVersion, type ExpectedVersions } from "../shared/record-versions.ts";
import { type CatalogueDeps, Service } from "../shared/service.ts";
import { bookObject } from "./books.service.ts";
import { presentBook } from "./presenters.ts";

interface BookLifecycleServiceDeps extends Pick<CatalogueDeps, "report" | "change" | "clock"> {
  released: Pick<ReleasedBytes, "removeNow">;
}

export class BookLifecycleService extends Service<BookLifecycleServiceDeps> {
  /** What a permanent deletion would remove. */
  async countDeletionImpact(id: string): Promise<DeletionImpact> {
    await findBook(this.deps.report.books, id);
    return { impact: await this.deps.report.books.countDeletionImpact(id) };
  }

  /** Archiving an archived book changes nothing. */
  archive(by: Author, id: string, expected?: ExpectedVersions): Promise<Book> {
    return this.deps.change(by, async ({ books }) => {
      const before = await findBook(books, id);
      assertVersion(expected, presentBook(before));
      if (before.isActive === 0) return { response: presentBook(before), change: undefined };
      const now = this.deps.clock.now();
      const archived = { isActive: 0, archivedAt: now, archivedBy: by.name, updatedAt: now } as const;
      const after = await books.update(id, archived);
      return {
        response: presentBook(after),
        change: { action: "archive", object: bookObject(after), before, after },
        reach: { bookId: id },
      };
    });
  }

  restore(by: Author, id: string): Promise<BookRestored> {
    return this.deps.change(by, async ({ books, files }) => {
      const before = await findBook(books, id);
      if (before.isActive === 1) throw conflict("book_not_archived", "This book isn't archived.");
      const now = this.deps.clock.now();
      const reactivated = findFilesToReactivate(await files.listOfBook(id));
      await files.activate(reactivated, now);
      const active = { isActive: 1, archivedAt: null, archivedBy: null, updatedAt: now } as const;
      const after = await books.update(id, active);
      const { slug, isActive, version } = presentBook(after);
      return {
        response: {
          success: true,
          book: { id, slug, isActive, version },
          reactivatedFiles: reactivated.length,
        },
        change: {
          action: "restore",
          object: bookObject(after),
          before: { ...before, reactivatedFiles: [] },
          after: { ...after, reactivatedFiles: reactivated },
        },
        reach: { bookId: id },
      };
    });
  }

  /**
   * Deletes the book and everything that belongs to it, then at once the stored bytes that nothing else references. Its
   * events are kept.
   */
  async remove(by: Author, id: string, expected?: ExpectedVersions): Promise<void> {
    const { released, change, clock } = this.deps;
    const hashes = await change(by, async ({ books, releasedBytes }) => {
      const before = await findBook(books, id);
      assertVersion(expected, presentBook(before));
      const hashes = await releasedBytes.releaseOf({ bookId: id }, clock.now());
      await books.delete(id);
      return { response: hashes, change: { action: "delete", object: bookObject(before), before } };
    });
    await released.removeNow(hashes);
  }
}

/**
 * The files to activate when a book has no active file: the newest of each language and format, which is the first in
 * the book's list. "Newest" means added last. `updatedAt` is not suitable, because renaming or replacing a file also
 * changes it. Replacing the content of a file keeps its id and download count, so it doesn't count as adding a file.
 * @returns their ids
 */
function findFilesToReactivate(files: readonly FileRow[]): string[] {
  if (files.some(({ isActive }) => isActive === 1)) return [];
  const places = Map.groupBy(files, ({ languageId, fileType }) => `${languageId} ${fileType}`);
  return [...places.values()].flatMap(([newest]) => newest?.id ?? []);
}
