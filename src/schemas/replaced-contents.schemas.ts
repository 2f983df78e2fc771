/** What files and covers had before. */
import { z } from "zod";
import { count, identifier, timestamp } from "./atoms.ts";

export const replacedContent = z
  .object({
    sha256: z
      .string()
      .describe("SHA-256 of the former content in hexadecimal. Sent in a PUT, it brings it back."),
    fileName: z.string().describe("Name that the file had; of a cover, one that fits its type."),
    fileSizeBytes: count.describe("Size of the former content in bytes."),
    replacedAt: timestamp.describe("When it was replaced."),
    replacedBy: z.string().describe("Name of the user or API key that replaced it."),
    until: timestamp.describe("Until when it is kept, unless newer ones take its place: at most 5 are kept."),
  })
  .meta({
    id: "ReplacedContent",
    description: "Former content of a file or cover, which can be brought back.",
    example: {
      sha256: "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
      fileName: "pozo-first.epub",
      fileSizeBytes: 47_101,
      replacedAt: "2026-03-01T12:00:00.000Z",
      replacedBy: "Anna",
      until: "2026-03-31T12:00:00.000Z",
    },
  });
export type ReplacedContent = z.infer<typeof replacedContent>;

export const replacedContents = z
  .array(replacedContent)
  .describe(
    "What was there before and can be brought back, newest first: for `REPLACED_FILES_DAYS`, at most 5.",
  );

/** In a path. */
export const replacedSha256 = identifier.describe("SHA-256 of the former content.");
