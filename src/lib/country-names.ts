/** English names of countries. */

const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });

/** The name to an ISO 3166-1 code in upper case; undefined when no country has it. */
export function countryName(code: string): string | undefined {
  return /^[A-Z]{2}$/.test(code) && code !== UNKNOWN ? names.of(code) : undefined;
}

/** CLDR names it "Unknown Region". */
const UNKNOWN = "ZZ";
