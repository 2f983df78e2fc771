/** Writes what an import decides, through the services of the application, with the rights of who has started it. */
import { AppError } from "../../../errors.ts";
import type { Author } from "../../../repositories/change.ts";
import type { Services } from "../../../services/index.ts";
import { Service } from "../../../services/shared/service.ts";
import type { ImportWrite, StoredContent, WriteOutcome } from "./import-writes.ts";

type WritingServices = Pick<Services, "bulkUpsert" | "contentRecords" | "covers" | "files" | "languages">;

interface ImportWriterDeps {
  services: WritingServices;
  author: Author;
  /** Throws if who has started the import has lost a right since. */
  assertPermitted(): Promise<void>;
}

export class ImportWriter extends Service<ImportWriterDeps> {
  async write(write: ImportWrite): Promise<unknown> {
    await this.deps.assertPermitted();
    const { author, services } = this.deps;
    switch (write.kind) {
      case "language": {
        const { parentCode, ...given } = write.language;
        const { languages } = await services.languages.list();
        const parent = languages.find(({ code }) => code === parentCode);
        return void (await services.languages.create(author, { ...given, parentId: parent?.id }));
      }
      case "upsert":
        return (await services.bulkUpsert.upsert(author, [write.item], { isDryRun: false })).results[0];
      case "addFile":
        return this.#addFile(write.bookId, write.content);
      case "replaceFile":
        return this.#replaceFile(write.bookId, write.fileId, write.content);
      case "putCover":
        return void (await services.covers.putStored(author, write.bookId, write.code, write.sha256));
      default:
        throw new Error("An import asked for something unknown.");
    }
  }

  async #addFile(bookId: string, { sha256, fileName, languageCode, fileType, said }: StoredContent) {
    const { author, services } = this.deps;
    await services.contentRecords.record(sha256, said);
    await services.files.addDescribed(author, bookId, { sha256, fileName, languageCode, fileType });
  }

  async #replaceFile(bookId: string, fileId: string, { sha256, fileName, said }: StoredContent) {
    const { author, services } = this.deps;
    await services.contentRecords.record(sha256, said);
    await services.files.replaceWithStored(author, { bookId, fileId }, { sha256, fileName });
  }
}

/** For the thread: an error of one file, or one that ends the import. */
export const describeError = (error: unknown): NonNullable<WriteOutcome["error"]> =>
  error instanceof AppError && error.code !== "permission_missing"
    ? { status: error.status, message: error.message, code: error.code }
    : { status: 500, message: "The write has failed." };
