/** Files of books: uploads and cloud links, one active file per book, language and type. */
import { recogniseContent } from "../../adapters/file-types/recognise.ts";
import type { ReceivedFile } from "../../adapters/files/file-store.ts";
import { bodyError, conflict, invalidInput } from "../../errors.ts";
import { type CloudLinkCheck, type CloudSource, checkCloudLink } from "../../lib/cloud-links.ts";
import { pickGivenFields } from "../../lib/collections.ts";
import { cleanFileName } from "../../lib/file-names.ts";
import { isoTime } from "../../lib/time.ts";
import type { Author, Changed } from "../../repositories/change.ts";
import type { FileRow } from "../../repositories/files.repository.ts";
import type { CatalogueRepositories, RecordRepositories, Repositories } from "../../repositories/index.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import type { BookLanguageRow } from "../../repositories/publication.repository.ts";
import { extensionOf } from "../../schemas/file-types.ts";
import type {
  BookFile,
  CloudFileCreation,
  FileParams,
  FileUpdate,
  FileUploadFields,
  KnownFiles,
  ReplacedFileParams,
  StoredFileCreation,
  StoredFileReplacement,
} from "../../schemas/files.schemas.ts";
import { findBook, findFile, findLanguageNamed, unknownLanguage } from "../shared/catalogue-lookup.ts";
import { assertVersion, type ExpectedVersions, isExpected } from "../shared/record-versions.ts";
import { type CatalogueDeps, Service } from "../shared/service.ts";
import { fileTypeOf } from "../shared/stored-values.ts";
import { expectType, proveFileType, rejectMisnamed } from "./file-content.ts";
import { rejectCloudLink, resolveFileUpdate, unfitCloudUrl } from "./file-update.ts";
import { presentFile, presentFiles, presentPlace } from "./presenters.ts";
import type { ReleasedBytes } from "./released-bytes.ts";
import { RELEASED_FOR_MS } from "./removals.ts";
import type { ReplacedContents } from "./replaced-contents.ts";
import type { KnownBytes, StoredFiles } from "./stored-files.ts";

/** A received file, and the file name that the client sent. */
export interface UploadedFile extends ReceivedFile {
  originalName: string;
}

/** The content for a file, and the file name that the client sent; empty without one. */
type FileContent = (ReceivedFile | KnownBytes) & { originalName: string };

interface FilesServiceDeps extends Pick<CatalogueDeps, "reads" | "change" | "newId" | "clock"> {
  /** On a worker thread, for look-ups of many files. */
  report: Pick<CatalogueRepositories, "files" | "replacedBytes"> & Pick<RecordRepositories, "examinedFiles">;
  stored: StoredFiles;
  replaced: ReplacedContents;
  released: Pick<ReleasedBytes, "removeNow">;
  cloudAllowHosts: readonly string[];
}

export class FilesService extends Service<FilesServiceDeps> {
  async list(bookId: string): Promise<{ files: BookFile[] }> {
    await findBook(this.deps.reads.books, bookId);
    const { files, replacedBytes } = this.deps.reads;
    return { files: presentFiles(await files.listOfBook(bookId), await replacedBytes.listOfFiles(bookId)) };
  }

  /** The places of bytes that the service has already, and which of them were examined. */
  async findPlaces(hashes: readonly string[]): Promise<KnownFiles> {
    const { report } = this.deps;
    const distinct = [...new Set(hashes)];
    const rows = await report.files.listByHashes(distinct);
    const examined = await report.examinedFiles.listExamined(distinct);
    const files = rows.flatMap((row) => {
      const { sha256 } = row;
      return sha256 === null ? [] : [{ sha256, ...presentPlace(row), fileType: fileTypeOf(row) }];
    });
    const replaced = (await report.replacedBytes.listPlaces(distinct)).map(({ keptUntil, ...place }) => ({
      ...place,
      until: isoTime(keptUntil),
    }));
    return { files, replaced, examined };
  }

  /** Uploading the content of the active file again leaves it unchanged. */
  async addUpload(
    by: Author,
    bookId: string,
    fields: FileUploadFields,
    upload: FileContent,
  ): Promise<{ file: BookFile; isNew: boolean }> {
    const book = await findBook(this.deps.reads.books, bookId);
    const language = await findLanguageNamed(this.deps.reads.languages, fields.languageCode);
    const recognised = await recogniseContent(upload);
    const fileType = proveFileType(recognised, upload.originalName, fields.fileType);
    const fallback = `${book.slug}-${language.code}.${extensionOf(fileType)}`;
    const fileName = cleanFileName(upload.originalName, fallback);
    rejectMisnamed(recognised, fileName, fileType);
    const content = { fileType, sourceType: "local", fileName, ...storedContent(upload) };
    const { file, isNew } = await this.deps.stored.keep(upload, (claim) =>
      this.deps.change(by, async (repositories): Promise<Changed<{ file: FileRow; isNew: boolean }>> => {
        await claim(repositories);
        // The book or the language may have been deleted while the content was checked.
        await findBook(repositories.books, bookId);
        const inLanguage = await findLanguageNamed(repositories.languages, fields.languageCode);
        const known = await repositories.files.findActiveAt({ bookId, languageId: inLanguage.id, fileType });
        if (known?.sha256 === upload.sha256) {
          return { response: { file: known, isNew: false }, change: undefined };
        }
        const inserted = await this.#insert(repositories, bookId, inLanguage, content, known !== undefined);
        return { ...inserted, response: { file: inserted.response, isNew: true } };
      }),
    );
    return { file: isNew ? presentFile(file) : await this.#present(file), isNew };
  }

  /** Adds a link, or bytes that the service has as if they were uploaded. @throws AppError 404 `content_unknown` */
  async addDescribed(
    by: Author,
    bookId: string,
    given: StoredFileCreation | CloudFileCreation,
  ): Promise<{ file: BookFile; isNew: boolean }> {
    if ("cloudUrl" in given) return { file: await this.addCloudLink(by, bookId, given), isNew: true };
    const { sha256, fileName: originalName, ...fields } = given;
    await findBook(this.deps.reads.books, bookId);
    const known = await this.deps.stored.findKnown(sha256);
    return this.addUpload(by, bookId, fields, { ...known, originalName });
  }

  async addCloudLink(
    by: Author,
    bookId: string,
    { languageCode, ...given }: CloudFileCreation,
  ): Promise<BookFile> {
    const row = await this.deps.change(by, async (repositories) => {
      await findBook(repositories.books, bookId);
      const language = await repositories.languages.findByCode(languageCode);
      const link = this.#checkCloudLink(given.cloudUrl, given.sourceType);
      if (!language || !link.ok) {
        throw rejectCloudLink([
          ...(language ? [] : [unknownLanguage("languageCode", languageCode)]),
          ...(link.ok ? [] : [unfitCloudUrl(link)]),
        ]);
      }
      const fileSizeBytes = given.fileSizeBytes ?? 0;
      const content = { ...given, fileSizeBytes, sha256: null, cloudUrl: link.url, sourceType: link.source };
      return this.#insert(repositories, bookId, language, content);
    });
    return presentFile(row);
  }

  /**
   * Replaces the content of a file, and its name if a new one is given. Its id, download count and links don't change. The
   * former content is kept for a while.
   */
  async replaceContent(
    by: Author,
    { bookId, fileId }: FileParams,
    upload: FileContent,
    expected?: ExpectedVersions,
  ): Promise<BookFile> {
    const { fileType } = await findFile(this.deps.reads.files, bookId, fileId);
    const recognised = await recogniseContent(upload);
    const storedType = fileTypeOf({ fileType });
    expectType(recognised, storedType);
    const fileName = cleanFileName(upload.originalName, "");
    rejectMisnamed(recognised, fileName, storedType);
    const { stored, replaced, change, clock } = this.deps;
    const { before, after } = await stored.keep(upload, (claim) =>
      change(by, async (repositories) => {
        await claim(repositories);
        const { files } = repositories;
        const before = await findFile(files, bookId, fileId);
        await assertFileVersion(repositories, before, expected);
        if (before.fileType !== fileType) {
          throw conflict("file_type_changed", "The type of the file was changed during the upload.");
        }
        const row = await files.update(fileId, {
          sourceType: "local",
          ...storedContent(upload),
          ...(fileName !== "" && { fileName }),
          updatedAt: clock.now(),
        });
        const { sha256 } = upload;
        await replaced.keepFormer(repositories, by, { place: { fileId }, former: before, sha256 });
        // The book is published in the same languages as before.
        const reach = { languageId: before.languageId };
        return { ...fileUpdated(before, { ...row, languageCode: before.languageCode }), reach };
      }),
    );
    return presentFile(after, await replaced.settle({ fileId }, before));
  }

  /** Removes what the file had before for good. @throws AppError 404 `replaced_not_found` */
  async removeReplaced(by: Author, { bookId, fileId, sha256 }: ReplacedFileParams): Promise<void> {
    const { replaced, released, change } = this.deps;
    await change(by, async (repositories) => {
      const file = await findFile(repositories.files, bookId, fileId);
      const { fileName } = await replaced.release(repositories, { fileId }, sha256);
      const before = { replaced: { sha256, fileName } };
      return {
        response: undefined,
        change: { action: "update", object: fileObject(file), before, after: { replaced: null } },
        reach: {},
      };
    });
    await released.removeNow([sha256]);
  }

  async #present(row: FileRow): Promise<BookFile> {
    return presentFile(row, await this.deps.reads.replacedBytes.listOf({ fileId: row.id }));
  }

  /** Like `replaceContent`, with bytes that the service has. @throws AppError 404 `content_unknown` */
  async replaceWithStored(
    by: Author,
    params: FileParams,
    { sha256, fileName: originalName = "", ...claimed }: StoredFileReplacement,
    expected?: ExpectedVersions,
  ): Promise<BookFile> {
    rejectOtherPlace(await findFile(this.deps.reads.files, params.bookId, params.fileId), claimed);
    const known = await this.deps.stored.findKnown(sha256);
    return this.replaceContent(by, params, { ...known, originalName }, expected);
  }

  async update(
    by: Author,
    { bookId, fileId }: FileParams,
    update: FileUpdate,
    expected?: ExpectedVersions,
  ): Promise<BookFile> {
    const { after } = await this.deps.change(by, async (repositories) => {
      const { files, languages, books } = repositories;
      await findBook(books, bookId);
      const before = await findFile(files, bookId, fileId);
      await assertFileVersion(repositories, before, expected);
      const { languageCode = before.languageCode, ...given } = update;
      const language = await languages.findByCode(languageCode);
      const { fields, errors } = resolveFileUpdate(before, given, (url, source) =>
        this.#checkCloudLink(url, source),
      );
      if (!language) errors.push(unknownLanguage("languageCode", languageCode));
      if (!language || errors.length > 0) throw rejectCloudLink(errors);
      const place = { bookId, languageId: language.id, fileType: fields.fileType ?? before.fileType };
      const now = this.deps.clock.now();
      const isActive = fields.isActive ?? before.isActive;
      if (isActive === 1) await files.deactivateAt(place, now);
      await files.update(fileId, { ...pickGivenFields(fields), ...place, isActive, updatedAt: now });
      return fileUpdated(before, await findFile(files, bookId, fileId));
    });
    return this.#present(after);
  }

  /** Deletes the row, and releases its bytes and those that it had before. */
  async delete(
    by: Author,
    { bookId, fileId }: FileParams,
    expected?: ExpectedVersions,
  ): Promise<{ stillPublished: boolean }> {
    return this.deps.change(by, async (repositories) => {
      const before = await findFile(repositories.files, bookId, fileId);
      await assertFileVersion(repositories, before, expected);
      const now = this.deps.clock.now();
      await repositories.releasedBytes.releaseOf({ fileId }, now + RELEASED_FOR_MS);
      await repositories.files.delete(fileId);
      const { languageId } = before;
      return {
        response: { stillPublished: await isPublishedIn(repositories, { bookId, languageId }, now) },
        change: { action: "delete", object: fileObject(before), before },
        reach: { bookId, languageId },
      };
    });
  }

  async #insert(
    { files }: Repositories,
    bookId: string,
    { id: languageId, code: languageCode }: LanguageRow,
    content: Pick<FileRow, "fileType" | "sourceType" | "fileName" | "fileSizeBytes" | "sha256" | "cloudUrl">,
    mayReplace = true,
  ): Promise<Changed<FileRow>> {
    const id = this.deps.newId();
    const now = this.deps.clock.now();
    if (mayReplace) await files.deactivateAt({ bookId, languageId, fileType: content.fileType }, now);
    const times = { createdAt: now, updatedAt: now };
    const row = { id, bookId, languageId, ...content, downloadCount: 0, isActive: 1, ...times } as const;
    await files.insert(row);
    const after = { ...row, languageCode };
    const change = { action: "create", object: fileObject(after), after } as const;
    return { response: after, change, reach: { bookId } };
  }

  #checkCloudLink(url: string, source: CloudSource): CloudLinkCheck {
    return checkCloudLink(url, source, { allowHosts: this.deps.cloudAllowHosts });
  }
}

/** @throws AppError 412 `changed_meanwhile` with the file as an update returns it */
async function assertFileVersion(
  { replacedBytes }: Repositories,
  row: FileRow,
  expected: ExpectedVersions,
): Promise<void> {
  if (isExpected(expected, presentFile(row))) return;
  assertVersion(expected, presentFile(row, await replacedBytes.listOf({ fileId: row.id })));
}

/** Whether the book is still published in the language. */
const isPublishedIn = async (
  { publication }: CatalogueRepositories,
  { bookId, languageId }: BookLanguageRow,
  now: number,
): Promise<boolean> =>
  (await publication.findPlaces([bookId], now)).some((place) => place.languageId === languageId);

const fileObject = ({ id, fileName }: FileRow) => ({ kind: "file", id, name: fileName }) as const;

const fileUpdated = (before: FileRow, after: FileRow): Changed<{ before: FileRow; after: FileRow }> => ({
  response: { before, after },
  change: { action: "update", object: fileObject(after), before, after },
  reach: { bookId: before.bookId, languageId: before.languageId },
});

/** @throws AppError 400 if new content is claimed to be for another language, or of another type */
function rejectOtherPlace(
  file: FileRow,
  claimed: Pick<StoredFileReplacement, "languageCode" | "fileType">,
): void {
  const errors = (["languageCode", "fileType"] as const).flatMap((field) =>
    claimed[field] === undefined || claimed[field] === file[field]
      ? []
      : bodyError(field, `must be that of the file, ${file[field]}`, "not_changeable"),
  );
  if (errors.length > 0) throw invalidInput(errors);
}

const storedContent = ({ sha256, sizeBytes }: FileContent) => ({
  fileSizeBytes: sizeBytes,
  sha256,
  cloudUrl: null,
});
