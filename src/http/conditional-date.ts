/** Reading an HTTP date strictly: `Date.parse` takes far more, and some of it in the machine's own zone. */

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const TIME = "(?<hour>\\d{2}):(?<minute>\\d{2}):(?<second>\\d{2})";

/** The three forms that a recipient must accept (RFC 9110, 5.6.7): IMF-fixdate, RFC 850, asctime. */
const FORMS = [
  new RegExp(`^[A-Z][a-z]{2}, (?<day>\\d{2}) (?<month>[A-Z][a-z]{2}) (?<year>\\d{4}) ${TIME} GMT$`),
  new RegExp(`^[A-Z][a-z]{5,8}, (?<day>\\d{2})-(?<month>[A-Z][a-z]{2})-(?<year>\\d{2}) ${TIME} GMT$`),
  new RegExp(`^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})$`),
];

/** Milliseconds since 1970, always a whole second; `undefined` for anything that isn't an HTTP date. */
export function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const parts = FORMS.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  if (parts === undefined) return undefined;
  const month = MONTHS.indexOf(parts.month ?? "");
  const day = Number(parts.day);
  const [hour, minute, second] = [Number(parts.hour), Number(parts.minute), Number(parts.second)];
  const date = new Date(Date.UTC(fullYear(parts.year ?? ""), month, day, hour, minute, second));
  // An impossible day would roll over into the next month.
  const isPossible = month >= 0 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  return isPossible ? date.getTime() : undefined;
}

/** Two digits mean 1970 to 2069: the clock isn't asked, and no file here is older. */
function fullYear(digits: string): number {
  const year = Number(digits);
  if (digits.length > 2) return year;
  return year < 70 ? 2000 + year : 1900 + year;
}
