/** Maps covers to API objects. */
import { isoTime } from "../../lib/time.ts";
import type { CoverRow } from "../../repositories/covers.repository.ts";
import type { ReplacedRow } from "../../repositories/replaced-bytes.repository.ts";
import { type CoverMetadata, DEFAULT_COVER } from "../../schemas/covers.schemas.ts";
import type { ReplacedContent } from "../../schemas/replaced-contents.schemas.ts";
import { groupReplaced } from "../files/replaced-contents.ts";
import { coverPath } from "../shared/cover-paths.ts";
import { coverTypeOf } from "./cover-choice.ts";

/** @param replaced what any of the covers had before */
export function presentCovers(rows: readonly CoverRow[], replaced: readonly ReplacedRow[]): CoverMetadata[] {
  const replacedOf = groupReplaced(replaced);
  return rows.map((row) => describeCover(row, replacedOf));
}

/** A cover's metadata for administrators, with the path of the image. @param replaced what it had before */
export const presentCover = (row: CoverRow, replaced: readonly ReplacedRow[]): CoverMetadata =>
  describeCover(row, groupReplaced(replaced));

function describeCover(row: CoverRow, replacedOf: (id: string) => ReplacedContent[]): CoverMetadata {
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
    replaced: replacedOf(row.id),
  };
}
