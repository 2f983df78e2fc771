/** File names in the data folder. */

/** While it is open, `-wal` and `-shm` files exist next to it. */
export const DATABASE_FILE = "database.sqlite";
export const FILES_FOLDER = "files";
/** Files that are created again if they are missing. */
export const CACHE_FOLDER = "cache";
/** In the folder of the cache: the copy of a file that is being examined. */
export const EXAMINED_FILE = "examined.part";
export const BACKUPS_FOLDER = "backups";
export const LAST_BACKUP_FILE = "last-backup.json";
/** Names the database server that the instance used last. */
export const LAST_SERVER_FILE = "last-server";
/** Redemptions that wait until the database can take them. */
export const UNWRITTEN_FILE = "unwritten-redemptions.jsonl";
export const SECRET_FILE = "auth-secret";
export const CITY_DATABASE_FILE = "GeoLite2-City.mmdb";
/** Locked while the server or a restore is running. */
export const LOCK_FILE = "server.lock";
/** The incomplete copy of a restore. */
export const RESTORE_FOLDER = "restore.partial";
/** The operator's own icon: the first existing file is used. */
export const FAVICON_FILES: readonly string[] = ["favicon.svg", "favicon.png"];
/** The operator's own texts of readers' pages: one JSON file per language. */
export const PAGES_FOLDER = "pages";
/** The path of such a file in the data folder. */
export const PAGE_FILE = /^pages\/[A-Za-z0-9-]+\.json$/;
