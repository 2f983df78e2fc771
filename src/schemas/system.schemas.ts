/** Health, and the description of the interface. */
import { z } from "zod";
import { FAVICON_FILES, PAGE_FILE } from "../lib/data-dir-names.ts";
import { count, timestamp } from "./atoms.ts";

const state = <S extends string>(status: S) =>
  z
    .object({
      status: z.literal(status).describe(`Always \`${status}\`.`),
      timestamp: timestamp.describe("Current time of the server."),
    })
    .meta({ example: { status, timestamp: "2026-03-01T12:00:00.000Z" } });

export const health = state("ok").meta({ id: "Health", description: "The service works." });
export const unhealthy = state("unavailable");
export const readiness = state("ready")
  .extend({
    reports: z
      .enum(["reading", "ready"])
      .describe(
        "`reading` while this instance reads all events, which it does after a start if there are many: a report may then return 503 `reports_in_preparation`. Otherwise `ready`.",
      ),
    clockOffsetSeconds: z
      .int()
      .optional()
      .describe(
        "By how many seconds the clock of this instance is ahead of the database's, if that is more than 2; negative if it is behind. Absent otherwise.",
      ),
    unavailable: z
      .array(z.enum(["database", "files"]))
      .min(1)
      .max(2)
      .optional()
      .describe("What doesn't respond at the moment: the database or the file store. Absent if both do."),
  })
  .meta({
    id: "Readiness",
    description: "The service accepts requests.",
    example: { status: "ready", timestamp: "2026-03-01T12:00:00.000Z", reports: "ready" },
  });
export type Readiness = z.output<typeof readiness>;

export const openApi = z
  .looseObject({ openapi: z.string().describe("Version of the OpenAPI Specification.") })
  .meta({
    id: "OpenApi",
    description: "An OpenAPI document.",
    example: { openapi: "3.1.1", info: { title: "Book Distribution Service" } },
  });

export type OpenApi = z.infer<typeof openApi>;

export const docsAssetParams = z.object({
  asset: z.string().max(100).describe("Name of the script or stylesheet."),
});

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
  /** The bytes of files and covers are named by their SHA-256, and the database lists which ones must exist. */
  files: z.strictObject({ count, sizeBytes: count }),
  favicons: z.array(z.strictObject({ name: z.enum(FAVICON_FILES), ...piece.shape })),
  /** The operator's texts of readers' pages, if there are any. */
  pages: z.array(z.strictObject({ name: z.string().regex(PAGE_FILE), ...piece.shape })).optional(),
});
export type BackupManifest = z.output<typeof backupManifest>;

export const sealedManifest = z.strictObject({ ...backupManifest.shape, checksum: z.string() });
