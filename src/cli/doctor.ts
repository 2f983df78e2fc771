/** `doctor [--deep] [--cloud] [--json]`: checks DATA_DIR, also while a server is running. Exits with 1 on errors. */
import { styleText } from "node:util";
import { z } from "zod";
import { readConfig } from "../config.ts";
import { assertCurrent, repairDatabase } from "../db/open-database.ts";
import type { Repair } from "../db/schema-repair.ts";
import { mebibytes } from "../lib/sizes.ts";
import type { DoctorCheck, DoctorReport } from "../schemas/doctor.schemas.ts";
import { openDoctor, renewTexts, trustClock } from "../services/doctor/open-doctor.ts";
import type { Call } from "./command.ts";

const flag = z.boolean().default(false);
const doctorOptions = z.object({
  deep: flag,
  cloud: flag,
  json: flag,
  trustClock: flag,
  renewTexts: flag,
  repairIndexes: flag,
});
type DoctorOptions = z.output<typeof doctorOptions>;

export const doctor = ({ options }: Call): Promise<number> => examine(doctorOptions.parse(options));

/** `check-data [--json]`: runs all of the doctor's checks except those that need the network. */
export const checkData = ({ options }: Call): Promise<number> =>
  examine({ ...doctorOptions.parse(options), deep: true });

async function examine({
  json,
  trustClock: isTrusted,
  renewTexts: isRenewed,
  repairIndexes: isRepaired,
  ...query
}: DoctorOptions): Promise<number> {
  const config = readConfig();
  const { doctor: service, database, close } = await openDoctor(config);
  try {
    await assertCurrent(database);
    if (isTrusted) await trustClock(config);
    if (isRenewed) await renewTexts(config);
    if (isRepaired) reportRepairs(await repairDatabase(config));
    const report = await service.examine(query);
    process.stdout.write(json ? `${JSON.stringify(report, undefined, 2)}\n` : formatReport(report));
    return report.isHealthy ? 0 : 1;
  } finally {
    await close();
  }
}

/** To the error output: the report can be JSON. */
function reportRepairs(repairs: readonly Repair[]): void {
  for (const { part, reason } of repairs)
    process.stderr.write(
      reason === undefined ? `Made again: ${part}.\n` : `Not made again: ${part}: ${reason}.\n`,
    );
}

function formatReport({ isHealthy, checks, examined, findings }: DoctorReport): string {
  const { files, covers, bytes, cloudLinks, removedFiles, removedBytes } = examined;
  const { replacedFiles, replacedBytes } = examined;
  const lines = findings.map(
    ({ severity, object, message, advice }) =>
      `${styleText(COLOURS[severity], severity)}  ${object.kind} ${object.name} (${object.id})\n    ${message}\n    ${advice}\n`,
  );
  const counts = checks.map(
    ({ check, found }) => `${String(found).padStart(8)}  ${CHECKS[check]} (${check})\n`,
  );
  const looked = `Checked ${files} files, ${covers} covers, ${bytes} stored blobs, ${cloudLinks} cloud links.\nSet aside: ${removedFiles} files (${mebibytes(removedBytes)}). Replaced: ${replacedFiles} files (${mebibytes(replacedBytes)}).\n`;
  const verdict = isHealthy ? styleText("green", "Healthy.") : styleText("red", "There are errors.");
  return `${lines.join("")}${counts.join("")}${looked}${verdict}\n`;
}

const COLOURS = { error: "red", warning: "yellow" } as const;

/** The unit that each check counts. */
const CHECKS: Record<DoctorCheck, string> = {
  damaged_database: "damaged parts of the database",
  broken_reference: "rows that refer to a missing row",
  foreign_trigger: "triggers, views, rules and policies that this service did not create",
  foreign_table: "tables and indexes that this service did not create",
  missing_constraint: "constraints, unique indexes and tables that are missing",
  missing_index: "indexes that are missing",
  missing_bytes: "files and covers whose bytes are missing or have another size",
  unreadable_bytes: "files, covers and folders that can't be read",
  changed_bytes: "files and covers whose bytes have changed",
  orphaned_bytes: "stored blobs that no file and no cover uses",
  many_orphaned_bytes: "suspicions that the database or the file store is another one",
  language_without_files: "active languages without files",
  translation_without_file: "translations without a file in their language",
  published_without_file: "publications without a file",
  library_channel: "inactive channel that the library shows",
  stale_search_texts: "books whose searched texts aren't those of their titles and descriptions",
  search_index_missing: "index of searched texts that the database lacks",
  misplaced_file: "files that say another language, title or ISBN than their place",
  similar_books: "books with the title and authors of another one in a language",
  equal_files: "files with the bytes of a file of another book",
  cloud_link_broken: "cloud links that don't lead to a file",
  geoip_stale: "City database older than 30 days",
  clock_ahead: "clock that is far ahead",
  clock_differs: "clock that differs from the database's",
  overdue_readers: "readers of old events that EVENT_RETENTION_DAYS should have removed",
  unwritten_redemptions: "reasons why delivered downloads are not, or not yet, recorded as redeemed",
  trusted_readers: "ranges of TRUST_PROXY that contain readers",
  webhook_disabled: "webhooks that were disabled because of their receiver",
  webhook_secret: "webhooks whose secret can't be read",
  outbox_held: "reason why deliveries are held",
  outbox_dropped: "reason why events were dropped",
  mail_server: "reason why the mail server takes no letters",
  images_unavailable: "reasons why images can't be created",
};
