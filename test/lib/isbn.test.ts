/** International Standard Book Numbers. */
import { expect, it } from "vitest";
import { parseIsbn, toIsbn10 } from "../../src/lib/isbn.ts";

it.each([
  ["9783161484100", "9783161484100"],
  ["978-3-16-148410-0", "9783161484100"],
  ["978 3 16 148410 0", "9783161484100"],
  ["978\u20113\u201116\u2011148410\u20110", "9783161484100"],
  ["979-10-90636-07-1", "9791090636071"],
  ["3-16-148410-X", "9783161484100"],
  ["316148410x", "9783161484100"],
  ["0-306-40615-2", "9780306406157"],
])("the ISBN %s is %s", (given, expected) => {
  expect(parseIsbn(given)).toBe(expected);
});

it.each([
  "",
  "9783161484101",
  "316148410",
  "3161484101",
  "X161484100",
  "1234567890123",
  "9773161484105",
  "97831614841000",
  "٩٧٨٣١٦١٤٨٤١٠٠",
  "ISBN 9783161484100",
])("%s is not an ISBN", (given) => {
  expect(parseIsbn(given)).toBeUndefined();
});

it("an ISBN has ten digits in its older form, if it has one", () => {
  expect(["9783161484100", "9780306406157", "9791090636071"].map(toIsbn10)).toEqual([
    "316148410X",
    "0306406152",
    undefined,
  ]);
});
