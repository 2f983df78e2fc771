/** What holds for every body that a route takes: made from the route table, so that no new field can miss it. */
import { expect, it } from "vitest";
import { z } from "zod";
import { routes } from "../../src/routes/index.ts";
import { booleanField, flagField, optional } from "../../src/schemas/atoms.ts";
import { NULL_RULES } from "../support/null-rules.ts";
import { PATCHES } from "../support/patches.ts";

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

const distinct = routes.filter(({ id }) => !PATCHES.has(id));

const fields = distinct.flatMap(({ id, body }) =>
  (body?.shapes ?? [])
    .filter(({ mediaType }) => mediaType === "application/json")
    .flatMap(({ schema }) => [...fieldsIn(schema, id)]),
);

const takes = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success;

/** Actions, of which `null` is the same as leaving a field out; `isVisible: null` of an override is a value. */
const NO_UPDATES = [
  "changePassword",
  "changePublications",
  "putCover",
  "reorderBooks",
  "replaceFile",
  "updateSubLanguageBooks",
];
it("every field of every update has a decision on null", () => {
  const updates = distinct.filter(
    ({ id, method, body }) =>
      ["put", "patch"].includes(method) &&
      !NO_UPDATES.includes(id) &&
      body?.shapes.some(({ mediaType }) => mediaType === "application/json"),
  );
  const decided = Object.keys(NULL_RULES).filter((id) => id !== "putTranslation");
  expect(updates.map(({ id }) => id).sort()).toEqual(decided.sort());
});

it("every flag but those of consents accepts 0, 1, true and false, and nothing else", () => {
  const flags = fields.filter(
    ({ name, schema }) =>
      !name.includes(".consent") && (takes(schema, true) || (takes(schema, 1) && !takes(schema, 2))),
  );
  const names = flags.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      "createLanguage.isActive",
      "updateChannel.isActive",
      "updateUser.isActive",
      "updateFile.isActive",
      "changePublications.changes[].isPublished",
      "togglePublication.isPublished",
      "updateSubLanguageBooks.overrides[].isVisible",
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

it("a flag is returned as its resource has it", () => {
  expect([true, false, 1, 0].map((given) => flagField.parse(given))).toEqual([1, 0, 1, 0]);
  expect([true, false, 1, 0].map((given) => booleanField.parse(given))).toEqual([true, false, true, false]);
});

it("an optional field is omitted if nothing is given", () => {
  const schema = z.strictObject({ name: optional(z.string()) });
  expect(schema.parse({})).toEqual({});
  expect(schema.parse({ name: null }).name).toBeUndefined();
  expect(schema.parse({ name: "" })).toEqual({ name: "" });
});
