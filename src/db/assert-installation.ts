/** Every reason for which an installation isn't used as it is; docs/operation.md has a row for each. */
import { OperatorError } from "../errors.ts";
import { describePrograms, type ForeignPrograms } from "./soundness.ts";

/** What a refusal names, by its code. */
interface Refusals {
  data_dir_in_use: { dataDir: string /** A sentence; empty if it isn't known. */; holder: string };
  restore_unfinished: { dataDir: string };
  server_not_named: { dataDir: string; server: string };
  move_forgotten: { database: string; file: string };
  foreign_programs: ForeignPrograms;
  database_newer: { unknown: readonly string[] };
  instances_running: { migrations: readonly string[] };
  move_unfinished: true;
  /** A sentence on each. */
  files_differ: { database: string; files: string };
  clock_wrong: { offset: string };
  secret_differs: true;
  files_not_shared: true;
}

type RefusalCode = keyof Refusals;

/** What is wrong, and the way on. */
type Explanation = readonly [sentence: string, wayOn: string];

const EXPLANATIONS: { readonly [C in RefusalCode]: (found: Refusals[C]) => Explanation } = {
  data_dir_in_use: ({ dataDir, holder }) => [
    `Another server is already running on ${dataDir} (DATA_DIR).${holder === "" ? "" : ` ${holder}`}`,
    "Stop it first or use another folder.",
  ],
  restore_unfinished: ({ dataDir }) => [
    `A restore into ${dataDir} (DATA_DIR) is running or was interrupted.`,
    "If it was interrupted, empty the folder and restore again.",
  ],
  server_not_named: ({ dataDir, server }) => [
    `DATABASE_URL: it isn't set, but the instance of ${dataDir} (DATA_DIR) last ran on ${server}.`,
    "Set it. To return to SQLite with the data of the server, run bookdist move --from-database; to continue with an older database.sqlite or without any data, run bookdist adopt-files.",
  ],
  move_forgotten: ({ database, file }) => [
    `DATABASE_URL: ${database} has no books, but ${file} has: was bookdist move forgotten?`,
    "Run it, or, if the database shall be empty, move that file away.",
  ],
  foreign_programs: describePrograms,
  database_newer: ({ unknown }) => [
    `A newer version of this service created the database (it has ${unknown.join(", ")}).`,
    "Use that version.",
  ],
  instances_running: ({ migrations }) => [
    `DATABASE_URL: other instances are running on this database, and couldn't work after its migration (${migrations.join(", ")}).`,
    "Stop all of them, then start this version. One that lost its power or its network counts for another minute.",
  ],
  move_unfinished: () => [
    "A move into this database (bookdist move) is running or was interrupted.",
    "Run the same command again to finish it.",
  ],
  files_differ: ({ database, files }) => [
    `The files may belong to another database: nothing was changed. ${database} ${files}`,
    "Correct DATABASE_URL, STORAGE_URL or DATA_DIR. If these files do belong to this database, run bookdist adopt-files.",
  ],
  clock_wrong: ({ offset }) => [
    `${offset} That is more than the life of a download link, so links of one instance would not work at another one.`,
    "Correct the clock, for example by NTP.",
  ],
  secret_differs: () => [
    "AUTH_SECRET: it isn't the secret of the other instances on this database.",
    "Set the same one, or replace theirs: stop them, then run bookdist serve --accept-new-secret. All users have to log in again.",
  ],
  files_not_shared: () => [
    "STORAGE_URL: another instance uses this database.",
    "Several instances can't keep files in a folder: set the same STORAGE_URL for all.",
  ],
};

const isCode = (name: string): name is RefusalCode => Object.hasOwn(EXPLANATIONS, name);

export const REFUSAL_CODES: readonly RefusalCode[] = Object.keys(EXPLANATIONS).filter(isCode);

/** The installation isn't used, and nothing was changed in it. */
export class InstallationError<C extends RefusalCode = RefusalCode> extends OperatorError {
  override readonly name = "InstallationError";
  readonly code: C;

  constructor(code: C, found: Refusals[C]) {
    super(EXPLANATIONS[code](found).join(" "));
    this.code = code;
  }
}

/** What was found of each reason, as far as it was looked for. */
export type InstallationFacts = { readonly [C in RefusalCode]?: Refusals[C] | false | undefined };

/** @throws InstallationError with the first reason that was found */
export function assertInstallation(facts: InstallationFacts): void {
  for (const code of REFUSAL_CODES) rejectIf(code, facts[code]);
}

function rejectIf<C extends RefusalCode>(code: C, found: Refusals[C] | false | undefined): void {
  if (found !== undefined && found !== false) throw new InstallationError(code, found);
}
