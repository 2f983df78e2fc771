/** What the document says of values beyond their type: formats, and fields of which a request gives one. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { openApiDocument } from "../../src/openapi/document.ts";
import { routes } from "../../src/routes/index.ts";
import { isObject, type Json } from "../../tools/lib/strict-document.ts";
import { WIRE_FORMATS } from "../support/document-check.ts";
import { findOperation } from "../support/operations.ts";

const document = openApiDocument(routes, "1.2.3");
const { schemas } = document.components;
const ajv = new Ajv2020({ strict: false, formats: WIRE_FORMATS });
ajv.addSchema(document, "document");

interface ObjectSchema {
  at: string;
  schema: Json;
  properties: Json;
}

/** Every schema of the document that has properties. */
function* objectSchemas(value: unknown, at = ""): Generator<ObjectSchema> {
  if (typeof value !== "object" || value === null) return;
  if (isObject(value) && isObject(value.properties))
    yield { at, schema: value, properties: value.properties };
  for (const [name, inner] of Object.entries(value)) yield* objectSchemas(inner, `${at}/${name}`);
}

const exampleIn = ({ examples }: Json): Json => {
  const [example] = Array.isArray(examples) ? examples : [];
  return isObject(example) ? example : {};
};

/** Of a field that may be null, what it is otherwise. */
function formatOf(field: unknown): unknown {
  if (!isObject(field)) return undefined;
  return Array.isArray(field.anyOf) ? formatOf(field.anyOf[0]) : field.format;
}

describe("a format in the document", () => {
  const SHAPES = {
    uuid: WIRE_FORMATS.uuid,
    email: /^[^\s@]+@[^\s@]+\.[a-z]+$/,
    uri: /^https:/,
  };
  const formatFor = (value: unknown) =>
    Object.entries(SHAPES).find(([, shape]) => shape.test(String(value)))?.[0];
  /** May also be empty, is a template, or is what a caller sent. */
  const FREE = new Set(["requestId", "objectId", "contactEmail", "url", "bookUrl", "referrer"]);

  it("is declared for identifiers, e-mail addresses and links, and matches the examples", () => {
    const found = [...objectSchemas(schemas)].flatMap(({ at, schema, properties }) =>
      Object.entries(exampleIn(schema))
        .filter(([name]) => !FREE.has(name))
        .map(([name, value]) => ({
          at: `${at} ${name}`,
          expected: formatFor(value),
          reported: formatOf(properties[name]),
        }))
        .filter(({ expected }) => expected !== undefined),
    );
    expect(found.filter(({ expected, reported }) => reported !== expected)).toEqual([]);
    expect([...new Set(found.map(({ reported }) => reported))].sort()).toEqual(Object.keys(SHAPES).sort());
  });

  it("is declared for identifiers in paths", () => {
    const inPath = routes.flatMap((route) =>
      findOperation(route).parameters.filter((each) => each.in === "path"),
    );
    const ids = inPath.filter(({ name }) => /^(?!lang).*[a-z]Id$/.test(name) && name !== "slugOrId");
    expect(ids.length).toBeGreaterThan(20);
    for (const { name, schema } of ids)
      expect(schema, name).toMatchObject({ type: "string", format: "uuid" });
  });
});

describe("fields of which a request contains exactly one", () => {
  const named = [...objectSchemas(document)].flatMap(({ at, schema, properties }) =>
    Object.entries(properties).flatMap(([name, field]) => {
      const described = isObject(field) ? String(field.description) : "";
      const [, other] = /Send this or `(\w+)`/.exec(described) ?? [];
      return other === undefined || /\/(oneOf|anyOf)\/\d+$/.test(at) ? [] : [{ at, schema, name, other }];
    }),
  );

  it("are alternatives of the schema, too", () => {
    expect(named.length).toBeGreaterThan(6);
    for (const { at, schema, name, other } of named) {
      const alternatives = [schema.oneOf ?? schema.anyOf ?? []].flat();
      const required = alternatives.flatMap((each) => (isObject(each) ? [each.required].flat() : []));
      expect(required, `${at} ${name}`).toEqual(expect.arrayContaining([name, other]));
    }
  });

  const ID = "01a1fb60-1a34-772b-a309-dba157e20a81";
  const VALUES: Json = {
    bookId: ID,
    slug: "the-well",
    languageId: 2,
    languageCode: "es",
    bookIds: [ID],
    moves: [{ bookId: ID, sortOrder: 1 }],
  };

  it.each([
    ["DownloadRequest", "bookId", "slug", false],
    ["BookOrder", "bookIds", "moves", false],
    ["TranslationRequest", "languageId", "languageCode", true],
    ["PublicationToggle", "languageId", "languageCode", true],
  ])("give for %s: %s or %s, where null counts as none", (component, one, other, mayBoth) => {
    const check = ajv.compile({ $ref: `document#/components/schemas/${component}` });
    const { [one]: _one, [other]: _other, ...rest } = exampleIn(schemas[component] ?? {});
    const fits = (given: Json): boolean => check({ ...rest, ...given });
    const [first, second] = [{ [one]: VALUES[one] }, { [other]: VALUES[other] }];
    expect([fits(first), fits(second), fits({ [one]: null, ...second })]).toEqual([true, true, true]);
    expect([fits({}), fits({ [one]: null })]).toEqual([false, false]);
    expect(fits({ ...first, ...second })).toBe(mayBoth);
  });
});
