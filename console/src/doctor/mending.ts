/** What mends each finding of the doctor: a command on the server, or a page of the console. */
import type { Schemas } from "../api/client.ts";
import { englishChecks, type KnownCheck } from "./check-messages.ts";

export type Finding = Schemas["Finding"];

interface Mending {
  command?: string;
  page?: "books" | "languages" | "settings";
}

const RESTORE = { command: "bookdist restore BACKUP" };

const MENDINGS: Record<KnownCheck, Mending> = {
  damaged_database: RESTORE,
  broken_reference: RESTORE,
  foreign_trigger: {},
  foreign_table: {},
  missing_bytes: RESTORE,
  unreadable_bytes: { command: "chown -R USER DATA_DIR" },
  changed_bytes: RESTORE,
  orphaned_bytes: {},
  many_orphaned_bytes: { command: "bookdist sweep" },
  language_without_files: { page: "languages" },
  translation_without_file: { page: "books" },
  published_without_file: { page: "books" },
  cloud_link_broken: { page: "books" },
  geoip_stale: { command: "bookdist geoip --update", page: "settings" },
  clock_ahead: { command: "bookdist doctor --trust-clock" },
  images_unavailable: { command: "npm ci" },
};

/** A later version of the service can have checks of which this one has no texts. */
export const isKnownCheck = (check: string): check is KnownCheck => Object.hasOwn(englishChecks, check);

export const findMending = (check: string): Mending => (isKnownCheck(check) ? MENDINGS[check] : {});

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
