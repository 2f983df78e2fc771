/** What is worth knowing of the content of a file, and refuses nothing. */
import { z } from "zod";

export const CONTENT_REMARK_CODES = ["cover_missing", "metadata_unreadable"] as const;

export const contentRemark = z
  .object({
    code: z
      .enum(CONTENT_REMARK_CODES)
      .describe(
        "Stable code: `metadata_unreadable` if the metadata can't be read, so that the book has the name of its file; `cover_missing` if the file names a cover that isn't in it. Later versions may add some: for an unknown code, show `message`.",
      ),
    message: z.string().describe("The same as a sentence."),
  })
  .meta({
    id: "ContentRemark",
    description: "What is worth knowing of the content of a file, and refuses nothing.",
    example: { code: "cover_missing", message: "It names a cover that isn't in it." },
  });
export type ContentRemark = z.infer<typeof contentRemark>;

const COVER_MISSING = "It names a cover that isn't in it.";

/** @param unreadable why its metadata can't be read, as a sentence */
export const listContentRemarks = (
  unreadable: string | null | undefined,
  coverIsMissing: boolean | undefined,
): ContentRemark[] => [
  ...(unreadable ? [{ code: "metadata_unreadable" as const, message: unreadable }] : []),
  ...(coverIsMissing ? [{ code: "cover_missing" as const, message: COVER_MISSING }] : []),
];
