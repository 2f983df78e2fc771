/** What a backup says of itself. */
import { z } from "zod";
import { FAVICON_FILES } from "../lib/data-dir-names.ts";
import { count } from "./atoms.ts";

/** Raised when a service of an older version could not restore it. */
export const BACKUP_FORMAT = 1;

const piece = z.strictObject({ sizeBytes: count, sha256: z.string().regex(/^[0-9a-f]{64}$/) });

export const backupManifest = z.strictObject({
  format: z.literal(BACKUP_FORMAT),
  createdAt: z.string(),
  appVersion: z.string(),
  /** Names of the migrations that have made its schema. */
  migrations: z.array(z.string()).min(1),
  database: piece,
  /** The bytes of files and covers are named by their SHA-256, and which of them there must be says the database. */
  files: z.strictObject({ count, sizeBytes: count }),
  favicons: z.array(z.strictObject({ name: z.enum(FAVICON_FILES), ...piece.shape })),
});
export type BackupManifest = z.output<typeof backupManifest>;

export const sealedManifest = z.strictObject({ ...backupManifest.shape, checksum: z.string() });
