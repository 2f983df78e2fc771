/** Every operation, parameter, schema and property of the document is described, by more than its own name. */
import { describe, expect, it } from "vitest";
import { openApiDocument } from "../../src/openapi/document.ts";
import { routes } from "../../src/routes/index.ts";
import { isObject } from "../../tools/lib/strict-document.ts";
import { findOperation } from "../support/operations.ts";

const { components } = openApiDocument(routes, "1.2.3");

/** Words that say nothing of their own. */
const FILLERS = new Set(["a", "an", "the", "of", "this", "that", "its", "is", "as", "in", "it"]);

const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, " ")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "" && !FILLERS.has(word))
    .map((word) => word.replace(/s$/, ""));

/** What is wrong with a description; undefined where nothing is. */
function objectionTo(description: unknown, ...names: readonly string[]): string | undefined {
  if (typeof description !== "string" || description === "") return "is not described";
  if (!/^[A-Z`0-9]/.test(description)) return `doesn't begin like a sentence: ${description}`;
  if (!/[.:)`|]$/.test(description)) return `doesn't end like a sentence: ${description}`;
  const known = new Set(names.flatMap(wordsOf));
  if (wordsOf(description).every((word) => known.has(word))) return `says only its name: ${description}`;
  return undefined;
}

/** Objections to a schema's properties, at every depth; what a reference names is looked at where it is. */
function objectionsIn(schema: unknown, place: string): string[] {
  if (!isObject(schema)) return [];
  const { properties, items, anyOf, allOf, oneOf, additionalProperties, prefixItems } = schema;
  const own = Object.entries(isObject(properties) ? properties : {}).flatMap(([name, property]) => {
    const at = `${place}.${name}`;
    const described = isObject(property) ? property : {};
    const objection =
      "$ref" in described && described.description === undefined
        ? undefined
        : objectionTo(described.description, name);
    return [...(objection ? [`${at} ${objection}`] : []), ...objectionsIn(property, at)];
  });
  const parts = [items, additionalProperties, anyOf, allOf, oneOf, prefixItems].flat();
  return [...own, ...parts.flatMap((part) => objectionsIn(part, place))];
}

const objection = (place: string, description: unknown, ...names: string[]): string[] => {
  const found = objectionTo(description, ...names);
  return found ? [`${place} ${found}`] : [];
};

describe("the document describes", () => {
  it("every operation, beyond its summary", () => {
    const found = routes.flatMap((route) => {
      const { operationId, summary, description } = findOperation(route);
      return objection(operationId, description, operationId, summary);
    });
    expect(found).toEqual([]);
  });

  it("every parameter", () => {
    const found = routes.flatMap((route) => {
      const { operationId, parameters } = findOperation(route);
      return parameters.flatMap(({ name, description }) =>
        objection(`${operationId} ${name}`, description, name),
      );
    });
    expect(found).toEqual([]);
  });

  it("every component schema", () => {
    const found = Object.entries(components.schemas).flatMap(([name, schema]) =>
      "$ref" in schema ? [] : objection(name, schema.description, name),
    );
    expect(found).toEqual([]);
  });

  it("every property of components, bodies and responses", () => {
    const inComponents = Object.entries(components.schemas).flatMap(([name, schema]) =>
      objectionsIn(schema, name),
    );
    const inOperations = routes.flatMap((route) => {
      const { operationId, requestBody, responses } = findOperation(route);
      const contents = [requestBody, ...Object.values(responses)].flatMap((part) =>
        Object.values(part?.content ?? {}),
      );
      return contents.flatMap(({ schema }) => objectionsIn(schema, operationId));
    });
    expect([...new Set([...inComponents, ...inOperations])]).toEqual([]);
  });
});
