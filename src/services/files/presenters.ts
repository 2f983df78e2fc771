/** Maps files to API objects. */
import type { FileRow } from "../../repositories/files.repository.ts";
import type { ReplacedRow } from "../../repositories/replaced-bytes.repository.ts";
import { SOURCE_TYPES, type SourceType } from "../../schemas/file-types.ts";
import { type BookFile, bookFile } from "../../schemas/files.schemas.ts";
import type { ReplacedContent } from "../../schemas/replaced-contents.schemas.ts";
import { versionOf } from "../shared/record-versions.ts";
import { fileTypeOf, parseWord, timesOf } from "../shared/stored-values.ts";
import { groupReplaced } from "./replaced-contents.ts";

/** @param replaced what the file had before */
export const presentFile = (row: FileRow, replaced: readonly ReplacedRow[] = []): BookFile =>
  encodeFile(row, groupReplaced(replaced));

/** @param replaced what any of the files had before */
export function presentFiles(rows: readonly FileRow[], replaced: readonly ReplacedRow[]): BookFile[] {
  const replacedOf = groupReplaced(replaced);
  return rows.map((row) => encodeFile(row, replacedOf));
}

const encodeFile = (row: FileRow, replacedOf: (id: string) => ReplacedContent[]): BookFile =>
  bookFile.encode({
    ...row,
    replaced: replacedOf(row.id),
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
