/** Later versions may add fields and codes to responses: the document permits it, the tests of this version don't. */
import { isDeepStrictEqual } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { openApiDocument } from "../../src/openapi/document.ts";
import { routes } from "../../src/routes/index.ts";
import { createStrictDocument, isObject, type Json } from "../../tools/lib/strict-document.ts";
import { WIRE_FORMATS } from "../support/document-check.ts";
import { findOperation } from "../support/operations.ts";

const document = openApiDocument(routes, "1.2.3");
const { schemas, responses } = document.components;

/** Every schema inside a part of the document, with those that it refers to. */
function* schemasIn(value: unknown, seen = new Set<unknown>()): Generator<Json> {
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  if (isObject(value)) yield value;
  for (const [name, part] of Object.entries(value)) {
    if (name === "$ref") yield* schemasIn(schemas[String(part).split("/").at(-1) ?? ""], seen);
    else if (name !== "example" && name !== "examples") yield* schemasIn(part, seen);
  }
}

/** A plan of an import has bodies for another request, with the fields that the request takes. */
const sentOn = new Set<unknown>([schemas.BulkItem]);

const inResponses = [
  ...schemasIn([routes.map((route) => findOperation(route).responses), responses], sentOn),
];

const isTextEnum = ({ enum: values }: Json): boolean =>
  Array.isArray(values) && values.every((value) => typeof value === "string");

/** Whether a list of known values, by itself or as a component, is used as an alternative to any text only. */
function isOpenIn(all: readonly Json[], known: Json): boolean {
  const [name] = Object.entries(schemas).find(([, schema]) => schema === known) ?? [];
  const use = name === undefined ? known : { $ref: `#/components/schemas/${name}` };
  const isUse = (part: unknown): boolean => isDeepStrictEqual(part, use);
  const isOpen = ({ anyOf }: Json): boolean => isDeepStrictEqual(anyOf, [use, { type: "string" }]);
  const rest = all.filter((schema) => !isOpen(schema));
  return rest.length < all.length && !rest.some((schema) => Object.values(schema).flat().some(isUse));
}

describe("the document", () => {
  it("has responses that permit additional fields", () => {
    expect(inResponses.filter(({ properties }) => properties !== undefined).length).toBeGreaterThan(80);
    expect(inResponses.filter(({ additionalProperties }) => additionalProperties === false)).toEqual([]);
  });

  it("has administrative requests with the documented fields only", () => {
    const admin = routes.filter(({ path }) => path.startsWith("/api/admin/"));
    const bodies = admin.flatMap((route) => Object.values(findOperation(route).requestBody?.content ?? {}));
    const objects = [...schemasIn(bodies)].filter(
      ({ properties, type }) => properties !== undefined && type === "object",
    );
    expect(objects.length).toBeGreaterThan(20);
    expect(objects.filter(({ additionalProperties }) => additionalProperties !== false)).toEqual([]);
  });

  it("lists the known values of each enumeration in a response, and permits others", () => {
    const closed = inResponses.filter(isTextEnum).filter((known) => !isOpenIn(inResponses, known));
    expect(closed).toEqual([]);
  });

  it("rejects unknown values of an enumeration in a request", () => {
    const creation = compile(document, "UserCreation");
    const given = { email: "ben@example.org", name: "Ben", password: "a much longer pass phrase" };
    expect([creation({ ...given, role: "editor" }), creation({ ...given, role: "owner" })]).toEqual([
      true,
      false,
    ]);
  });
});

function compile(given: object, component: string): (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false, formats: WIRE_FORMATS });
  ajv.addSchema(given, "document");
  const check = ajv.compile({
    allOf: [{ $ref: `document#/components/schemas/${component}` }],
    ...(given === document ? {} : { unevaluatedProperties: false }),
  });
  return (value) => check(value);
}

describe("a response of a later version", () => {
  const exampleOf = (component: string): Json => {
    const { examples } = schemas[component] ?? {};
    const [example] = Array.isArray(examples) ? examples : [];
    return isObject(example) ? example : {};
  };
  const [problem, session, book] = ["Error", "Session", "PublicBookDetails"].map(exampleOf);
  const LATER: readonly [string, string, Json][] = [
    ["a new field", "PublicBookDetails", { ...book, rating: 5 }],
    [
      "a new field inside",
      "PublicBookDetails",
      { ...book, series: { name: "Tales", position: 1, books: 3 } },
    ],
    ["a new field of an error", "Error", { ...problem, retryAfter: 5 }],
    ["a new code", "Error", { ...problem, code: "added_later" }],
    ["a new role", "Session", { ...session, user: { ...Object(session?.user), role: "curator" } }],
  ];

  it.each(LATER)("with %s matches the document", (_, component, response) => {
    expect(compile(document, component)(response)).toBe(true);
  });

  it.each(LATER)("with %s is an error in the tests of this version", (_, component, response) => {
    const check = compile(createStrictDocument(document), component);
    expect([check(exampleOf(component)), check(response)]).toEqual([true, false]);
  });
});

it("the strict form takes alternatives beside the fields of a request", () => {
  const check = compile(createStrictDocument(document), "TranslationRequest");
  const given = { languageCode: "es", title: "El pozo" };
  const { languageCode: _, ...neither } = given;
  expect([check(given), check({ ...given, rating: 5 }), check(neither)]).toEqual([true, false, false]);
});
