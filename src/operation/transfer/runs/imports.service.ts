/** Imports of folders that the service runs: collected, corrected, started, followed and cancelled. */
import type { FileStore } from "../../../adapters/files/file-store.ts";
import type { Logger } from "../../../adapters/logger.ts";
import type { Clock, NewId } from "../../../adapters/system.ts";
import type { DatabaseSource } from "../../../db/database.ts";
import { type AppError, conflict, insufficientStorage, notFound } from "../../../errors.ts";
import { splitIntoBatches } from "../../../lib/collections.ts";
import type { ImportRow } from "../../../repositories/imports.repository.ts";
import type {
  ChangeRecords,
  ReportRepositories,
  Repositories,
  WriteRecords,
} from "../../../repositories/index.ts";
import {
  type ImportCreation,
  type ImportList,
  type ImportRun,
  storedResult,
} from "../../../schemas/import-runs.schemas.ts";
import type { Services } from "../../../services/index.ts";
import { IMPORTS_KEPT_MS } from "../../../services/retention.ts";
import { type Actor, userIdOf } from "../../../services/shared/actor.ts";
import type { CsvDocument } from "../../../services/shared/results.ts";
import type { ImportPlans } from "../plans/import-plans.ts";
import { runImport } from "./import-run.ts";
import { ImportWriter } from "./import-writer.ts";
import type { ImportProgress } from "./import-writes.ts";
import { findNeededHashes } from "./needed-hashes.ts";
import { presentImport, readRequest } from "./presenters.ts";
import { formatResult } from "./result-csv.ts";

export interface ImportsServiceDeps {
  reads: Pick<Repositories, "imports" | "users" | "apiKeys">;
  /** On a worker thread. */
  report: Pick<ReportRepositories, "examinedFiles">;
  write: WriteRecords;
  change: ChangeRecords;
  plans: Pick<ImportPlans, "readCatalogue">;
  services: Pick<
    Services,
    "bulkUpsert" | "contentRecords" | "covers" | "examinations" | "files" | "jobs" | "languages"
  >;
  store: Pick<FileStore, "isShort">;
  assertPermitted(actor: Actor): Promise<void>;
  source: DatabaseSource;
  cloudAllowHosts: readonly string[];
  newId: NewId;
  clock: Clock;
  log: Logger;
}

const HASHES_AT_ONCE = 1000;

export const pathOfImport = (id: string): string => `/api/admin/imports/${id}`;

export class ImportsService {
  readonly #deps: ImportsServiceDeps;

  constructor(deps: ImportsServiceDeps) {
    this.#deps = deps;
  }

  async create(actor: Actor, given: ImportCreation): Promise<ImportRun> {
    const { change, newId, clock } = this.#deps;
    const id = newId();
    const now = clock.now();
    const needed = findNeededHashes(given);
    const missing = await this.#findMissing(needed);
    const lacking = new Set(missing);
    const row = {
      id,
      ownerId: userIdOf(actor),
      state: "collecting",
      isArchived: given.archived ? 1 : 0,
      filesCount: given.files.length,
      jobId: null,
      requestIds: "[]",
      progressFiles: 0,
      progressBooks: 0,
      createdAt: now,
      lastByteAt: now,
      startedAt: null,
      finishedAt: null,
      error: null,
      undo: null,
    } as const;
    const request = JSON.stringify(given);
    await change(actor.author, async ({ imports }) => {
      await imports.insert({ ...row, request, result: null });
      // What was examined before is kept for it, too.
      await imports.keepBytes(
        id,
        needed.filter((sha256) => !lacking.has(sha256)),
      );
      const after = { files: given.files.length, archived: row.isArchived };
      return { response: undefined, change: { action: "create", object: importObject(row), after } };
    });
    return { ...presentImport(row), missing, result: null };
  }

  async list(actor: Actor): Promise<ImportList> {
    const since = this.#deps.clock.now() - IMPORTS_KEPT_MS;
    const ownerId = isAdministrator(actor) ? undefined : userIdOf(actor);
    const rows = await this.#deps.reads.imports.list(ownerId, since);
    return { imports: rows.map((row) => presentImport(row)) };
  }

  async get(actor: Actor, id: string): Promise<ImportRun> {
    const row = await this.#findOwn(actor, id);
    return this.#withDetails(row);
  }

  async export(actor: Actor, id: string): Promise<CsvDocument> {
    await this.#findOwn(actor, id);
    return formatResult(id, await this.#readResult(id));
  }

  /**
   * The bytes of an examined file are kept for the import that needs them. Call it before the examination.
   * @throws AppError 409 `import_running`, `import_done`; 507 `disk_full` while the disk is short
   */
  async assertCollecting(actor: Actor, id: string): Promise<void> {
    await this.#assertOpen(actor, id);
    if (await this.#deps.store.isShort())
      throw insufficientStorage("disk_full", "The disk is too short of space for the files of an import.");
  }

  async #assertOpen(actor: Actor, id: string): Promise<void> {
    const { state } = await this.#findOwn(actor, id);
    if (state === "running") throw importRunning(id);
    if (state === "done") throw importDone();
  }

  async keepExamined(actor: Actor, id: string, sha256: string): Promise<void> {
    await this.#assertOpen(actor, id);
    const needed = findNeededHashes(await this.#readRequest(id));
    if (!needed.includes(sha256)) return;
    const lastByteAt = this.#deps.clock.now();
    await this.#deps.write(async ({ imports }) => {
      await imports.keepBytes(id, [sha256]);
      await imports.update(id, { lastByteAt });
    });
  }

  /** @throws AppError 409 `content_missing`, `import_running`, `import_done` */
  async start(actor: Actor, id: string): Promise<ImportRun> {
    const row = await this.#findOwn(actor, id);
    if (row.state === "done") throw importDone();
    if (row.state === "running") throw importRunning(id);
    const request = await this.#readRequest(id);
    const missing = await this.#findMissing(findNeededHashes(request));
    if (missing.length > 0)
      throw conflict("content_missing", `The bytes of ${missing.length} files are missing.`);
    const progress: ImportProgress = { files: 0, books: 0 };
    let result: string | undefined;
    await this.#deps.services.jobs.start(actor.author, {
      kind: "import",
      subject: row.ownerId,
      object: importObject(row),
      options: { files: row.filesCount },
      work: async ({ signal, report }) => {
        result = await this.#run(actor, request, {
          signal,
          report: (now) => {
            Object.assign(progress, now);
            report({ done: now.files, of: row.filesCount });
          },
        });
        signal.throwIfAborted();
        return {};
      },
      records: this.#createRecords(actor, row, { progress, readResult: () => result }),
    });
    return this.get(actor, id);
  }

  /** What of the import is written together with its job. */
  #createRecords(
    actor: Actor,
    row: ImportRow,
    run: { progress: ImportProgress; readResult(): string | undefined },
  ) {
    const { clock } = this.#deps;
    const { id } = row;
    let jobId = "";
    const progressNow = () => ({ progressFiles: run.progress.files, progressBooks: run.progress.books });
    return {
      start: async ({ imports }: Pick<Repositories, "imports">, startedJob: string) => {
        jobId = startedJob;
        const before = await imports.find(id);
        if (before?.state === "running") throw importRunning(id);
        if (before?.state === "done") throw importDone();
        const requestIds = JSON.stringify([
          ...listRequestIds(row),
          ...(actor.author.requestId === null ? [] : [actor.author.requestId]),
        ]);
        const times = { startedAt: clock.now(), finishedAt: null };
        const clean = { progressFiles: 0, progressBooks: 0, error: null };
        await imports.update(id, { state: "running", jobId, requestIds, ...times, ...clean });
      },
      progress: async ({ imports }: Pick<Repositories, "imports">) =>
        imports.updateRunning(id, jobId, progressNow()),
      end: async (
        { imports }: Pick<Repositories, "imports">,
        { status = "failed", error = null }: { status?: string; error?: string | null },
      ) => {
        const result = run.readResult();
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

  async #run(
    actor: Actor,
    { catalogue: given, ...request }: ImportCreation,
    { signal, report }: { signal: AbortSignal; report(progress: ImportProgress): void },
  ): Promise<string> {
    const { services, plans } = this.#deps;
    const catalogue = given && (await plans.readCatalogue(given, signal));
    const hashes = request.files.map(({ sha256 }) => sha256);
    await services.examinations.examineStored(hashes, signal);
    const writer = new ImportWriter({
      services,
      author: actor.author,
      assertPermitted: () => this.#deps.assertPermitted(actor),
    });
    const permissions: readonly string[] = actor.permissions;
    const createsLanguages = actor.kind === "session" && permissions.includes("edit_languages");
    return runImport(this.#deps, { request, catalogue, createsLanguages, writer, signal, report });
  }

  /** Cancels an import that is running, between two books, or one that wasn't started. */
  async cancel(actor: Actor, id: string): Promise<{ isEnding: boolean; body: ImportRun }> {
    const row = await this.#findOwn(actor, id);
    if (row.state === "running" && row.jobId !== null) {
      await this.#deps.services.jobs.cancel(actor.author, row.jobId, importObject(row));
      const body = await this.get(actor, id);
      return { isEnding: body.state === "running", body };
    }
    if (row.state === "collecting")
      await this.#deps.change(actor.author, async ({ imports }) => {
        await imports.update(id, { state: "cancelled", finishedAt: this.#deps.clock.now() });
        return { response: undefined, change: { action: "cancel", object: importObject(row) } };
      });
    return { isEnding: false, body: await this.get(actor, id) };
  }

  async #findOwn(actor: Actor, id: string): Promise<ImportRow> {
    const row = await this.#deps.reads.imports.find(id);
    const isOwn = row !== undefined && (row.ownerId === userIdOf(actor) || isAdministrator(actor));
    if (isOwn && row.createdAt >= this.#deps.clock.now() - IMPORTS_KEPT_MS) return row;
    throw notFound("import_not_found", "Import not found.");
  }

  async #withDetails(row: ImportRow): Promise<ImportRun> {
    const isOpen = row.state !== "running" && row.state !== "done";
    const missing = isOpen ? await this.#findMissing(findNeededHashes(await this.#readRequest(row.id))) : [];
    return { ...presentImport(row), missing, result: await this.#readResult(row.id) };
  }

  async #readRequest(id: string): Promise<ImportCreation> {
    return readRequest((await this.#deps.reads.imports.readRequest(id)) ?? "{}");
  }

  async #readResult(id: string) {
    const text = await this.#deps.reads.imports.readResult(id);
    return text === null ? null : storedResult.parse(JSON.parse(text));
  }

  /** In the order of the hashes. */
  async #findMissing(needed: readonly string[]): Promise<string[]> {
    const usable = new Set<string>();
    for (const batch of splitIntoBatches(needed, HASHES_AT_ONCE))
      for (const sha256 of await this.#deps.report.examinedFiles.listUsable(batch)) usable.add(sha256);
    return needed.filter((sha256) => !usable.has(sha256));
  }
}

const isAdministrator = (actor: Actor): boolean => actor.kind === "session" && actor.user.role === "admin";

const importObject = ({ id, filesCount }: Pick<ImportRow, "id" | "filesCount">) =>
  ({ kind: "import", id, name: `${filesCount} files` }) as const;

const listRequestIds = ({ requestIds }: ImportRow): string[] => {
  const parsed: unknown = JSON.parse(requestIds);
  return Array.isArray(parsed) ? parsed.filter((each) => typeof each === "string") : [];
};

const importRunning = (id: string): AppError =>
  conflict("import_running", "An import of the user is running.", {
    headers: { Location: pathOfImport(id) },
  });

const importDone = (): AppError => conflict("import_done", "The import has reached its end.");
