/** Files of books: uploads and cloud links, one active per book, language and type. */
import type { Clock } from "../adapters/clock.ts";
import type { ReceivedFile } from "../adapters/file-store.ts";
import type { NewId } from "../adapters/ids.ts";
import { conflict, invalidInput } from "../errors.ts";
import { type CloudSource, type CloudUrlCheck, checkCloudUrl } from "../lib/cloud-links.ts";
import { cleanFileName } from "../lib/file-names.ts";
import { givenFields } from "../lib/objects.ts";
import type { Author, Changed } from "../repositories/change.ts";
import type { FileRow } from "../repositories/files.repository.ts";
import type { CatalogueRepositories, ChangeCatalogue, Repositories } from "../repositories/index.ts";
import { extensionOf } from "../schemas/file-types.ts";
import type { BookFile, CloudFileCreation, FileUpdate, FileUploadFields } from "../schemas/files.schemas.ts";
import { bookById, fileOfBook, languageNamed, unknownLanguage } from "./catalogue-lookup.ts";
import { resolveFileUpdate, unfitCloudUrl } from "./file-update.ts";
import { fileTypeOf, presentFile } from "./presenters.ts";
import { provenFileType, refuseMisnamed } from "./proven-file-type.ts";
import type { StoredFiles } from "./stored-files.ts";

/** Bytes that have arrived, with the name that the sender gave them. */
export interface UploadedFile extends ReceivedFile {
  originalName: string;
}

export class FilesService {
  readonly #reads: CatalogueRepositories;
  readonly #change: ChangeCatalogue;
  readonly #stored: StoredFiles;
  readonly #cloudAllowHosts: readonly string[];
  readonly #newId: NewId;
  readonly #clock: Clock;

  constructor(uses: {
    reads: CatalogueRepositories;
    change: ChangeCatalogue;
    stored: StoredFiles;
    cloudAllowHosts: readonly string[];
    newId: NewId;
    clock: Clock;
  }) {
    this.#reads = uses.reads;
    this.#change = uses.change;
    this.#stored = uses.stored;
    this.#cloudAllowHosts = uses.cloudAllowHosts;
    this.#newId = uses.newId;
    this.#clock = uses.clock;
  }

  async list(bookId: string): Promise<{ files: BookFile[] }> {
    await bookById(this.#reads.books, bookId);
    return { files: (await this.#reads.files.listOfBook(bookId)).map(presentFile) };
  }

  async addUpload(
    by: Author,
    bookId: string,
    fields: FileUploadFields,
    upload: UploadedFile,
  ): Promise<BookFile> {
    const book = await bookById(this.#reads.books, bookId);
    const language = await languageNamed(this.#reads.languages, fields.languageCode);
    const fileType = await provenFileType(upload, fields.fileType);
    const fallback = `${book.slug}-${language.code}.${extensionOf(fileType)}`;
    const fileName = cleanFileName(upload.originalName, fallback);
    await refuseMisnamed(upload.path, fileName, fileType);
    const content = { fileType, sourceType: "local", fileName, ...storedContent(upload) };
    return this.#stored.keep(upload, () =>
      this.#change(by, async (repositories) => {
        // Either may have gone while the content was looked at.
        await bookById(repositories.books, bookId);
        const { id: languageId } = await languageNamed(repositories.languages, fields.languageCode);
        return this.#insert(repositories, bookId, languageId, content);
      }),
    );
  }

  addCloudLink(by: Author, bookId: string, { languageCode, ...given }: CloudFileCreation): Promise<BookFile> {
    return this.#change(by, async (repositories) => {
      await bookById(repositories.books, bookId);
      const language = await repositories.languages.findByCode(languageCode);
      const link = this.#checkCloudUrl(given.cloudUrl, given.sourceType);
      if (!language || !link.ok) {
        throw invalidInput([
          ...(language ? [] : [unknownLanguage("languageCode", languageCode)]),
          ...(link.ok ? [] : [unfitCloudUrl(link)]),
        ]);
      }
      const fileSizeBytes = given.fileSizeBytes ?? 0;
      const content = { ...given, fileSizeBytes, sha256: null, cloudUrl: link.url };
      return this.#insert(repositories, bookId, language.id, content);
    });
  }

  /** Gives a file new bytes; its id, name, count and links stay. */
  async replaceContent(by: Author, bookId: string, fileId: string, upload: UploadedFile): Promise<BookFile> {
    const { fileType } = await fileOfBook(this.#reads.files, bookId, fileId);
    await provenFileType(upload, fileTypeOf({ fileType }));
    const { before, after } = await this.#stored.keep(upload, () =>
      this.#change(by, async ({ files }) => {
        const before = await fileOfBook(files, bookId, fileId);
        if (before.fileType !== fileType) {
          throw conflict("file_type_changed", "The file was given another type meanwhile.");
        }
        await files.update(fileId, {
          sourceType: "local",
          ...storedContent(upload),
          updatedAt: this.#clock.now(),
        });
        return fileUpdated(before, await fileOfBook(files, bookId, fileId));
      }),
    );
    await this.#stored.release([before.sha256]);
    return presentFile(after);
  }

  async update(by: Author, bookId: string, fileId: string, update: FileUpdate): Promise<BookFile> {
    const { before, after } = await this.#change(by, async ({ files, languages, books }) => {
      await bookById(books, bookId);
      const before = await fileOfBook(files, bookId, fileId);
      const { languageCode = before.languageCode, ...given } = update;
      const language = await languages.findByCode(languageCode);
      const { fields, faults } = resolveFileUpdate(before, given, (url, source) =>
        this.#checkCloudUrl(url, source),
      );
      if (!language) faults.push(unknownLanguage("languageCode", languageCode));
      if (!language || faults.length > 0) throw invalidInput(faults);
      const place = { bookId, languageId: language.id, fileType: fields.fileType ?? before.fileType };
      const now = this.#clock.now();
      const isActive = fields.isActive ?? before.isActive;
      if (isActive === 1) await files.deactivateAt(place, now);
      await files.update(fileId, { ...givenFields(fields), ...place, isActive, updatedAt: now });
      return fileUpdated(before, await fileOfBook(files, bookId, fileId));
    });
    if (after.sha256 !== before.sha256) await this.#stored.release([before.sha256]);
    return presentFile(after);
  }

  /** Removes the row, then the bytes once nothing refers to them. */
  async delete(by: Author, bookId: string, fileId: string): Promise<void> {
    const { sha256 } = await this.#change(by, async ({ files }) => {
      const before = await fileOfBook(files, bookId, fileId);
      await files.delete(fileId);
      return { answer: before, change: { action: "delete", object: fileObject(before), before } };
    });
    await this.#stored.release([sha256]);
  }

  async #insert(
    { files }: Repositories,
    bookId: string,
    languageId: number,
    content: Pick<FileRow, "fileType" | "sourceType" | "fileName" | "fileSizeBytes" | "sha256" | "cloudUrl">,
  ): Promise<Changed<BookFile>> {
    const id = this.#newId();
    const now = this.#clock.now();
    await files.deactivateAt({ bookId, languageId, fileType: content.fileType }, now);
    const times = { createdAt: now, updatedAt: now };
    await files.insert({ id, bookId, languageId, ...content, downloadCount: 0, isActive: 1, ...times });
    const after = await fileOfBook(files, bookId, id);
    return { answer: presentFile(after), change: { action: "create", object: fileObject(after), after } };
  }

  #checkCloudUrl(url: string, source: CloudSource): CloudUrlCheck {
    return checkCloudUrl(url, source, { allowHosts: this.#cloudAllowHosts });
  }
}

const fileObject = ({ id, fileName }: FileRow) => ({ kind: "file", id, name: fileName }) as const;

const fileUpdated = (before: FileRow, after: FileRow): Changed<{ before: FileRow; after: FileRow }> => ({
  answer: { before, after },
  change: { action: "update", object: fileObject(after), before, after },
});

const storedContent = ({ sha256, sizeBytes }: UploadedFile) => ({
  fileSizeBytes: sizeBytes,
  sha256,
  cloudUrl: null,
});
