/** Error codes that only commands report, and the facts that every error code has. */

interface ErrorCodeFacts<Status extends number> {
  status: Status;
  meaning: string;
  /** What the client can do about it. */
  remedy: string;
}

/** The facts about a code, with its status as a literal type. */
export const on = <Status extends number>(status: Status, meaning: string, remedy: string) =>
  ({ status, meaning, remedy }) satisfies ErrorCodeFacts<Status>;

/** Codes of errors that only commands such as `bookdist backup` report, never a response. */
export const COMMAND_ERROR_CODES = {
  backup_damaged: on(409, "The backup is damaged.", "Restore another backup."),
  backup_newer: on(
    409,
    "A newer version of the service created the backup.",
    "Restore it with that version.",
  ),
  backup_not_found: on(409, "The folder contains no backup.", "Check the path."),
  backup_running: on(
    409,
    "Another backup into the same folder is running.",
    "Wait until it has finished, then retry.",
  ),
  backup_unsteady: on(409, "Files were deleted faster than they could be copied.", "Run the command again."),
  bytes_changed: on(
    409,
    "The content of a stored file doesn't match its hash.",
    "Run `bookdist doctor`, then restore the file.",
  ),
  bytes_missing: on(409, "Stored files are missing.", "Run `bookdist doctor`, then restore the files."),
  database_changed: on(
    409,
    "The source of a move was changed since the move began.",
    "Begin again with an empty target.",
  ),
  database_damaged: on(409, "The database is damaged.", "Restore a backup."),
  database_older: on(
    409,
    "An older version of the service created the database.",
    "Start the server to migrate it.",
  ),
  database_not_found: on(
    404,
    "The data folder, or the database of `DATABASE_URL`, contains no database of the service.",
    "Check `DATA_DIR` and `DATABASE_URL`.",
  ),
  move_running: on(
    409,
    "Another move into the same database is running.",
    "Wait until it has finished, then retry.",
  ),
} as const;
