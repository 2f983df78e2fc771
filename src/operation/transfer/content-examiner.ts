/** Examines single files for the service, by the readers of the import. */
import { dirname, join } from "node:path";
import { FairQueue, findPresentUser } from "../../adapters/fair-queue.ts";
import { recogniseContent } from "../../adapters/file-types/recognise.ts";
import type { Inspectable } from "../../adapters/files/file-store.ts";
import { withLocalCopy } from "../../adapters/files/local-copy.ts";
import type { CoverImages } from "../../adapters/images/cover-images.ts";
import type { Logger } from "../../adapters/logger.ts";
import type { Scheduler } from "../../adapters/system.ts";
import type { WatchedProcess } from "../../adapters/watched-process/watched-process.ts";
import { AppError, badRequest } from "../../errors.ts";
import { CACHE_FOLDER, EXAMINED_FILE } from "../../lib/data-dir-names.ts";
import type { Examination, FileMetadata } from "../../schemas/examinations.schemas.ts";
import { asMetadataType } from "../../schemas/file-types.ts";
import { findBooksInside } from "./books-inside.ts";
import { findFileBelow, type LocalFile, UnusableFileError } from "./local-files.ts";
import type { Metadata } from "./metadata/metadata.ts";
import type { SheetTexts } from "./metadata/metadata-messages.ts";
import { MetadataReader } from "./metadata/metadata-reader.ts";

interface ContentExaminerDeps {
  dataDir: string;
  images: Pick<CoverImages, "assertUsable" | "makeStorable" | "normalise">;
  /** Without one, the examiner has its own. */
  metadataProcess?: WatchedProcess | undefined;
  schedule: Scheduler;
  log: Logger;
}

export class ContentExaminer {
  readonly #deps: ContentExaminerDeps;
  /** One at a time, as the reader does: there is one copy. Users take turns. */
  readonly #queue = new FairQueue();
  readonly #reader: MetadataReader;

  constructor(deps: ContentExaminerDeps) {
    this.#deps = deps;
    const { images, metadataProcess: process, schedule } = deps;
    const onDetail = (_: string, detail: string) => this.#logDetail(detail);
    this.#reader = new MetadataReader({ images, process, schedule, onDetail });
  }

  /** @param signal of a client that waits for it, as in the methods below: it ends the work */
  async examine(bytes: Inspectable, signal?: AbortSignal): Promise<Examination> {
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
    const metadata = await this.#read(
      bytes,
      (reader, file) => reader.read(file, fileType, { signal }),
      signal,
    );
    const { unreadable: error, coverIsMissing = false, cover } = metadata;
    if (error !== undefined) return { ...found, error };
    return { ...found, metadata: presentMetadata(metadata), hasCover: Boolean(cover), coverIsMissing };
  }

  /** Ends the reader's process. */
  close(): Promise<void> {
    return this.#reader.close();
  }

  /**
   * The first sheet of an XLSX workbook.
   * @throws UnusableFileError if it can't be read
   */
  readSheet(bytes: Inspectable, signal?: AbortSignal): Promise<SheetTexts> {
    return this.#read(bytes, (reader, file) => reader.readSheet(file, { signal }), signal);
  }

  /**
   * The cover in a book; undefined for bytes that are no book.
   * @throws AppError 400 `image_invalid` if there is none, or it can't be read
   */
  async readCover(bytes: Inspectable, signal?: AbortSignal): Promise<Buffer | undefined> {
    const { types } = await recogniseContent(bytes);
    if (types.length === 0) return undefined;
    const fileType = types.map(asMetadataType).find((each) => each !== undefined);
    try {
      const cover =
        fileType &&
        (await this.#read(
          bytes,
          async (reader, file) => (await reader.read(file, fileType, { signal })).cover?.(),
          signal,
        ));
      if (cover) return cover;
    } catch (error) {
      if (!(error instanceof UnusableFileError)) throw error;
      throw badRequest("image_invalid", `The cover in the file can't be read. ${error.message}`);
    }
    throw badRequest("image_invalid", "The file contains no cover.");
  }

  /** Why the cover in a book, or an image, can't be a cover; null if it can. */
  async findCoverError(bytes: Inspectable, signal?: AbortSignal): Promise<string | null> {
    try {
      const inBook = await this.readCover(bytes, signal);
      if (inBook) await this.#deps.images.assertUsable(inBook, { signal });
      else await this.#deps.images.normalise(bytes);
      return null;
    } catch (error) {
      if (error instanceof AppError && error.status < 500 && !signal?.aborted) return error.message;
      throw error;
    }
  }

  #logDetail(detail: string): void {
    this.#deps.log.info({ detail }, "a file could not be read");
  }

  #read<T>(
    bytes: Inspectable,
    work: (reader: MetadataReader, file: LocalFile) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const path = join(this.#deps.dataDir, CACHE_FOLDER, EXAMINED_FILE);
    const readCopy = () =>
      withLocalCopy(path, bytes, async () =>
        work(this.#reader, await findFileBelow(dirname(path), EXAMINED_FILE)),
      );
    return this.#queue.run(findPresentUser(), readCopy, signal);
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
