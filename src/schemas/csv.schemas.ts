/** How a caller wants CSV. */
import { z } from "zod";
import type { CsvFormat } from "../lib/csv.ts";
import { zeroOrOneParameter } from "./atoms.ts";

/** Query fields of an export. */
export const csvOptions = {
  bom: zeroOrOneParameter
    .default(true)
    .describe("`0` leaves out the byte order mark, without which Excel doesn't read UTF-8."),
  raw: zeroOrOneParameter
    .default(false)
    .describe(
      "`1` leaves out the apostrophe before what a spreadsheet would run as a formula: for programs.",
    ),
  delimiter: z
    .enum(["comma", "semicolon", "tab"])
    .default("comma")
    .describe(
      "What stands between the cells. Spreadsheets expect a semicolon where the comma is the decimal sign.",
    ),
};

export interface CsvOptions extends CsvFormat {
  bom: boolean;
}
