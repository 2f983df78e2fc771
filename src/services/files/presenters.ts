/** Maps files to API objects. */
import type { FileRow } from "../../repositories/files.repository.ts";
import { SOURCE_TYPES, type SourceType } from "../../schemas/file-types.ts";
import { type BookFile, bookFile } from "../../schemas/files.schemas.ts";
import { fileTypeOf, known, timesOf } from "../shared/stored-values.ts";

export const presentFile = (row: FileRow): BookFile =>
  bookFile.encode({ ...row, ...timesOf(row), fileType: fileTypeOf(row), sourceType: sourceTypeOf(row) });

export const sourceTypeOf = (row: { sourceType: string }): SourceType => known(SOURCE_TYPES, row.sourceType);
