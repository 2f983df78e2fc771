/** What a plan is compared with: the catalogue, which it only reads. */

import { createIdSource, systemClock } from "../../../adapters/system.ts";
import { splitIntoBatches } from "../../../lib/collections.ts";
import { createSystemAuthor } from "../../../repositories/change.ts";
import type { CatalogueRepositories } from "../../../repositories/index.ts";
import type { BulkItem } from "../../../schemas/bulk.schemas.ts";
import { DEFAULT_COVER } from "../../../schemas/covers.schemas.ts";
import type { PlannedError } from "../../../schemas/imports.schemas.ts";
import { BooksService } from "../../../services/books/books.service.ts";
import { BulkUpsertService } from "../../../services/books/bulk.service.ts";
import { presentPlace } from "../../../services/files/presenters.ts";
import { EmptyTarget } from "../empty-target.ts";
import type { StoredBook, StoredPlace } from "../target.ts";

const HASHES_AT_ONCE = 1000;

const AUTHOR = createSystemAuthor("plan");

export class ReadingTarget extends EmptyTarget {
  readonly #reads: CatalogueRepositories;
  readonly #books: BooksService;
  readonly #bulk: BulkUpsertService;

  constructor(reads: CatalogueRepositories, cloudAllowHosts: readonly string[]) {
    super();
    const change = () => Promise.reject(new Error("A plan changes nothing."));
    const deps = { reads, change, newId: createIdSource(systemClock), clock: systemClock };
    this.#reads = reads;
    this.#books = new BooksService(deps);
    this.#bulk = new BulkUpsertService({ ...deps, cloudAllowHosts });
  }

  override async findExisting(): Promise<string[]> {
    return (await this.#reads.languages.list()).map(({ code }) => code);
  }

  override findIds(slugs: readonly string[]): Promise<Map<string, string>> {
    return this.#books.findIds(slugs);
  }

  override async findPlaces(hashes: readonly string[]): Promise<StoredPlace[]> {
    const places: StoredPlace[] = [];
    for (const batch of splitIntoBatches(hashes, HASHES_AT_ONCE)) {
      const rows = await this.#reads.files.listByHashes(batch);
      places.push(
        ...rows.flatMap((row) => (row.sha256 === null ? [] : [{ sha256: row.sha256, ...presentPlace(row) }])),
      );
    }
    return places;
  }

  override readDetails(bookId: string): Promise<StoredBook> {
    return this.#books.readDetails(bookId);
  }

  override async listCovers(bookId: string): Promise<string[]> {
    const covers = await this.#reads.covers.listOfBook(bookId);
    return covers.map(({ languageCode }) => languageCode ?? DEFAULT_COVER);
  }

  /** What is wrong with each item besides languages that don't exist. */
  async findErrors(items: readonly BulkItem[]): Promise<PlannedError[][]> {
    const { results } = await this.#bulk.upsert(AUTHOR, items, { isDryRun: true });
    return results.map(({ errors, error }) => {
      if (!errors) return error === undefined ? [] : [{ code: "invalid_value", message: error }];
      return errors
        .filter(({ code }) => code !== "unknown_language")
        .map(({ path: given, code, message }) => {
          const path = given.replace(/^books\.\d+\.?/, "");
          return { code, message: `${path}: ${message}`, path };
        });
    });
  }
}
