/** Imports into a running service, over its administration API. */
import { z } from "zod";
import type { AdminClient } from "../../adapters/admin-client.ts";
import { splitIntoBatches } from "../../lib/collections.ts";
import type { BulkItem } from "../../schemas/bulk.schemas.ts";
import type { BookFile, DeclaredLanguage } from "./library.ts";
import {
  type CoverContent,
  type StoredBook,
  type StoredPlace,
  storedBook,
  storedPlace,
  type Target,
  type UpsertResult,
  upsertResult,
} from "./target.ts";

const BOOKS = "/api/admin/books";
/** As many errors as the response has for one book. */
const CODES_AT_ONCE = 100;
/** Below the limit of a request by far. */
const MAX_ITEMS_LENGTH = 1024 * 1024;

const HASHES_AT_ONCE = 1000;

const found = z.object({ files: z.array(storedPlace) });
const anything = z.unknown();
const languages = z.object({ languages: z.array(z.object({ id: z.number(), code: z.string() })) });
const covers = z.object({ covers: z.array(z.object({ languageCode: z.string() })) });
const results = z.object({ results: z.array(upsertResult) });
const probed = z.object({
  results: z.array(
    z.object({ errors: z.array(z.object({ path: z.string(), code: z.string() })).optional() }),
  ),
});

interface ApiTargetDeps {
  client: AdminClient;
  /** False for an API key. */
  createsLanguages: boolean;
}

export class ApiTarget implements Target {
  readonly #deps: ApiTargetDeps;

  constructor(deps: ApiTargetDeps) {
    this.#deps = deps;
  }

  get createsLanguages(): boolean {
    return this.#deps.createsLanguages;
  }

  /** API keys can't list languages; a bulk upsert that isn't carried out names those that don't exist. */
  async findExisting(codes: readonly string[]): Promise<string[]> {
    const existing: string[] = [];
    for (const batch of splitIntoBatches(codes, CODES_AT_ONCE)) {
      const translations = batch.map((languageCode) => ({ languageCode, title: languageCode }));
      const books = [{ slug: "languages", titleEn: "Languages", translations }];
      const response = await this.#request(probed, "POST", `${BOOKS}/bulk?dryRun=true`, { books });
      const unknown = new Set(
        response.results
          .flatMap(({ errors }) => errors ?? [])
          .flatMap(({ path, code }) =>
            code === "unknown_language" ? [/translations\.(\d+)\./.exec(path)?.[1]] : [],
          ),
      );
      existing.push(...batch.filter((_, index) => !unknown.has(String(index))));
    }
    return existing;
  }

  async createLanguage({ parentCode, ...given }: DeclaredLanguage): Promise<void> {
    const path = "/api/admin/languages";
    const known = parentCode === undefined ? [] : (await this.#request(languages, "GET", path)).languages;
    const parentId = known.find(({ code }) => code === parentCode)?.id;
    await this.#request(anything, "POST", path, { ...given, parentId });
  }

  async upsert(items: readonly BulkItem[], isDryRun: boolean): Promise<UpsertResult[]> {
    const all: UpsertResult[] = [];
    for (const books of splitIntoBodies(items)) {
      const path = `${BOOKS}/bulk?dryRun=${isDryRun}`;
      all.push(...(await this.#request(results, "POST", path, { books })).results);
    }
    return all;
  }

  async findPlaces(hashes: readonly string[]): Promise<StoredPlace[]> {
    const places: StoredPlace[] = [];
    for (const sha256 of splitIntoBatches(hashes, HASHES_AT_ONCE))
      places.push(...(await this.#request(found, "POST", "/api/admin/files/lookup", { sha256 })).files);
    return places;
  }

  readDetails(bookId: string): Promise<StoredBook> {
    return this.#request(storedBook, "GET", `${BOOKS}/${bookId}`);
  }

  async listCovers(bookId: string): Promise<string[]> {
    const response = await this.#request(covers, "GET", `${BOOKS}/${bookId}/covers`);
    return response.covers.map(({ languageCode }) => languageCode);
  }

  addFile(bookId: string, { file, languageCode, fileType }: BookFile): Promise<void> {
    const { client } = this.#deps;
    return client.uploadFile("POST", `${BOOKS}/${bookId}/files`, file, { languageCode, fileType });
  }

  replaceFile(bookId: string, fileId: string, { file }: BookFile): Promise<void> {
    return this.#deps.client.uploadFile("PUT", `${BOOKS}/${bookId}/files/${fileId}`, file);
  }

  async putCover(bookId: string, code: string, cover: CoverContent): Promise<void> {
    const { client } = this.#deps;
    const bytes = await cover.read();
    const path = `${BOOKS}/${bookId}/covers/${code}`;
    return client.upload("PUT", path, new File([Uint8Array.from(bytes)], "cover"));
  }

  #request<S extends z.ZodType>(
    schema: S,
    method: string,
    path: string,
    json?: unknown,
  ): Promise<z.output<S>> {
    return this.#deps.client.request(schema, method, path, json);
  }
}

/** The items in bodies of a bounded size. */
function splitIntoBodies(items: readonly BulkItem[]): BulkItem[][] {
  const bodies: BulkItem[][] = [];
  let room = 0;
  for (const item of items) {
    const { length } = JSON.stringify(item);
    room -= length;
    if (room >= 0) bodies.at(-1)?.push(item);
    else {
      bodies.push([item]);
      room = MAX_ITEMS_LENGTH - length;
    }
  }
  return bodies;
}
