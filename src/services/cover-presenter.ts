/** What administrators see of a cover, and where they get it. */
import { coverPath } from "../lib/cover-paths.ts";
import { isoTime } from "../lib/time.ts";
import type { CoverRow } from "../repositories/covers.repository.ts";
import { COVER_UPLOAD_TYPES, type CoverUploadType } from "../schemas/cover-types.ts";
import { type CoverMetadata, DEFAULT_COVER } from "../schemas/covers.schemas.ts";
import { known } from "./presenters.ts";

export function presentCover(row: CoverRow): CoverMetadata {
  const languageCode = row.languageCode ?? DEFAULT_COVER;
  return {
    id: row.id,
    bookId: row.bookId,
    languageId: row.languageId,
    languageCode,
    contentType: coverTypeOf(row),
    width: row.width,
    height: row.height,
    fileSizeBytes: row.fileSizeBytes,
    sha256: row.sha256,
    url: coverPath(row.bookId, languageCode),
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
  };
}

export const coverTypeOf = (row: { contentType: string }): CoverUploadType =>
  known(COVER_UPLOAD_TYPES, row.contentType);
