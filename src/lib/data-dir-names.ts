/** What lies in the data folder, by name. */

/** While it is open also `-wal` and `-shm`. */
export const DATABASE_FILE = "database.sqlite";
export const FILES_FOLDER = "files";
/** Whatever is made again when it is missing. */
export const CACHE_FOLDER = "cache";
export const BACKUPS_FOLDER = "backups";
export const LAST_BACKUP_FILE = "last-backup.json";
export const SECRET_FILE = "auth-secret";
/** Locked by the running server or restore. */
export const LOCK_FILE = "server.lock";
/** What a restore has copied so far. */
export const RESTORE_FOLDER = "restore.partial";
/** The operator's own icon: the first that is there counts. */
export const FAVICON_FILES: readonly string[] = ["favicon.svg", "favicon.png"];
