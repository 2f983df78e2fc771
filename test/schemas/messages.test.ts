/** For any invalid value, users read our words and never those of zod. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readConfig } from "../../src/config.ts";
import { routes } from "../../src/routes/index.ts";
import { explain, parse } from "../../src/schemas/parse.ts";
import { PROJECT } from "../support/modules.ts";

const messageOf = (schema: z.ZodType, given: unknown): string | undefined =>
  schema.safeParse(given, { error: explain }).error?.issues[0]?.message;

describe("each kind of issue has its sentence:", () => {
  it.each<[expected: string, schema: z.ZodType, given: unknown]>([
    ["is required", z.string(), undefined],
    ["is required", z.enum(["a", "b"]), undefined],
    ["is required", z.union([z.string(), z.number()]), undefined],
    ["must be a string", z.string(), 1],
    ["must be a number", z.number(), "1"],
    ["must be a number", z.number(), Number.NaN],
    ["must be a whole number", z.int(), 1.5],
    ["must be true or false", z.boolean(), "yes"],
    ["must be a list", z.array(z.string()), {}],
    ["must be an object", z.object({}), 1],
    ["must be an object, not a list", z.object({}), []],
    ["must be an object", z.record(z.string(), z.string()), "a"],
    ["must be of a different type", z.symbol(), 1],
    ["must be one value, not a list", z.string(), ["a", "b"]],
    ["must not be empty", z.string().min(1), ""],
    ["must be at least 12 characters long", z.string().min(12), "a"],
    ["must be at most 1 character long", z.string().max(1), "ab"],
    ["must not be empty", z.array(z.string()).min(1), []],
    ["must have at least 2 items", z.array(z.string()).min(2), []],
    ["must have at most 1 item", z.array(z.string()).max(1), ["a", "b"]],
    ["must be at least 10", z.number().min(10), 9],
    ["must be at most 10", z.number().max(10), 11],
    ["must be at most 9007199254740991", z.int(), 2 ** 60],
    ["must be one of a, b", z.enum(["a", "b"]), "c"],
    ["must be one of 0, 1", z.literal([0, 1]), 2],
    ["must be true", z.literal(true), false],
    ["must be an http or https URL", z.url(), "a"],
    ["must be a date and time with time zone, such as 2026-03-01T12:00:00Z", z.iso.datetime(), "a"],
    ["has the wrong format", z.string().regex(/a/), "b"],
    ["is not valid", z.union([z.number(), z.string()]), true],
    [
      "must be one of a, b",
      z.discriminatedUnion("type", [
        z.object({ type: z.literal("a") }),
        z.object({ type: z.literal("b"), of: z.string() }),
      ]),
      { type: "c" },
    ],
    ["has unknown fields", z.strictObject({}), { a: 1 }],
    ["is not valid", z.string().refine(() => false), "a"],
    ["must be itself", z.string().refine(() => false, "must be itself"), "a"],
  ])("%s", (expected, schema, given) => {
    expect(messageOf(schema, given)).toBe(expected);
  });
});

describe("an unknown field", () => {
  const schema = z.object({
    titleEn: z.string(),
    description: z.string(),
    files: z.array(z.strictObject({ isbn: z.string() })),
  });
  const messagesFor = (given: object) => {
    const parsed = parse(schema.strict().partial(), given, "body");
    return parsed.ok ? [] : parsed.errors.map(({ path, message }) => `${path}: ${message}`);
  };
  const FIELDS = "The fields are: titleEn, description, files";

  it.each([
    ["title", "titleEn"],
    ["TITLE_EN", "titleEn"],
    ["descriptionEn", "description"],
    ["desription", "description"],
  ])("%s is reported with the nearest field, %s, and with all fields", (name, nearest) => {
    expect(messagesFor({ [name]: "" })).toEqual([
      `${name}: is not a field of this request. Did you mean ${nearest}? ${FIELDS}`,
    ]);
  });

  it("is reported with the fields of its own object", () => {
    expect(messagesFor({ colour: 1, files: [{ isbn: "1", "ISBN-13": "2" }] })).toEqual([
      "files.0.ISBN-13: is not a field of this request. Did you mean isbn? The fields are: isbn",
      `colour: is not a field of this request. ${FIELDS}`,
    ]);
  });
});

/** What zod says by itself begins so, in all of its issues. */
const ZODS = /^(Invalid|Too|Unrecognized)\b|expected|received/;

/** A value of each type, at and beyond what any field takes. */
const HOSTILE: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 60,
  -(2 ** 60),
  Number.NaN,
  "",
  " ",
  "x",
  "x".repeat(40_000),
  "\0",
  "\ud800",
  "2026-02-30",
  "1e3",
  "-5",
  "99999999999999999999",
  [],
  [null],
  ["a", "b"],
  Array.from({ length: 3000 }, () => 0),
  {},
  { x: 1 },
];

const jsonSchema = z.looseObject({
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
});

/** The schema's outline with one of its values replaced, for each of its values and each hostile one. */
function* spoiled(outline: unknown, depth = 0): Generator<unknown> {
  yield* HOSTILE;
  const { properties = {}, items, anyOf = [] } = jsonSchema.safeParse(outline).data ?? {};
  if (depth > 4) return;
  for (const [name, value] of Object.entries(properties)) {
    for (const bad of spoiled(value, depth + 1)) yield { [name]: bad };
  }
  if (items !== undefined) for (const bad of spoiled(items, depth + 1)) yield [bad];
  for (const each of anyOf) yield* spoiled(each, depth);
}

const requestSchemas = routes.flatMap(({ id, params, query, body }) => {
  const bodies = body?.shapes.map(({ schema }) => ({ place: "body" as const, schema })) ?? [];
  return [
    { place: "path" as const, schema: params },
    { place: "query" as const, schema: query },
    ...bodies,
  ].flatMap(({ place, schema }) => (schema ? [{ name: `${id} ${place}`, place, schema }] : []));
});

describe("no schema returns a message of zod:", () => {
  it.each(requestSchemas)("$name", ({ place, schema }) => {
    const outline = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    for (const given of spoiled(outline)) {
      const parsed = parse(schema, given, place);
      if (parsed.ok) continue;
      for (const { message } of parsed.errors) {
        expect(message).not.toMatch(ZODS);
        expect(message).not.toBe("");
      }
    }
  });

  it("the configuration", () => {
    const example = readFileSync(join(PROJECT, ".env.example"), "utf8");
    const names = [...example.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name = ""]) => name);
    expect(names.length).toBeGreaterThan(20);
    for (const name of names) {
      for (const given of HOSTILE.filter((value) => typeof value === "string")) {
        try {
          readConfig({ [name]: given });
        } catch (error) {
          expect(String(error)).not.toMatch(/Invalid|Too (small|big)|Unrecognized|expected|received/);
        }
      }
    }
  });
});
