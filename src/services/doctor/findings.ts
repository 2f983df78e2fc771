/** The doctor's findings: all are counted, and the first of each kind are kept. */
import type { DoctorCheck, Finding } from "../../schemas/doctor.schemas.ts";

/** Enough to recognise the problem; a lost disk would otherwise produce an unbounded response. */
export const MAX_FINDINGS = 100;

const SEVERITY: Record<DoctorCheck, Finding["severity"]> = {
  damaged_database: "error",
  broken_reference: "error",
  foreign_trigger: "error",
  foreign_table: "warning",
  missing_constraint: "error",
  missing_index: "warning",
  missing_bytes: "error",
  unreadable_bytes: "error",
  changed_bytes: "error",
  orphaned_bytes: "warning",
  many_orphaned_bytes: "error",
  language_without_files: "warning",
  translation_without_file: "warning",
  published_without_file: "warning",
  library_channel: "warning",
  stale_search_texts: "error",
  search_index_missing: "warning",
  misplaced_file: "warning",
  similar_books: "warning",
  equal_files: "warning",
  cloud_link_broken: "error",
  geoip_stale: "warning",
  clock_ahead: "warning",
  clock_differs: "warning",
  overdue_readers: "warning",
  unwritten_redemptions: "warning",
  trusted_readers: "warning",
  webhook_disabled: "warning",
  webhook_secret: "error",
  outbox_held: "warning",
  outbox_dropped: "error",
  mail_server: "error",
  images_unavailable: "error",
};

const RESTORE = "Check the disk, then restore a backup (bookdist restore).";

const ADVICE: Record<DoctorCheck, string> = {
  damaged_database: RESTORE,
  broken_reference: RESTORE,
  foreign_trigger:
    "Triggers, views, rules and row policies execute statements of their own. Remove them with sqlite3 or psql (such as drop trigger, drop view), or restore an earlier backup.",
  foreign_table:
    "No action is needed if a tool of yours created it, such as Litestream or ANALYZE; otherwise remove it.",
  missing_constraint:
    "Requests that need it fail, or wrong rows can be stored. Make it again: bookdist doctor --repair-indexes. If rows prevent that, the command names them; for a table, restore a backup.",
  missing_index: "Statements that need it are slow. Make it again: bookdist doctor --repair-indexes",
  missing_bytes: "Upload the file again, or restore a backup.",
  unreadable_bytes:
    "Give the files in DATA_DIR to the service's user (chown -R). If the disk reports errors, check the disk.",
  changed_bytes: "Check the disk, which may be failing; then upload the file again or restore a backup.",
  orphaned_bytes:
    "None: a start of the service sets unused blobs aside, and deletes them after REMOVED_FILES_DAYS.",
  many_orphaned_bytes:
    "Check that DATABASE_URL, STORAGE_URL and DATA_DIR belong together. bookdist sweep lists the blobs; if nothing needs them, bookdist sweep --confirm sets them aside.",
  language_without_files: "Upload files in this language, or deactivate it.",
  translation_without_file: "Upload the book in this language, or remove the translation.",
  published_without_file: "Upload the book in this language, or unpublish it on the channel.",
  library_channel:
    "Activate the channel, or choose another one, or all books, on the page Library of the console.",
  stale_search_texts: "Make them anew: bookdist doctor --renew-texts",
  search_index_missing:
    "Run the statement as the owner of the database; pg_trgm needs a server that has it. A database with the lc_ctype C can't get another one: create one with LC_CTYPE 'C.UTF-8' and move the data there.",
  misplaced_file:
    "Look at the file. If it is of another book or language, move or replace it; if it only says so of itself, nothing has to be done.",
  similar_books: "If they are one book, archive one of them; if not, tell them apart by title or authors.",
  equal_files: "If the file belongs to one of the books only, remove it from the other one.",
  cloud_link_broken:
    "Open the link in a private browser window. Share the file publicly, or replace the link.",
  geoip_stale: "Update the database: POST /api/admin/settings/update-geoip.",
  clock_ahead: "Correct the clock of this machine. If it is right, run: bookdist doctor --trust-clock",
  clock_differs:
    "Correct the clock of the machine that is wrong, for example by NTP: links expire too early or too late, and dates are wrong.",
  overdue_readers:
    "Let the service run for more than an hour without a restart: it removes them an hour after a start, and then daily. Look for errors in its log.",
  unwritten_redemptions:
    "The service records those that wait as soon as the database takes changes: look for errors in its log. Those that were dropped are missing in the reports.",
  trusted_readers:
    "Set TRUST_PROXY to the number of proxies in front of the service, or to their own addresses: clients in a trusted range can claim any address, and evade limits.",
  webhook_disabled:
    "Ask the operator of the receiving system. Then make the webhook active again: PATCH /api/admin/webhooks/{webhookId}.",
  webhook_secret:
    "Renew its secret (POST /api/admin/webhooks/{webhookId}/rotate-secret), and give it to the receiving system.",
  outbox_held:
    "If another copy of this database has delivered it: bookdist outbox --drop. Otherwise: bookdist outbox --release",
  outbox_dropped:
    "Look at the deliveries of the webhooks, and deactivate a webhook whose receiver is away for good. What was dropped isn't sent.",
  mail_server:
    "Correct SMTP_URL and restart the server, or look at the mail server. bookdist mail-test ADDRESS tries it. Letters wait for three days.",
  images_unavailable:
    "Reinstall the service on this machine with npm ci: covers require sharp and the fonts.",
};

export class Findings {
  readonly #counts = new Map<DoctorCheck, number>();
  readonly #findings: Finding[] = [];
  /** The contents of files that are missing or changed, by their SHA-256. */
  readonly wrongContents = new Set<string>();
  readonly examined = {
    files: 0,
    covers: 0,
    bytes: 0,
    cloudLinks: 0,
    removedFiles: 0,
    removedBytes: 0,
    replacedFiles: 0,
    replacedBytes: 0,
  };

  /** Records that a check runs, even if it finds nothing. */
  begin(check: DoctorCheck): void {
    this.#counts.set(check, 0);
  }

  add(check: DoctorCheck, object: Finding["object"], message: string): void {
    const found = (this.#counts.get(check) ?? 0) + 1;
    this.#counts.set(check, found);
    if (found > MAX_FINDINGS) return;
    this.#findings.push({ check, severity: SEVERITY[check], object, message, advice: ADVICE[check] });
  }

  /** For a check that knows the total without reading all rows. */
  addAll<R extends { total: number }>(
    check: DoctorCheck,
    rows: readonly R[],
    describe: (row: R) => Pick<Finding, "object" | "message">,
  ): void {
    this.begin(check);
    for (const row of rows) {
      const { object, message } = describe(row);
      this.add(check, object, message);
    }
    this.#counts.set(check, rows[0]?.total ?? 0);
  }

  report() {
    const checks = [...this.#counts].map(([check, found]) => ({ check, found }));
    const isHealthy = checks.every(({ check, found }) => found === 0 || SEVERITY[check] === "warning");
    return { isHealthy, checks, examined: this.examined, findings: this.#findings };
  }
}
