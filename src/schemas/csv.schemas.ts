/** How a caller wants CSV. */
import { zeroOrOneParameter } from "./atoms.ts";

/** Query fields of an export. */
export const csvOptions = {
  /** The byte order mark, without which Excel doesn't read UTF-8. */
  bom: zeroOrOneParameter
    .default(true)
    .describe("Set to 0 to leave out the byte order mark that Excel needs to recognise UTF-8."),
  /** Without the apostrophe before what a spreadsheet would run. */
  raw: zeroOrOneParameter
    .default(false)
    .describe(
      "Set to 1 to leave out the apostrophe that protects spreadsheets from cells they would run as formulas.",
    ),
};

export interface CsvOptions {
  bom: boolean;
  raw: boolean;
}
