/** What a catalogue has and an import doesn't read, which refuses nothing. */
import { z } from "zod";
import { count } from "./atoms.ts";

export const NOTICE_CODES = ["other_catalogues", "other_sheets", "unknown_columns", "later_value"] as const;

export const importNotice = z
  .object({
    code: z
      .enum(NOTICE_CODES)
      .describe(
        "`other_catalogues`: other catalogues of the folder. `other_sheets`: the sheets of a workbook behind the first one. `unknown_columns`: columns without a known name. `later_value`: a cell with another value than an earlier row of its book or edition. Later versions may add some: for an unknown code, show `message`.",
      ),
    message: z.string().describe("The same as a sentence."),
    names: z.array(z.string()).describe("What isn't read: files, sheets, headers, or the value of the cell."),
    line: count.optional().describe("With `later_value`: the line of the spreadsheet; the header is line 1."),
    column: z.string().optional().describe("With `later_value`: the header of the column."),
  })
  .meta({
    id: "ImportNotice",
    description: "What an import doesn't read in a catalogue.",
    example: {
      code: "other_sheets",
      message: "Read the first sheet of books.xlsx, “Books”, and not “Notes”.",
      names: ["Notes"],
    },
  });
export type ImportNotice = z.infer<typeof importNotice>;
