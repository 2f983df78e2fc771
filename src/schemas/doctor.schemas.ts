/** The doctor's findings: inconsistencies between rows, stored files and links, and gaps in the catalogue. */
import { z } from "zod";
import { booleanParameter, count, timestamp } from "./atoms.ts";

export const doctorQuery = z.strictObject({
  deep: booleanParameter
    .default(false)
    .describe(
      "Set to `true` to read all stored bytes, compare them with their hashes, and check the whole database.",
    ),
  cloud: booleanParameter.default(false).describe("Set to `true` to request every cloud link."),
});
export type DoctorQuery = z.output<typeof doctorQuery>;

export const DOCTOR_CHECKS = [
  "damaged_database",
  "broken_reference",
  "foreign_trigger",
  "foreign_table",
  "missing_constraint",
  "missing_index",
  "missing_bytes",
  "unreadable_bytes",
  "changed_bytes",
  "orphaned_bytes",
  "many_orphaned_bytes",
  "language_without_files",
  "translation_without_file",
  "published_without_file",
  "library_channel",
  "stale_search_texts",
  "search_index_missing",
  "misplaced_file",
  "similar_books",
  "equal_files",
  "cloud_link_broken",
  "geoip_stale",
  "clock_ahead",
  "clock_differs",
  "overdue_readers",
  "unwritten_redemptions",
  "trusted_readers",
  "webhook_disabled",
  "webhook_secret",
  "outbox_held",
  "outbox_dropped",
  "mail_server",
  "images_unavailable",
] as const;
export type DoctorCheck = (typeof DOCTOR_CHECKS)[number];

export const DOCTOR_OBJECTS = [
  "database",
  "book",
  "file",
  "cover",
  "bytes",
  "language",
  "translation",
  "publication",
  "geoip",
  "clock",
  "events",
  "setting",
  "webhook",
  "outbox",
  "images",
] as const;

export const finding = z
  .object({
    check: z.enum(DOCTOR_CHECKS).describe("Check that found the inconsistency."),
    severity: z
      .enum(["error", "warning"])
      .describe("`error` if something is broken, `warning` if something is incomplete."),
    object: z
      .object({
        kind: z.enum(DOCTOR_OBJECTS).describe("Kind of the object."),
        id: z.string().describe("Identifier of the object; empty if it has none."),
        name: z.string().describe("Name of the object."),
      })
      .describe("Affected record, file or component."),
    message: z.string().describe("Human-readable description of the inconsistency."),
    advice: z.string().describe("Recommended action."),
  })
  .meta({ id: "Finding", description: "An inconsistency that a check found." });
export type Finding = z.infer<typeof finding>;

export const doctorReportExample = {
  isHealthy: false,
  checkedAt: "2026-03-01T12:00:00.000Z",
  checks: [{ check: "missing_bytes", found: 1 }],
  examined: {
    files: 70,
    covers: 12,
    bytes: 81,
    cloudLinks: 0,
    removedFiles: 0,
    removedBytes: 0,
    replacedFiles: 2,
    replacedBytes: 94_202,
  },
  findings: [
    {
      check: "missing_bytes",
      severity: "error",
      object: {
        kind: "file",
        id: "01a1fb60-0000-7000-8000-000000000001",
        name: "the-well: the-well.epub",
      },
      message: "The stored bytes are missing or have another size.",
      advice: "Upload the file again, or restore a backup.",
    },
  ],
};

export const doctorReport = z
  .object({
    isHealthy: z.boolean().describe("True if there are no errors; there may be warnings."),
    checkedAt: timestamp.describe("Time at which the examination ended."),
    checks: z
      .array(
        z.object({
          check: z.enum(DOCTOR_CHECKS).describe("Name of the check."),
          found: count.describe("Number of findings, including those that aren't listed."),
        }),
      )
      .describe("The checks that ran, with the number of findings of each."),
    examined: z
      .object({
        files: count.describe("Number of files examined."),
        covers: count.describe("Number of covers examined."),
        bytes: count.describe("Number of stored blobs examined."),
        cloudLinks: count.describe("Number of cloud links requested."),
        removedFiles: count.describe(
          "Number of files that are set aside, because no record referred to them; they are deleted after `REMOVED_FILES_DAYS`.",
        ),
        removedBytes: count.describe("Total size of the files that are set aside, in bytes."),
        replacedFiles: count.describe(
          "Number of files that are kept for `REPLACED_FILES_DAYS` only because they were replaced.",
        ),
        replacedBytes: count.describe("Total size of these files, in bytes."),
      })
      .describe("Number of objects examined."),
    findings: z.array(finding).describe("Findings, at most 100 per check."),
  })
  .meta({
    id: "DoctorReport",
    description: "Result of an examination of the installation.",
    example: doctorReportExample,
  });
export type DoctorReport = z.infer<typeof doctorReport>;

/** Without items that this version doesn't know. */
const known = <Item extends z.ZodType>(item: Item) =>
  z.array(z.unknown()).transform((items) =>
    items.flatMap((each) => {
      const parsed = item.safeParse(each);
      return parsed.success ? [parsed.data] : [];
    }),
  );
/** 0 in a report of a version that didn't count it. */
const storedCount = count.default(0);

/**
 * The stored form. The last report is kept forever, and instances of two versions read each other's: an earlier version
 * has counted less, and a later one has more checks.
 */
export const storedDoctorReport = z.object({
  isHealthy: z.boolean(),
  checkedAt: timestamp,
  checks: known(doctorReport.shape.checks.element),
  examined: z.object({
    files: storedCount,
    covers: storedCount,
    bytes: storedCount,
    cloudLinks: storedCount,
    removedFiles: storedCount,
    removedBytes: storedCount,
    replacedFiles: storedCount,
    replacedBytes: storedCount,
  }),
  findings: known(finding),
});
