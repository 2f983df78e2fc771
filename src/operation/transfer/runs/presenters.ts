/** Maps rows of imports to API objects. */
import { isoTime, isoTimeOrNull } from "../../../lib/time.ts";
import type { ImportRow } from "../../../repositories/imports.repository.ts";
import {
  IMPORT_STATES,
  type ImportCreation,
  type ListedImport,
  storedRequest,
} from "../../../schemas/import-runs.schemas.ts";
import { jobError } from "../../../schemas/jobs.schemas.ts";
import { parseWord } from "../../../services/shared/stored-values.ts";

export function presentImport(row: ImportRow): ListedImport {
  const { error } = row;
  return {
    id: row.id,
    ownerId: row.ownerId,
    state: parseWord(IMPORT_STATES, row.state),
    archived: row.isArchived === 1,
    filesCount: row.filesCount,
    progress: { files: row.progressFiles, books: row.progressBooks },
    createdAt: isoTime(row.createdAt),
    startedAt: isoTimeOrNull(row.startedAt),
    finishedAt: isoTimeOrNull(row.finishedAt),
    error: error === null ? null : jobError.parse(JSON.parse(error)),
  };
}

/** As it was sent, and is stored. */
export const readRequest = (text: string): ImportCreation => storedRequest.parse(JSON.parse(text));
