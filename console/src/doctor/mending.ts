/** What mends each finding of the doctor: a command on the server, or a page of the console. */
import type { Schemas } from "../api/client.ts";

export type Finding = Schemas["Finding"];

interface Mending {
  /** On the server. Names in capitals stand for what differs. */
  commands: readonly [string, ...string[]];
  page?: "books" | "languages" | "library" | "settings";
}

const RESTORE: Mending = { commands: ["bookdist restore BACKUP"] };
const IMPORT = "bookdist import FOLDER";

/** @param kind what is removed */
const removeFromDatabase = (kind: "TABLE" | "TRIGGER", place = ""): Mending => ({
  commands: [
    `sqlite3 DATA_DIR/database.sqlite "DROP ${kind} NAME"`,
    `psql DATABASE_URL -c "DROP ${kind} NAME${place}"`,
  ],
});

const MENDINGS = {
  damaged_database: RESTORE,
  broken_reference: RESTORE,
  foreign_trigger: removeFromDatabase("TRIGGER", " ON TABLE_NAME"),
  foreign_table: removeFromDatabase("TABLE"),
  missing_constraint: { commands: ["bookdist doctor --repair-indexes"] },
  missing_index: { commands: ["bookdist doctor --repair-indexes"] },
  missing_bytes: RESTORE,
  unreadable_bytes: { commands: ["chown -R USER DATA_DIR"] },
  changed_bytes: RESTORE,
  orphaned_bytes: { commands: ["bookdist sweep --confirm"] },
  many_orphaned_bytes: { commands: ["bookdist sweep", "bookdist sweep --confirm"] },
  language_without_files: { commands: [IMPORT], page: "languages" },
  translation_without_file: { commands: [IMPORT], page: "books" },
  published_without_file: { commands: [IMPORT], page: "books" },
  library_channel: { commands: ["bookdist doctor"], page: "library" },
  stale_search_texts: { commands: ["bookdist doctor --renew-texts"] },
  search_index_missing: {
    commands: ['psql DATABASE_URL -c "CREATE EXTENSION pg_trgm"', "bookdist doctor --repair-indexes"],
  },
  misplaced_file: { commands: ["bookdist doctor"], page: "books" },
  similar_books: { commands: ["bookdist doctor"], page: "books" },
  equal_files: { commands: ["bookdist doctor"], page: "books" },
  cloud_link_broken: { commands: ["bookdist doctor --cloud"], page: "books" },
  geoip_stale: { commands: ["bookdist geoip --update"], page: "settings" },
  clock_ahead: { commands: ["bookdist doctor --trust-clock"] },
  clock_differs: { commands: ["bookdist doctor"] },
  overdue_readers: { commands: ["bookdist doctor"] },
  unwritten_redemptions: { commands: ["bookdist doctor"] },
  trusted_readers: { commands: ["bookdist doctor"] },
  webhook_disabled: { commands: ["bookdist outbox"] },
  webhook_secret: { commands: ["bookdist doctor"] },
  outbox_held: { commands: ["bookdist outbox", "bookdist outbox --release", "bookdist outbox --drop"] },
  outbox_dropped: { commands: ["bookdist outbox"] },
  mail_server: { commands: ["bookdist mail-test ADDRESS"] },
  images_unavailable: { commands: ["npm ci"] },
} as const satisfies Record<string, Mending>;

type KnownCheck = keyof typeof MENDINGS;

/** A later version of the service can have checks of which this one has no texts. */
export const isKnownCheck = (check: string): check is KnownCheck => Object.hasOwn(MENDINGS, check);

export const findMending = (check: string): Mending | undefined =>
  isKnownCheck(check) ? MENDINGS[check] : undefined;

export interface FindingGroup {
  check: string;
  severity: string;
  /** Including those that aren't listed. */
  found: number;
  findings: Finding[];
}

/** The findings by check: errors before warnings, otherwise in the order of the checks. */
export function groupFindings({ checks, findings }: Schemas["DoctorReport"]): FindingGroup[] {
  const groups = checks
    .filter(({ found }) => found > 0)
    .map(({ check, found }) => {
      const listed = findings.filter((finding) => finding.check === check);
      return { check, found, findings: listed, severity: listed[0]?.severity ?? "warning" };
    });
  const isError = ({ severity }: FindingGroup) => severity === "error";
  return [...groups.filter(isError), ...groups.filter((group) => !isError(group))];
}
