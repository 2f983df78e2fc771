/** Copies the stored files of one file store to another, and reads them all again there. */
import type { FileStore } from "../../adapters/files/file-store.ts";
import type { Db } from "../../db/kysely.ts";
import { conflict, OperatorError } from "../../errors.ts";
import { DoctorRepository } from "../../repositories/doctor.repository.ts";
import { type BackedUpTable, KeptBytesRepository } from "../../repositories/kept-bytes.repository.ts";
import { ByteChecks } from "../../services/doctor/checks.ts";
import { Findings } from "../../services/doctor/findings.ts";
import { BytesCopy } from "../backup/bytes-copy.ts";
import type { Progress } from "../progress.ts";

interface FileMove {
  /** Whose rows name the files. */
  db: Db;
  tables: readonly BackedUpTable[];
  from: FileStore;
  to: FileStore;
  progress: Progress;
}

/**
 * Files that the target has already aren't copied again.
 * @returns what was read at the target
 * @throws OperatorError if the target has files of another service
 * @throws 409 `bytes_missing` or `bytes_changed` with the first problem
 */
export async function moveFiles({ db, tables, from, to, progress }: FileMove): Promise<Findings["examined"]> {
  const rows = new DoctorRepository(db, tables);
  const checks = new ByteChecks({ rows, store: to, files: new KeptBytesRepository(db, tables) });
  await rejectOthers(checks);
  const total = await rows.countKept();
  await to.sweepTemporary();
  const copy = new BytesCopy({ from, to });
  progress.begin("Copying files", total, () => copy.done);
  const [missing] = await copy.copy(rows);
  if (missing) {
    throw conflict(
      "bytes_missing",
      `The stored bytes of ${missing.name} (${missing.sha256}) are missing or have another size. Run bookdist check-data for advice.`,
    );
  }
  const findings = new Findings();
  const { examined } = findings;
  progress.begin("Reading the copied files", total, () => examined.files + examined.covers);
  await checks.checkRows(findings, true);
  progress.end();
  const [found] = findings.report().findings;
  if (found) throw conflict("bytes_changed", `At the target, ${found.object.name}: ${found.message}`);
  return examined;
}

async function rejectOthers(checks: ByteChecks): Promise<void> {
  const findings = new Findings();
  await checks.checkOrphans(findings);
  const [found] = findings.report().findings;
  if (!found) return;
  throw new OperatorError(
    `The target isn't empty: it contains ${found.object.name}, to which no row of the source refers. Use an empty one.`,
  );
}
