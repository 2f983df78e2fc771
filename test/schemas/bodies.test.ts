/** What holds for every body that a route takes: made from the route table, so that no new field can miss it. */
import { expect, it } from "vitest";
import { z } from "zod";
import { routes } from "../../src/routes/index.ts";
import { booleanField, flagField, optional } from "../../src/schemas/atoms.ts";

interface Field {
  name: string;
  schema: z.ZodType;
}

/** Every field of an object, of those inside it, and of the elements of its lists. */
function* fieldsIn(schema: unknown, at: string): Generator<Field> {
  if (schema instanceof z.ZodObject) {
    for (const [name, field] of Object.entries(schema.shape)) {
      if (field instanceof z.ZodType) yield { name: `${at}.${name}`, schema: field };
      yield* fieldsIn(field, `${at}.${name}`);
    }
  } else if (schema instanceof z.ZodArray) yield* fieldsIn(schema.element, `${at}[]`);
  else if (schema instanceof z.ZodPipe) yield* fieldsIn(schema.in, at);
  else if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    yield* fieldsIn(schema.unwrap(), at);
}

const fields = routes.flatMap(({ id, body }) =>
  (body?.shapes ?? [])
    .filter(({ mediaType }) => mediaType === "application/json")
    .flatMap(({ schema }) => [...fieldsIn(schema, id)]),
);

const takes = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success;

/** Where null is a value of its own, because nothing else could say it. */
const NULL_SAYS_SOMETHING = [
  "createLanguage.parentId",
  "updateLanguage.parentId",
  "createBook.series",
  "updateBook.series",
  "bulkUpsertBooks.books[].series",
];

it("treats null for every optional field as absent", () => {
  const optionals = fields.filter(({ schema }) => takes(schema, undefined));
  expect(optionals.length).toBeGreaterThan(50);
  for (const { name, schema } of optionals) {
    expect({ name, isTaken: takes(schema, null) }).toEqual({ name, isTaken: true });
    if (!NULL_SAYS_SOMETHING.includes(name))
      expect({ name, value: schema.parse(null) }).toEqual({ name, value: schema.parse(undefined) });
  }
});

it("takes every flag as 0, 1, true and false, and as nothing else", () => {
  const flags = fields.filter(({ schema }) => takes(schema, true) || (takes(schema, 1) && !takes(schema, 2)));
  const names = flags.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      "createLanguage.isActive",
      "updateChannel.isActive",
      "updateUser.isActive",
      "updateFile.isActive",
      "togglePublication.isPublished",
      "updateSubLanguageBooks.overrides[].isVisible",
      "requestDownload.consent.marketing",
      "requestLanguageDownload.consent.marketing",
    ]),
  );
  for (const { name, schema } of flags) {
    const [off, on] = [schema.parse(0), schema.parse(1)];
    expect({ name, off: schema.parse(false), on: schema.parse(true) }).toEqual({ name, off, on });
    expect(off).not.toEqual(on);
    for (const odd of [2, -1, "1", "true", "", [1], {}])
      expect({ name, odd, isTaken: takes(schema, odd) }).toEqual({ name, odd, isTaken: false });
  }
});

it("keeps a flag as its resource shows it", () => {
  expect([true, false, 1, 0].map((given) => flagField.parse(given))).toEqual([1, 0, 1, 0]);
  expect([true, false, 1, 0].map((given) => booleanField.parse(given))).toEqual([true, false, true, false]);
});

it("leaves an optional field out where nothing is given", () => {
  const schema = z.strictObject({ name: optional(z.string()) });
  expect(schema.parse({})).toEqual({});
  expect(schema.parse({ name: null }).name).toBeUndefined();
  expect(schema.parse({ name: "" })).toEqual({ name: "" });
});
