/** Reads files: their metadata in a process of its own, which is ended if a file takes too much memory or time. */

import { clientHasLeft } from "../../../adapters/fair-queue.ts";
import type { Content } from "../../../adapters/file-types/content.ts";
import { recogniseContent } from "../../../adapters/file-types/recognise.ts";
import { CoverImages } from "../../../adapters/images/cover-images.ts";
import type { Scheduler } from "../../../adapters/system.ts";
import {
  type Allowance,
  EndedError,
  WatchedProcess,
  type WorkLimits,
} from "../../../adapters/watched-process/watched-process.ts";
import { AppError } from "../../../errors.ts";
import { asMetadataType, type FileType, type MetadataType } from "../../../schemas/file-types.ts";
import { findBooksInside } from "../books-inside.ts";
import { type LocalFile, UnusableFileError } from "../local-files.ts";
import { type Metadata, NO_METADATA } from "./metadata.ts";
import { type Outcome, outcome, type Question, type SheetTexts } from "./metadata-messages.ts";

type OnDetail = (place: string, detail: string) => void;

const LIMITS: WorkLimits = { memoryBytes: 256 * 1024 * 1024, timeMs: 20_000 };

/** The process in which a reader works. */
export const METADATA_PROCESS = {
  script: new URL("./metadata-process.ts", import.meta.url),
  limits: LIMITS,
  heapMebibytes: 160,
};

interface MetadataReaderOptions {
  limits?: WorkLimits;
  /** Receives what libraries say of a file that they can't read. */
  onDetail?: OnDetail;
  /** Without them, the reader has its own. */
  images?: Pick<CoverImages, "makeStorable">;
  /** Without one, the reader has its own. */
  process?: WatchedProcess | undefined;
  schedule?: Scheduler;
}

interface ReadOptions {
  /** Ends the work on a file, whose error is that of a client that has left. */
  signal?: AbortSignal | undefined;
}

/** What all work on one file shares: its time, and the client for which it is read. */
interface FileOptions extends ReadOptions {
  allowance: Allowance;
}

/** The process starts with the first file that has metadata, and serves many. */
export class MetadataReader {
  readonly #limits: WorkLimits;
  readonly #onDetail: OnDetail;
  readonly #images: Pick<CoverImages, "makeStorable">;
  readonly #ownImages = new CoverImages();
  /** One file at a time, so that its memory and time are those of that file. */
  readonly #process: WatchedProcess;

  constructor({
    limits = LIMITS,
    onDetail = () => {},
    images,
    process,
    schedule,
  }: MetadataReaderOptions = {}) {
    this.#limits = limits;
    this.#onDetail = onDetail;
    this.#images = images ?? this.#ownImages;
    this.#process =
      process ?? new WatchedProcess({ ...METADATA_PROCESS, limits, ...(schedule && { schedule }) });
  }

  /** What the content is; read in this process, because it is a bounded part. */
  recognise(file: LocalFile): Promise<Content> {
    return recogniseContent(file);
  }

  /** Why a ZIP isn't a book; undefined if it is one. */
  findBooksInside(file: LocalFile): Promise<string | undefined> {
    return findBooksInside(file);
  }

  /**
   * What can't be read of a book leaves its fields empty, with `unreadable`.
   * @throws UnusableFileError if the file can't be opened, or was replaced
   */
  async read(file: LocalFile, fileType: FileType, { signal }: ReadOptions = {}): Promise<Metadata> {
    const type = asMetadataType(fileType);
    if (type === undefined) return NO_METADATA;
    const options = { signal, allowance: { leftMs: this.#limits.timeMs } };
    const read = await this.#ask({ part: "metadata", fileType: type, ...sentOf(file) }, options);
    if ("metadata" in read) {
      const { hasCover, ...metadata } = read.metadata;
      return { ...metadata, cover: hasCover ? () => this.#readCover(file, type, options) : undefined };
    }
    return { ...NO_METADATA, unreadable: `Its metadata can't be read. ${this.#explain(read, file)}` };
  }

  /**
   * The first sheet of an XLSX workbook.
   * @throws UnusableFileError if the file is damaged, or takes too much memory or time
   */
  async readSheet(file: LocalFile, { signal }: ReadOptions = {}): Promise<SheetTexts> {
    const options = { signal, allowance: { leftMs: this.#limits.timeMs } };
    const read = await this.#ask({ part: "sheet", ...sentOf(file) }, options);
    if ("sheet" in read) return read.sheet;
    throw new UnusableFileError(this.#explain(read, file));
  }

  /** Ends the process; pending reads fail. */
  async close(): Promise<void> {
    await Promise.all([this.#process.close(), this.#ownImages.close()]);
  }

  async #readCover(file: LocalFile, type: MetadataType, options: FileOptions): Promise<Buffer> {
    const read = await this.#ask({ part: "cover", fileType: type, ...sentOf(file) }, options);
    if (!("cover" in read)) throw new UnusableFileError(this.#explain(read, file));
    const { buffer, byteOffset, byteLength } = read.cover;
    try {
      return await this.#images.makeStorable(Buffer.from(buffer, byteOffset, byteLength), options);
    } catch (error) {
      // The picture is a part of the file, and its error one of the file.
      if (error instanceof AppError && error.status < 500) throw new UnusableFileError(error.message);
      throw error;
    }
  }

  /**
   * A sentence. What libraries say goes to the log: it can have paths of this machine.
   * @throws UnusableFileError if it is about the file and not its content
   */
  #explain(read: Outcome, { place }: LocalFile): string {
    if (!("error" in read)) return NOT_UNDERSTOOD;
    const { error, isOfFile, detail } = read;
    if (isOfFile) throw new UnusableFileError(error);
    if (detail !== undefined) this.#onDetail(place, detail);
    return error;
  }

  async #ask(given: Question, options: FileOptions): Promise<Outcome> {
    try {
      const read = outcome.safeParse(await this.#process.ask(given, options));
      return read.success ? read.data : { error: NOT_UNDERSTOOD };
    } catch (error) {
      if (!(error instanceof EndedError)) throw error;
      if (error.reason === "left") throw clientHasLeft();
      return { error: error.message, isOfFile: error.reason === "closed" };
    }
  }
}

const sentOf = ({ path, sizeBytes, identity }: LocalFile) => ({ path, sizeBytes, identity });

const NOT_UNDERSTOOD = "The process that reads it has sent something else.";
