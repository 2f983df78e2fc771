/** Imports into the configured database and file store, through the services of the application. */
import { Readable } from "node:stream";
import type { FileStore, ReceivedFile } from "../../adapters/files/file-store.ts";
import { splitIntoBatches } from "../../lib/collections.ts";
import { type Author, createSystemAuthor } from "../../repositories/change.ts";
import type { BulkItem } from "../../schemas/bulk.schemas.ts";
import type { Services } from "../../services/index.ts";
import type { BookFile, DeclaredLanguage } from "./library.ts";
import {
  type CoverContent,
  type StoredBook,
  type StoredPlace,
  type Target,
  type UpsertResult,
  upsertResult,
} from "./target.ts";

interface DirectTargetDeps {
  services: Pick<Services, "books" | "bulkUpsert" | "contentRecords" | "covers" | "files" | "languages">;
  store: FileStore;
  maxUploadBytes: number;
}

const HASHES_AT_ONCE = 1000;

const AUTHOR: Author = createSystemAuthor("import");

export class DirectTarget implements Target {
  readonly createsLanguages = true;
  readonly #deps: DirectTargetDeps;

  constructor(deps: DirectTargetDeps) {
    this.#deps = deps;
  }

  async findExisting(codes: readonly string[]): Promise<string[]> {
    const { languages } = await this.#deps.services.languages.list();
    const known = new Set(languages.map(({ code }) => code));
    return codes.filter((code) => known.has(code));
  }

  async createLanguage({ parentCode, ...given }: DeclaredLanguage): Promise<void> {
    const { languages } = this.#deps.services;
    const parent = (await languages.list()).languages.find(({ code }) => code === parentCode);
    await languages.create(AUTHOR, { ...given, parentId: parent?.id });
  }

  async upsert(item: BulkItem): Promise<UpsertResult> {
    const { results } = await this.#deps.services.bulkUpsert.upsert(AUTHOR, [item], { isDryRun: false });
    return upsertResult.parse(results[0]);
  }

  findIds(slugs: readonly string[]): Promise<Map<string, string>> {
    return this.#deps.services.books.findIds(slugs);
  }

  async findPlaces(hashes: readonly string[]): Promise<StoredPlace[]> {
    const places: StoredPlace[] = [];
    for (const batch of splitIntoBatches(hashes, HASHES_AT_ONCE))
      places.push(...(await this.#deps.services.files.findPlaces(batch)).files);
    return places;
  }

  readDetails(bookId: string): Promise<StoredBook> {
    return this.#deps.services.books.readDetails(bookId);
  }

  async listCovers(bookId: string): Promise<string[]> {
    const { covers } = await this.#deps.services.covers.listOfBook(bookId);
    return covers.map(({ languageCode }) => languageCode);
  }

  async addFile(bookId: string, { file, languageCode, fileType, metadata }: BookFile): Promise<void> {
    const { files, contentRecords } = this.#deps.services;
    await using handle = await file.open();
    await this.#withBytes(handle.createReadStream({ autoClose: false }), async (received) => {
      const upload = { ...received, originalName: file.name };
      await contentRecords.record(received.sha256, metadata);
      await files.addUpload(AUTHOR, bookId, { languageCode, fileType }, upload);
    });
  }

  async replaceFile(bookId: string, fileId: string, { file, metadata }: BookFile): Promise<void> {
    const { files, contentRecords } = this.#deps.services;
    await using handle = await file.open();
    await this.#withBytes(handle.createReadStream({ autoClose: false }), async (received) => {
      await contentRecords.record(received.sha256, metadata);
      await files.replaceContent(AUTHOR, { bookId, fileId }, { ...received, originalName: file.name });
    });
  }

  async putCover(bookId: string, code: string, cover: CoverContent): Promise<void> {
    const bytes = await cover.read();
    const { covers } = this.#deps.services;
    await this.#withBytes(Readable.from([bytes]), async (received) => {
      await covers.put(AUTHOR, bookId, code, received);
    });
  }

  async #withBytes(bytes: Readable, work: (received: ReceivedFile) => Promise<void>): Promise<void> {
    const { store, maxUploadBytes: maxBytes } = this.#deps;
    const received = await store.receive(bytes, { maxBytes });
    try {
      await work(received);
    } finally {
      await received.discard();
    }
  }
}
