/** Examines single files for the service, by the readers of the import. */
import { dirname, join } from "node:path";
import pLimit from "p-limit";
import { recogniseContent } from "../../adapters/file-types/recognise.ts";
import type { Inspectable } from "../../adapters/files/file-store.ts";
import { withLocalCopy } from "../../adapters/files/local-copy.ts";
import type { Logger } from "../../adapters/logger.ts";
import type { Cancel, Scheduler } from "../../adapters/system.ts";
import { badRequest } from "../../errors.ts";
import { CACHE_FOLDER, EXAMINED_FILE } from "../../lib/data-dir-names.ts";
import type { Examination, FileMetadata } from "../../schemas/examinations.schemas.ts";
import { asMetadataType } from "../../schemas/file-types.ts";
import { findBooksInside } from "./books-inside.ts";
import { findFileBelow, type LocalFile, UnusableFileError } from "./local-files.ts";
import type { Metadata } from "./metadata/metadata.ts";
import type { SheetTexts } from "./metadata/metadata-messages.ts";
import { MetadataReader } from "./metadata/metadata-reader.ts";

/** The process of the reader takes memory. */
const IDLE_MS = 60_000;

interface ContentExaminerDeps {
  dataDir: string;
  schedule: Scheduler;
  log: Logger;
}

export class ContentExaminer {
  readonly #deps: ContentExaminerDeps;
  /** One at a time, as the reader does: there is one copy. */
  readonly #queue = pLimit(1);
  #reader: MetadataReader | undefined;
  #cancel: Cancel = () => {};

  constructor(deps: ContentExaminerDeps) {
    this.#deps = deps;
  }

  async examine(bytes: Inspectable): Promise<Examination> {
    const { types, name: contentName } = await recogniseContent(bytes);
    const booksInside = types.includes("zip") ? ((await findBooksInside(bytes)) ?? null) : null;
    const found = {
      types: [...types],
      contentName,
      booksInside,
      metadata: null,
      hasCover: false,
      error: null,
      coverIsMissing: false,
    };
    const fileType = types.map(asMetadataType).find((each) => each !== undefined);
    if (fileType === undefined) return found;
    const metadata = await this.#read(bytes, (reader, file) => reader.read(file, fileType));
    const { unreadable: error, coverIsMissing = false, cover } = metadata;
    if (error !== undefined) return { ...found, error };
    return { ...found, metadata: presentMetadata(metadata), hasCover: Boolean(cover), coverIsMissing };
  }

  /** Ends the reader's process. */
  async close(): Promise<void> {
    this.#cancel();
    await this.#reader?.close();
    this.#reader = undefined;
  }

  /**
   * The first sheet of an XLSX workbook.
   * @throws UnusableFileError if it can't be read
   */
  readSheet(bytes: Inspectable): Promise<SheetTexts> {
    return this.#read(bytes, (reader, file) => reader.readSheet(file));
  }

  /**
   * The cover in a book; undefined for bytes that are no book.
   * @throws AppError 400 `image_invalid` if there is none, or it can't be read
   */
  async readCover(bytes: Inspectable): Promise<Buffer | undefined> {
    const { types } = await recogniseContent(bytes);
    if (types.length === 0) return undefined;
    const fileType = types.map(asMetadataType).find((each) => each !== undefined);
    try {
      const cover =
        fileType &&
        (await this.#read(bytes, async (reader, file) => (await reader.read(file, fileType)).cover?.()));
      if (cover) return cover;
    } catch (error) {
      if (!(error instanceof UnusableFileError)) throw error;
      throw badRequest("image_invalid", `The cover in the file can't be read. ${error.message}`);
    }
    throw badRequest("image_invalid", "The file contains no cover.");
  }

  #logDetail(detail: string): void {
    this.#deps.log.info({ detail }, "a file could not be read");
  }

  /** One file at a time, with a reader that is ended when it isn't needed any more. */
  #read<T>(bytes: Inspectable, work: (reader: MetadataReader, file: LocalFile) => Promise<T>): Promise<T> {
    return this.#queue(async () => {
      this.#cancel();
      this.#reader ??= new MetadataReader({ onDetail: (_, detail) => this.#logDetail(detail) });
      const reader = this.#reader;
      const path = join(this.#deps.dataDir, CACHE_FOLDER, EXAMINED_FILE);
      try {
        return await withLocalCopy(path, bytes, async () =>
          work(reader, await findFileBelow(dirname(path), EXAMINED_FILE)),
        );
      } finally {
        this.#cancel = this.#deps.schedule(IDLE_MS, () => void this.close());
      }
    });
  }
}

const presentMetadata = (metadata: Metadata): FileMetadata => ({
  authors: metadata.authors,
  contributors: metadata.contributors,
  tags: metadata.tags,
  title: metadata.title ?? null,
  languageCode: metadata.languageCode ?? null,
  description: metadata.description ?? null,
  publisher: metadata.publisher ?? null,
  license: metadata.license ?? null,
  isbn: metadata.isbn ?? null,
  series: metadata.series ? { name: metadata.series.name, position: metadata.series.position ?? null } : null,
});
