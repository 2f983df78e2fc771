/** What the doctor finds: where rows, bytes and links don't agree, and what is incomplete. */
import { z } from "zod";
import { booleanParameter, count, timestamp } from "./atoms.ts";

export const doctorQuery = z.strictObject({
  deep: booleanParameter.default(false).meta({
    description: "Read all bytes and compare them with their hash, and let the database check itself.",
  }),
  cloud: booleanParameter.default(false).meta({ description: "Ask every cloud link for its file." }),
});
export type DoctorQuery = z.output<typeof doctorQuery>;

export const DOCTOR_CHECKS = [
  "damaged_database",
  "broken_reference",
  "foreign_trigger",
  "foreign_table",
  "missing_bytes",
  "unreadable_bytes",
  "changed_bytes",
  "orphaned_bytes",
  "language_without_files",
  "translation_without_file",
  "published_without_file",
  "cloud_link_broken",
  "geoip_stale",
  "clock_ahead",
  "images_unavailable",
] as const;
export type DoctorCheck = (typeof DOCTOR_CHECKS)[number];

export const DOCTOR_OBJECTS = [
  "database",
  "file",
  "cover",
  "bytes",
  "language",
  "translation",
  "publication",
  "geoip",
  "clock",
  "images",
] as const;

export const finding = z
  .object({
    check: z.enum(DOCTOR_CHECKS).describe("Check that found it."),
    severity: z
      .enum(["error", "warning"])
      .describe("`error` when something is broken, `warning` when something is incomplete."),
    object: z
      .object({
        kind: z.enum(DOCTOR_OBJECTS).describe("What kind of thing it is."),
        id: z.string().describe("Identifier; empty where there is none."),
        name: z.string().describe("Name to recognise it by."),
      })
      .describe("Record or file concerned."),
    message: z.string().describe("What is wrong, for people to read."),
    advice: z.string().describe("What to do about it."),
  })
  .meta({ id: "Finding", description: "An inconsistency that the examination found." });
export type Finding = z.infer<typeof finding>;

export const doctorReport = z
  .object({
    isHealthy: z.boolean().meta({ description: "No errors; there may be warnings." }),
    checkedAt: timestamp.describe("When the examination ended."),
    checks: z
      .array(
        z.object({
          check: z.enum(DOCTOR_CHECKS).describe("Name of the check."),
          found: count.describe("Number of findings, also beyond the 100 that are listed."),
        }),
      )
      .meta({ description: "The checks that were made, with how much each has found." }),
    examined: z
      .object({
        files: count.describe("Number of files examined."),
        covers: count.describe("Number of covers examined."),
        bytes: count.describe("Number of stored contents examined."),
        cloudLinks: count.describe("Number of cloud links tried."),
      })
      .meta({ description: "How much was looked at, one by one." }),
    findings: z.array(finding).meta({ description: "At most 100 for each check." }),
  })
  .meta({
    id: "DoctorReport",
    description: "Result of an examination.",
    examples: [
      {
        isHealthy: false,
        checkedAt: "2026-03-01T12:00:00.000Z",
        checks: [{ check: "missing_bytes", found: 1 }],
        examined: { files: 70, covers: 12, bytes: 81, cloudLinks: 0 },
        findings: [
          {
            check: "missing_bytes",
            severity: "error",
            object: {
              kind: "file",
              id: "01a1fb60-0000-7000-8000-000000000001",
              name: "the-well: the-well.epub",
            },
            message: "The bytes of this file are not there, or not as many as they should be.",
            advice: "Upload the file again, or restore a backup.",
          },
        ],
      },
    ],
  });
export type DoctorReport = z.infer<typeof doctorReport>;
