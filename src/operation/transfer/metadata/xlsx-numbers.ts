/** Shows the number of a cell as text: by its format, but never shortened, and dates as ISO 8601. */
import { format, getFormatDateInfo, getFormatInfo } from "numfmt";

export const GENERAL = "General";

/** ECMA-376, part 1, 18.8.30; those of dates and times only say what they contain. */
const BUILT_IN: ReadonlyMap<number, string> = new Map([
  [1, "0"],
  [2, "0.00"],
  [3, "#,##0"],
  [4, "#,##0.00"],
  [9, "0%"],
  [10, "0.00%"],
  [11, "0.00E+00"],
  [12, "# ?/?"],
  [13, "# ??/??"],
  ...[14, 15, 16, 17].map((id) => [id, "yyyy-mm-dd"] as const),
  ...[18, 19, 20, 21].map((id) => [id, "h:mm"] as const),
  [22, "yyyy-mm-dd h:mm"],
  ...[37, 38].map((id) => [id, "#,##0"] as const),
  ...[39, 40].map((id) => [id, "#,##0.00"] as const),
  ...[45, 46, 47].map((id) => [id, "h:mm"] as const),
  [49, "@"],
]);

/** The pattern of a built-in format. */
export const patternOfId = (id: number): string => BUILT_IN.get(id) ?? GENERAL;

/** Excel's own bound. */
const MAX_PATTERN = 255;

/** All digits, without an exponent. Spreadsheets calculate with 15 significant ones. */
const PLAIN = new Intl.NumberFormat("en", { useGrouping: false, maximumSignificantDigits: 15 });

/**
 * @param pattern such as `0000000000` or `yyyy-mm-dd`
 * @param days to add to dates
 */
export function showNumber(value: number, pattern: string, days: number): string {
  if (pattern.length > MAX_PATTERN) return PLAIN.format(value);
  const { isDate, type } = getFormatInfo(pattern);
  if (isDate) return format(isoPattern(pattern), value + days, OPTIONS);
  const isShortened = type === "general" || type === "scientific" || type === "text" || type === "error";
  return isShortened ? PLAIN.format(value) : format(pattern, value, OPTIONS).trim();
}

const OPTIONS = { throws: false, locale: "en" };

function isoPattern(pattern: string): string {
  const { year, month, day, hours, minutes } = getFormatDateInfo(pattern);
  const hasTime = hours || minutes;
  if (!year && !month && !day) return "hh:mm:ss";
  return hasTime ? 'yyyy-mm-dd"T"hh:mm:ss' : "yyyy-mm-dd";
}
