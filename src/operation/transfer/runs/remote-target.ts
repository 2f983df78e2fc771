/** The service as the thread of an import sees it: it reads the catalogue itself, and asks for each write. */
import { RequestRejectedError } from "../../../adapters/admin-client.ts";
import type { CatalogueRepositories } from "../../../repositories/index.ts";
import type { BulkItem } from "../../../schemas/bulk.schemas.ts";
import type { BookFile, DeclaredLanguage } from "../library.ts";
import { ReadingTarget } from "../plans/reading-target.ts";
import { type CoverContent, type Target, type UpsertResult, upsertResult } from "../target.ts";
import type { ImportProgress, ImportWrite, MessageOfThread, StoredContent } from "./import-writes.ts";
import { writeOutcome } from "./import-writes.ts";

/** Ends the thread's work; the service knows the reason. */
class WriteFailedError extends Error {}

interface RemoteTargetOptions {
  reads: CatalogueRepositories;
  cloudAllowHosts: readonly string[];
  createsLanguages: boolean;
  port: MessagePort;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export class RemoteTarget implements Target {
  readonly createsLanguages: boolean;
  readonly #reading: ReadingTarget;
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;

  constructor({ reads, cloudAllowHosts, createsLanguages, port }: RemoteTargetOptions) {
    this.createsLanguages = createsLanguages;
    this.#reading = new ReadingTarget(reads, cloudAllowHosts);
    this.#port = port;
    port.onmessage = ({ data }) => this.#settle(data);
  }

  findExisting(): Promise<string[]> {
    return this.#reading.findExisting();
  }

  findPlaces(hashes: readonly string[]) {
    return this.#reading.findPlaces(hashes);
  }

  readDetails(bookId: string) {
    return this.#reading.readDetails(bookId);
  }

  listCovers(bookId: string): Promise<string[]> {
    return this.#reading.listCovers(bookId);
  }

  async createLanguage(language: DeclaredLanguage): Promise<void> {
    await this.#write({ kind: "language", language });
  }

  async upsert(item: BulkItem): Promise<UpsertResult> {
    return upsertResult.parse(await this.#write({ kind: "upsert", item }));
  }

  findIds(slugs: readonly string[]) {
    return this.#reading.findIds(slugs);
  }

  async addFile(bookId: string, file: BookFile): Promise<void> {
    await this.#write({ kind: "addFile", bookId, content: describeContent(file) });
  }

  async replaceFile(bookId: string, fileId: string, file: BookFile): Promise<void> {
    await this.#write({ kind: "replaceFile", bookId, fileId, content: describeContent(file) });
  }

  async putCover(bookId: string, code: string, { sha256 = "" }: CoverContent): Promise<void> {
    await this.#write({ kind: "putCover", bookId, code, sha256 });
  }

  report(progress: ImportProgress): void {
    this.#send({ kind: "progress", progress });
  }

  #write(write: ImportWrite): Promise<unknown> {
    this.#count += 1;
    const number = this.#count;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#send({ kind: "write", number, write });
    });
  }

  #send(message: MessageOfThread): void {
    this.#port.postMessage(message);
  }

  #settle(message: unknown): void {
    const { number, result, error } = writeOutcome.parse(message);
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    if (!error) waiting?.resolve(result);
    else if (error.status < 500) waiting?.reject(new RequestRejectedError(error.message, error.code));
    else waiting?.reject(new WriteFailedError(error.message));
  }
}

const describeContent = ({ file, languageCode, fileType, metadata }: BookFile): StoredContent => {
  const { title, isbn, unreadable, coverIsMissing } = metadata;
  return {
    sha256: file.sha256 ?? "",
    fileName: file.name,
    languageCode,
    fileType,
    said: { title, languageCode: metadata.languageCode, isbn, unreadable, coverIsMissing },
  };
};
