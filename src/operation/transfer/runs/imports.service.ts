/** Imports of folders that the service runs: collected, corrected, started, followed, cancelled and undone. */
import type { FileStore } from "../../../adapters/files/file-store.ts";
import type { Logger } from "../../../adapters/logger.ts";
import type { Clock, NewId } from "../../../adapters/system.ts";
import type { DatabaseSource } from "../../../db/database.ts";
import { conflict, insufficientStorage, notFound } from "../../../errors.ts";
import { splitIntoBatches } from "../../../lib/collections.ts";
import { DAY } from "../../../lib/time.ts";
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
  type ListedImport,
  storedResult,
} from "../../../schemas/import-runs.schemas.ts";
import type { Services } from "../../../services/index.ts";
import { IMPORTS_KEPT_MS } from "../../../services/retention.ts";
import { type Actor, userIdOf } from "../../../services/shared/actor.ts";
import type { CsvDocument } from "../../../services/shared/results.ts";
import { Service } from "../../../services/shared/service.ts";
import type { ImportPlans } from "../plans/import-plans.ts";
import { type ImportUndoDeps, undoImport } from "../undo/undo-import.ts";
import { runImport } from "./import-run.ts";
import { ImportWriter } from "./import-writer.ts";
import type { ImportProgress } from "./import-writes.ts";
import { findNeededHashes } from "./needed-hashes.ts";
import { findUndoEnd, presentImport, readRequest } from "./presenters.ts";
import { formatResult } from "./result-csv.ts";
import {
  createRunRecords,
  createUndoRecords,
  importDone,
  importObject,
  importRunning,
  listRequestIds,
} from "./run-records.ts";

export interface ImportsServiceDeps extends Pick<ImportUndoDeps, "changeCatalogue"> {
  reads: Pick<Repositories, "imports" | "users" | "apiKeys"> & ImportUndoDeps["reads"];
  /** On a worker thread. */
  report: Pick<ReportRepositories, "examinedFiles" | "audit">;
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
  /** How long replaced contents are kept. */
  replacedFilesDays: number;
  newId: NewId;
  clock: Clock;
  log: Logger;
}

const HASHES_AT_ONCE = 1000;

export class ImportsService extends Service<ImportsServiceDeps> {
  async create(actor: Actor, given: ImportCreation): Promise<ImportRun> {
    const { change, newId, clock } = this.deps;
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
    return { ...this.#present(row), missing, result: null };
  }

  async list(actor: Actor): Promise<ImportList> {
    const since = this.deps.clock.now() - IMPORTS_KEPT_MS;
    const ownerId = isAdministrator(actor) ? undefined : userIdOf(actor);
    const rows = await this.deps.reads.imports.list(ownerId, since);
    return { imports: rows.map((row) => this.#present(row)) };
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
    if (await this.deps.store.isShort())
      throw insufficientStorage("disk_full", "The disk is too short of space for the files of an import.");
  }

  async #assertOpen(actor: Actor, id: string): Promise<void> {
    const { state, undo } = await this.#findOwn(actor, id);
    if (state === "running") throw importRunning(id);
    if (state === "done" || undo !== null) throw importDone();
  }

  async keepExamined(actor: Actor, id: string, sha256: string): Promise<void> {
    await this.#assertOpen(actor, id);
    const needed = findNeededHashes(await this.#readRequest(id));
    if (!needed.includes(sha256)) return;
    const lastByteAt = this.deps.clock.now();
    await this.deps.write(async ({ imports }) => {
      await imports.keepBytes(id, [sha256]);
      await imports.update(id, { lastByteAt });
    });
  }

  /** @throws AppError 409 `content_missing`, `import_running`, `import_done` */
  async start(actor: Actor, id: string): Promise<ImportRun> {
    const row = await this.#findOwn(actor, id);
    if (row.state === "done" || row.undo !== null) throw importDone();
    if (row.state === "running") throw importRunning(id);
    const request = await this.#readRequest(id);
    const missing = await this.#findMissing(findNeededHashes(request));
    if (missing.length > 0)
      throw conflict("content_missing", `The bytes of ${missing.length} files are missing.`);
    const progress: ImportProgress = { files: 0, books: 0 };
    let result: string | undefined;
    await this.deps.services.jobs.start(actor.author, {
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
      records: createRunRecords(row, {
        requestId: actor.author.requestId,
        progress,
        readResult: () => result,
        clock: this.deps.clock,
      }),
    });
    return this.get(actor, id);
  }

  /** @throws AppError 409 `import_not_ended`, `import_running`, `import_undo_expired` */
  async undo(actor: Actor, id: string): Promise<ImportRun> {
    const { clock, services, assertPermitted } = this.deps;
    const row = await this.#findOwn(actor, id);
    if (row.state === "collecting" || row.state === "running")
      throw conflict("import_not_ended", "The import hasn't ended.");
    if ((findUndoEnd(row, this.#undoDays) ?? Infinity) < clock.now())
      throw conflict("import_undo_expired", "The import was started too long ago to be undone.");
    const undo = this.#present(row).undo ?? { archived: 0, inactive: 0, restored: 0, kept: [] };
    const run = { author: actor.author, requestIds: listRequestIds(row), undo };
    await services.jobs.start(actor.author, {
      kind: "import",
      subject: row.ownerId,
      object: importObject(row),
      options: { undo: true },
      work: async ({ signal, report }) => {
        await undoImport(this.deps, {
          ...run,
          signal,
          assertPermitted: () => assertPermitted(actor),
          report,
        });
        return {};
      },
      records: createUndoRecords(row, undo, clock),
    });
    return this.get(actor, id);
  }

  async #run(
    actor: Actor,
    { catalogue: given, ...request }: ImportCreation,
    { signal, report }: { signal: AbortSignal; report(progress: ImportProgress): void },
  ): Promise<string> {
    const { services, plans } = this.deps;
    const catalogue = given && (await plans.readCatalogue(given, signal));
    const hashes = request.files.map(({ sha256 }) => sha256);
    await services.examinations.examineStored(hashes, signal);
    const writer = new ImportWriter({
      services,
      author: actor.author,
      assertPermitted: () => this.deps.assertPermitted(actor),
    });
    const permissions: readonly string[] = actor.permissions;
    const createsLanguages = actor.kind === "session" && permissions.includes("edit_languages");
    return runImport(this.deps, { request, catalogue, createsLanguages, writer, signal, report });
  }

  /** Cancels an import that is running, or its undo, between two books, or one that wasn't started. */
  async cancel(actor: Actor, id: string): Promise<{ isEnding: boolean; body: ImportRun }> {
    const row = await this.#findOwn(actor, id);
    if (row.state === "running" && row.jobId !== null) {
      await this.deps.services.jobs.cancel(actor.author, row.jobId, importObject(row));
      const body = await this.get(actor, id);
      return { isEnding: body.state === "running", body };
    }
    if (row.state === "collecting")
      await this.deps.change(actor.author, async ({ imports }) => {
        await imports.update(id, { state: "cancelled", finishedAt: this.deps.clock.now() });
        return { response: undefined, change: { action: "cancel", object: importObject(row) } };
      });
    return { isEnding: false, body: await this.get(actor, id) };
  }

  async #findOwn(actor: Actor, id: string): Promise<ImportRow> {
    const row = await this.deps.reads.imports.find(id);
    const isOwn = row !== undefined && (row.ownerId === userIdOf(actor) || isAdministrator(actor));
    if (isOwn && row.createdAt >= this.deps.clock.now() - IMPORTS_KEPT_MS) return row;
    throw notFound("import_not_found", "Import not found.");
  }

  async #withDetails(row: ImportRow): Promise<ImportRun> {
    const isOpen = row.state !== "running" && row.state !== "done" && row.undo === null;
    const missing = isOpen ? await this.#findMissing(findNeededHashes(await this.#readRequest(row.id))) : [];
    return { ...this.#present(row), missing, result: await this.#readResult(row.id) };
  }

  async #readRequest(id: string): Promise<ImportCreation> {
    return readRequest((await this.deps.reads.imports.readRequest(id)) ?? "{}");
  }

  async #readResult(id: string) {
    const text = await this.deps.reads.imports.readResult(id);
    return text === null ? null : storedResult.parse(JSON.parse(text));
  }

  get #undoDays(): number {
    return Math.min(IMPORTS_KEPT_MS / DAY, this.deps.replacedFilesDays);
  }

  #present(row: ImportRow): ListedImport {
    return presentImport(row, this.#undoDays);
  }

  /** In the order of the hashes. */
  async #findMissing(needed: readonly string[]): Promise<string[]> {
    const usable = new Set<string>();
    for (const batch of splitIntoBatches(needed, HASHES_AT_ONCE))
      for (const sha256 of await this.deps.report.examinedFiles.listUsable(batch)) usable.add(sha256);
    return needed.filter((sha256) => !usable.has(sha256));
  }
}

const isAdministrator = (actor: Actor): boolean => actor.kind === "session" && actor.user.role === "admin";
