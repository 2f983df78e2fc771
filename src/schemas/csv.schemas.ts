/** How a caller wants CSV. */
import { zeroOrOneParameter } from "./atoms.ts";

/** Query fields of an export. */
export const csvOptions = {
  /** The byte order mark, without which Excel doesn't read UTF-8. */
  bom: zeroOrOneParameter.default(true),
  /** Without the apostrophe before what a spreadsheet would run. */
  raw: zeroOrOneParameter.default(false),
};

export interface CsvOptions {
  bom: boolean;
  raw: boolean;
}
