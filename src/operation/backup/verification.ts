/** Verifies a complete backup: everything in it is as it was written, and nothing is missing or unexpected. */

import { assertInstallation } from "../../db/assert-installation.ts";
import { findPending } from "../../db/migrations.ts";
import { DatabaseFile } from "../../db/sqlite/database-file.ts";
import { examineDatabase } from "../../db/sqlite/examine.ts";
import { DATABASE_FILE } from "../../lib/data-dir-names.ts";
import { DoctorRepository } from "../../repositories/doctor.repository.ts";
import { KeptBytesRepository, listBackedUpTables } from "../../repositories/kept-bytes.repository.ts";
import type { BackupManifest } from "../../schemas/system.schemas.ts";
import { ByteChecks } from "../../services/doctor/checks.ts";
import { Findings } from "../../services/doctor/findings.ts";
import type { Progress } from "../progress.ts";
import { type BackupFolder, damaged } from "./backup-folder.ts";

/** Enough to recognise the problem. */
const MAX_NAMED = 5;

/** Opens what a folder contains. The caller disposes of `file`. */
export function openInside({ database, store }: BackupFolder) {
  const file = new DatabaseFile(database);
  const tables = listBackedUpTables(file.readMigrations());
  const rows = new DoctorRepository(file.db, tables);
  return {
    file,
    rows,
    bytes: new ByteChecks({ rows, store, files: new KeptBytesRepository(file.db, tables) }),
  };
}

type Inside = ReturnType<typeof openInside>;

/**
 * @throws 409 `backup_damaged` with the first problem
 * @throws OperatorError for triggers and views that this service didn't create
 * @throws InstallationError if this version doesn't know the schema
 */
export async function verify(folder: BackupFolder, progress: Progress): Promise<BackupManifest> {
  const manifest = await folder.readManifest();
  await findPending(manifest.migrations);
  const unexpected = await folder.findUnexpected(manifest);
  if (unexpected !== undefined) throw damaged(`${unexpected} doesn't belong to the backup`);
  progress.begin("Checking the copy of the database", 0, () => 0);
  for (const { name, sha256, sizeBytes } of listChecksums(manifest)) {
    const found = await folder.computeChecksum(name);
    if (found.sha256 !== sha256 || found.sizeBytes !== sizeBytes) throw damaged(`${name} was changed`);
  }
  const inside = openInside(folder);
  using _file = inside.file;
  await checkDatabase(folder.database, inside, manifest);
  await checkBytes(inside, progress);
  return manifest;
}

/** The files of a manifest next to the stored bytes. */
export const listChecksums = ({ database, favicons, pages = [] }: BackupManifest) => [
  { name: DATABASE_FILE, ...database },
  ...favicons,
  ...pages,
];

async function checkDatabase(path: string, { file }: Inside, { migrations }: BackupManifest): Promise<void> {
  const { damage, brokenReferences, foreign } = await examineDatabase(path, MAX_NAMED);
  const [error] = damage;
  if (error !== undefined) throw damaged(`its database is damaged (${error})`);
  const { programs } = foreign;
  const what = "The database of the backup";
  assertInstallation({ foreign_programs: programs.length > 0 && { what, programs, client: "sqlite3" } });
  const [broken] = brokenReferences;
  if (broken) throw damaged(`a row of ${broken.table} refers to a missing row of ${broken.parent}`);
  if (file.readMigrations().join() !== migrations.join())
    throw damaged("its schema doesn't match the manifest");
}

async function checkBytes({ rows, bytes }: Inside, progress: Progress): Promise<void> {
  const findings = new Findings();
  const { examined } = findings;
  const total = await rows.countKept();
  progress.begin("Reading the copied files", total, () => examined.files + examined.covers);
  await bytes.checkRows(findings, true);
  await bytes.checkOrphans(findings);
  const [found] = findings.report().findings;
  if (found) throw damaged(`${found.object.name}: ${found.message.replace(/\.$/, "")}`);
}
