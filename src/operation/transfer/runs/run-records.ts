/** What of an import is written together with the start, the progress and the end of its job. */
import type { Clock } from "../../../adapters/system.ts";
import { type AppError, conflict } from "../../../errors.ts";
import type { ImportRow } from "../../../repositories/imports.repository.ts";
import type { Repositories } from "../../../repositories/index.ts";
import type { ImportUndo } from "../../../schemas/import-runs.schemas.ts";
import type { ImportProgress } from "./import-writes.ts";

type Imports = Pick<Repositories, "imports">;

interface End {
  status?: string;
  error?: string | null;
}

interface RunFacts {
  /** Of the request that starts it: the audit log has what it changes by this. */
  requestId: string | null;
  progress: ImportProgress;
  /** JSON; undefined if it has none. */
  readResult(): string | undefined;
  clock: Clock;
}

const pathOfImport = (id: string): string => `/api/admin/imports/${id}`;

export function createRunRecords(row: ImportRow, { requestId, progress, readResult, clock }: RunFacts) {
  const { id } = row;
  let jobId = "";
  const progressNow = () => ({ progressFiles: progress.files, progressBooks: progress.books });
  return {
    start: async ({ imports }: Imports, startedJob: string) => {
      jobId = startedJob;
      const before = await imports.find(id);
      if (before?.state === "running") throw importRunning(id);
      if (before?.state === "done") throw importDone();
      const requestIds = JSON.stringify([...listRequestIds(row), ...(requestId === null ? [] : [requestId])]);
      const times = { startedAt: clock.now(), finishedAt: null };
      const clean = { progressFiles: 0, progressBooks: 0, error: null };
      await imports.update(id, { state: "running", jobId, requestIds, ...times, ...clean });
    },
    progress: async ({ imports }: Imports) => imports.updateRunning(id, jobId, progressNow()),
    end: async ({ imports }: Imports, { status = "failed", error = null }: End) => {
      const result = readResult();
      await imports.updateRunning(id, jobId, {
        state: status,
        error,
        finishedAt: clock.now(),
        ...progressNow(),
        ...(result !== undefined && { result }),
      });
      if (status === "done") await imports.releaseBytes(id);
    },
    conflict: () => importRunning(id),
  };
}

/** @param undo what it has done, which changes while it runs */
export function createUndoRecords({ id }: ImportRow, undo: ImportUndo, clock: Clock) {
  let jobId = "";
  const undoNow = () => ({ undo: JSON.stringify(undo) });
  return {
    start: async ({ imports }: Imports, startedJob: string) => {
      jobId = startedJob;
      if ((await imports.find(id))?.state === "running") throw importRunning(id);
      await imports.update(id, { state: "running", jobId, error: null, ...undoNow() });
    },
    progress: async ({ imports }: Imports) => imports.updateRunning(id, jobId, undoNow()),
    end: async ({ imports }: Imports, { status = "failed", error = null }: End) => {
      const finishedAt = clock.now();
      await imports.updateRunning(id, jobId, { state: status, error, finishedAt, ...undoNow() });
      await imports.releaseBytes(id);
    },
    conflict: () => importRunning(id),
  };
}

export const importObject = ({ id, filesCount }: Pick<ImportRow, "id" | "filesCount">) =>
  ({ kind: "import", id, name: `${filesCount} files` }) as const;

export const listRequestIds = ({ requestIds }: ImportRow): string[] => {
  const parsed: unknown = JSON.parse(requestIds);
  return Array.isArray(parsed) ? parsed.filter((each) => typeof each === "string") : [];
};

export const importRunning = (id: string): AppError =>
  conflict("import_running", "An import of the user is running.", {
    headers: { Location: pathOfImport(id) },
  });

export const importDone = (): AppError =>
  conflict("import_done", "The import has reached its end, or was undone.");
