/** Maps files to API objects. */
import type { FileRow } from "../../repositories/files.repository.ts";
import { SOURCE_TYPES, type SourceType } from "../../schemas/file-types.ts";
import { type BookFile, bookFile } from "../../schemas/files.schemas.ts";
import { versionOf } from "../shared/record-versions.ts";
import { fileTypeOf, parseWord, timesOf } from "../shared/stored-values.ts";

export const presentFile = (row: FileRow): BookFile =>
  bookFile.encode({
    ...row,
    ...timesOf(row),
    fileType: fileTypeOf(row),
    sourceType: sourceTypeOf(row),
    version: fileVersion(row),
  });

/** Where bytes are that the service has already. */
export const presentPlace = ({ bookId, id: fileId, languageCode }: FileRow) => ({
  bookId,
  fileId,
  languageCode,
});

const fileVersion = (row: FileRow): string =>
  versionOf(
    row.languageCode,
    row.fileType,
    row.sourceType,
    row.fileName,
    row.fileSizeBytes,
    row.sha256,
    row.cloudUrl,
    row.isActive,
  );

export const sourceTypeOf = (row: { sourceType: string }): SourceType =>
  parseWord(SOURCE_TYPES, row.sourceType);
