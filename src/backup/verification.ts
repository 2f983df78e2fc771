/** Verifies a complete backup: everything in it is as it was written, and nothing is missing or unexpected. */
import type { DatabaseFile } from "../db/database-file.ts";
import { pendingAfter } from "../db/migrator.ts";
import { type DatabaseState, rejectForeignPrograms } from "../db/soundness.ts";
import { DATABASE_FILE } from "../lib/data-dir-names.ts";
import type { DoctorRepository } from "../repositories/doctor.repository.ts";
import type { KeptBytesRepository } from "../repositories/kept-bytes.repository.ts";
import type { BackupManifest } from "../schemas/system.schemas.ts";
import type { ByteChecks } from "../services/doctor/checks.ts";
import { Findings } from "../services/doctor/findings.ts";
import { type BackupFolder, damaged } from "./backup-folder.ts";

/** Enough to recognise the problem. */
const MAX_NAMED = 5;

/** Checks the database of a backup and its files. */
export interface Inside {
  file: DatabaseFile;
  rows: DoctorRepository;
  examine: (limit: number) => Promise<DatabaseState>;
  kept: KeptBytesRepository;
  bytes: ByteChecks;
}

interface VerificationDeps {
  open: (folder: BackupFolder) => Inside;
  progress: Progress;
}

export class Verification {
  readonly #deps: VerificationDeps;

  constructor(deps: VerificationDeps) {
    this.#deps = deps;
  }

  /**
   * @throws 409 `backup_damaged` with the first problem
   * @throws OperatorError for triggers and views that this service didn't create
   * @throws NewerDatabaseError if this version doesn't know the schema
   */
  async check(folder: BackupFolder): Promise<BackupManifest> {
    const manifest = await folder.manifest();
    await pendingAfter(manifest.migrations);
    const unexpected = await folder.unexpected(manifest);
    if (unexpected !== undefined) throw damaged(`${unexpected} doesn't belong to the backup`);
    this.#deps.progress.begin("Checking the copy of the database", 0, () => 0);
    for (const { name, sha256, sizeBytes } of [
      { name: DATABASE_FILE, ...manifest.database },
      ...manifest.favicons,
    ]) {
      const found = await folder.checksumOf(name);
      if (found.sha256 !== sha256 || found.sizeBytes !== sizeBytes) throw damaged(`${name} was changed`);
    }
    const inside = this.#deps.open(folder);
    try {
      await this.#checkDatabase(inside, manifest);
      await this.#checkBytes(inside);
    } finally {
      inside.file.close();
    }
    return manifest;
  }

  async #checkDatabase({ file, examine }: Inside, { migrations }: BackupManifest): Promise<void> {
    const { damage, brokenReferences, foreign } = await examine(MAX_NAMED);
    const [error] = damage;
    if (error !== undefined) throw damaged(`its database is damaged (${error})`);
    rejectForeignPrograms("The database of the backup", foreign.programs);
    const [broken] = brokenReferences;
    if (broken) throw damaged(`a row of ${broken.table} refers to a missing row of ${broken.parent}`);
    if (file.migrations().join() !== migrations.join())
      throw damaged("its schema doesn't match the manifest");
  }

  async #checkBytes({ kept, bytes }: Inside): Promise<void> {
    const findings = new Findings();
    const { examined } = findings;
    const rows = await kept.countRows();
    this.#deps.progress.begin("Reading the copied files", rows, () => examined.files + examined.covers);
    await bytes.checkRows(findings, true);
    await bytes.checkOrphans(findings);
    const [found] = findings.report().findings;
    if (found) throw damaged(`${found.object.name}: ${found.message.replace(/\.$/, "")}`);
  }
}

/** Reports the progress of a long operation. */
export interface Progress {
  /** @param done called periodically until the next `begin` or `end` */
  begin(doing: string, total: number, done: () => number): void;
  end(): void;
}

/** Reports nothing. */
export const silent: Progress = { begin() {}, end() {} };
