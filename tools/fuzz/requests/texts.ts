// Texts that a reader might write, in several scripts, and the numbers and words of other fields.
import fc from "fast-check";

/** Normalised already, so that no text grows beyond its bounds. */
const CHARACTERS = [..."abcxyzABC 019-_.,;:!?'\"%&/()éßñøŁжЯ中文日本語한글עبתالكتابहिन🙂📚"];

/** Texts at their greatest length are rare: they are long. */
export function createText(minLength = 0, maxLength = 1000): fc.Arbitrary<string> {
  const usual = fc
    .string({ unit: fc.constantFrom(...CHARACTERS), maxLength: Math.min(maxLength, 40) })
    .map((text) => fitText(text.trim(), minLength, maxLength));
  const longest = fc.constant("x".repeat(maxLength));
  return fc.oneof({ weight: 30, arbitrary: usual }, { weight: 1, arbitrary: longest });
}

/** Emoji are two units: what is cut in two is dropped. */
function fitText(text: string, minLength: number, maxLength: number): string {
  const filled = text.padEnd(minLength, "a").slice(0, maxLength);
  return filled.isWellFormed() ? filled : `${filled.slice(0, -1)}a`;
}

const serial = fc.nat(1_000_000_000);

/** Every pass phrase of a run holds this, by which the log is searched for them. */
export const PASS_PHRASE = "pass phrase of the fuzz";

const createNumbered = (write: (number: number) => string): fc.Arbitrary<string> => serial.map(write);

/**
 * What the document can't say of a field: by its name, or by its name in a component where a name has several meanings.
 * Fields that name something that exists are in known.ts.
 */
export const FIELDS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  slug: createNumbered((number) => `book-${number}`),
  code: createNumbered((number) => `en-f${number.toString(36).padStart(6, "0")}`),
  customDomain: fc.option(createNumbered((number) => `books-${number}.example.org`)),
  expiresAt: fc.option(fc.integer({ min: 2040, max: 9000 }).map((year) => `${year}-02-28T12:00:00+02:00`)),
  // Its last digit follows from the others.
  isbn: fc.option(fc.constantFrom("978-3-16-148410-0", "0-8044-2957-X")),
  email: createNumbered((number) => `Reader-${number}@example.org`),
  password: createNumbered((number) => `${PASS_PHRASE} ${number}`),
  newPassword: createNumbered((number) => `${PASS_PHRASE} ${number}`),
  // One more administrator could take the last one's place, and the run could no longer look after the catalogue.
  role: fc.constantFrom("editor", "analyst", "viewer"),
  url: fc.constantFrom("", "https://kids.example.org", "http://example.org/%E4%B8%AD?a=b#c"),
  fileName: createNumbered((number) => `book ${number} (é, 中).pdf`),
  timezone: fc.constantFrom("UTC", "Europe/Berlin", "Asia/Kathmandu", "America/New_York"),
  startDate: fc.constantFrom("2024-02-29", "2025-01-01", "2025-03-30T01:30:00+01:00"),
  endDate: fc.constantFrom("2030-12-31", "2031-01-01T00:00:00Z"),
  accentColor: fc.constantFrom("#1d5f8a", "#FFFFFF", "#000000"),
  countryCode: fc.constantFrom("DE", "GB", "US"),
};
