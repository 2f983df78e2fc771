/** Maps rows of imports to API objects. */
import { DAY, isoTime, isoTimeOrNull } from "../../../lib/time.ts";
import type { ImportRow } from "../../../repositories/imports.repository.ts";
import {
  IMPORT_STATES,
  type ImportCreation,
  importUndo,
  type ListedImport,
  storedRequest,
} from "../../../schemas/import-runs.schemas.ts";
import { jobError } from "../../../schemas/jobs.schemas.ts";
import { IMPORTS_KEPT_MS } from "../../../services/retention.ts";
import { parseWord } from "../../../services/shared/stored-values.ts";

/** @param undoDays for how many days after its start it can be undone */
export function presentImport(row: ImportRow, undoDays: number): ListedImport {
  const { error, undo } = row;
  return {
    id: row.id,
    ownerId: row.ownerId,
    state: parseWord(IMPORT_STATES, row.state),
    jobId: row.jobId,
    archived: row.isArchived === 1,
    filesCount: row.filesCount,
    progress: { files: row.progressFiles, books: row.progressBooks },
    createdAt: isoTime(row.createdAt),
    startedAt: isoTimeOrNull(row.startedAt),
    finishedAt: isoTimeOrNull(row.finishedAt),
    error: error === null ? null : jobError.parse(JSON.parse(error)),
    undo: undo === null ? null : importUndo.parse(JSON.parse(undo)),
    undoDays,
    undoableUntil: isoTimeOrNull(findUndoEnd(row, undoDays)),
  };
}

/** Former contents are kept so long, and the import itself. */
export const findUndoEnd = (
  { createdAt, startedAt }: Pick<ImportRow, "createdAt" | "startedAt">,
  undoDays: number,
): number | null =>
  startedAt === null ? null : Math.min(createdAt + IMPORTS_KEPT_MS, startedAt + undoDays * DAY);

/** As it was sent, and is stored. */
export const readRequest = (text: string): ImportCreation => storedRequest.parse(JSON.parse(text));
