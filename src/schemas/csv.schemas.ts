/** How a caller wants CSV. */
import { z } from "zod";

const zeroOrOne = z
  .enum(["0", "1"])
  .transform((value) => value === "1")
  .meta({ wire: { type: "integer", enum: [0, 1] } });

/** Query fields of an export. */
export const csvOptions = {
  /** The byte order mark, without which Excel doesn't read UTF-8. */
  bom: zeroOrOne
    .default(true)
    .describe("Set to 0 to leave out the byte order mark that Excel needs to recognise UTF-8."),
  /** Without the apostrophe before what a spreadsheet would run. */
  raw: zeroOrOne
    .default(false)
    .describe(
      "Set to 1 to leave out the apostrophe that protects spreadsheets from cells they would run as formulas.",
    ),
};

export interface CsvOptions {
  bom: boolean;
  raw: boolean;
}
