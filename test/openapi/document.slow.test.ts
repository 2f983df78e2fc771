/** The OpenAPI document: whole, true to its own schemas, and complete for every operation. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import type { Route } from "../../src/http/route.ts";
import { openApiDocument } from "../../src/openapi/document.ts";
import { findExample } from "../../src/openapi/operation.ts";
import { routes } from "../../src/routes/index.ts";
import { WIRE_FORMATS } from "../support/document-check.ts";
import { findOperation, type OpenApiContent, type OpenApiResponse } from "../support/operations.ts";

const document = openApiDocument(routes, "1.2.3");
const text = JSON.stringify(document);
const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  formats: { ...WIRE_FORMATS, "date-time": isDateTime },
});
ajv.addSchema(document, "document");

function isDateTime(value: string): boolean {
  return new Date(value).toISOString() === value;
}

/** Answers that a reference names in place of being written out. */
const responses: Readonly<Record<string, OpenApiResponse>> = document.components.responses;

const responseOf = (response: OpenApiResponse): OpenApiResponse | undefined =>
  response.$ref === undefined ? response : responses[response.$ref.split("/").at(-1) ?? ""];

/** Every content of an operation that has a schema, with the place where it stands. */
function contentsOf(route: Route): { place: string; mediaType: string; content: OpenApiContent }[] {
  const { requestBody, responses: answers } = findOperation(route);
  const answered = Object.entries(answers).map(([status, answer]) => ({
    place: `responses/${status}`,
    contents: responseOf(answer)?.content,
  }));
  const places = [{ place: "requestBody", contents: requestBody?.content }, ...answered];
  return places.flatMap(({ place, contents }) =>
    Object.entries(contents ?? {}).map(([mediaType, content]) => ({ place, mediaType, content })),
  );
}

/** A schema whose references start at the document. */
const inDocument = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/'));

describe("the document", () => {
  it("is OpenAPI 3.1 with all required parts", () => {
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect(document.info).toMatchObject({ title: expect.any(String), version: "1.2.3" });
    expect(document.info.contact.name).not.toBe("");
    for (const { name, description } of document.tags) expect(description, name).toMatch(/^[A-Z].*\.$/);
    const described = document.tags.map(({ name }) => name);
    expect(described.toSorted()).toEqual([...new Set(routes.map(({ tag }) => tag))].sort());
    expect(Object.keys(document.components.securitySchemes)).toEqual(["session", "bearer"]);
  });

  it("describes every route of the table and nothing else", () => {
    const inTable = routes.map((route) => `${route.method} ${route.path}`);
    const inDocument = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method} ${path}`),
    );
    expect(inDocument.sort()).toEqual(inTable.sort());
  });

  it("has no broken reference and no unused component", () => {
    const references = new Set([...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, to]) => to));
    const { schemas, parameters, responses } = document.components;
    const there = [
      ...Object.keys(schemas).map((name) => `schemas/${name}`),
      ...Object.keys(parameters).map((name) => `parameters/${name}`),
      ...Object.keys(responses).map((name) => `responses/${name}`),
    ];
    expect([...references].filter((to) => to === undefined || !there.includes(to))).toEqual([]);
    expect(there.filter((name) => !references.has(name))).toEqual([]);
    expect(text).not.toContain("$defs");
    expect(text).not.toContain('"wire"');
  });

  it("defines a parameter once that several operations have", () => {
    const written = [...text.matchAll(/\{"name":"\w+","in":"(?:path|query)",.*?"schema":\{.*?\}\}/g)].map(
      ([parameter]) => parameter,
    );
    expect(written.length).toBeGreaterThan(40);
    expect(written.filter((each, index) => written.indexOf(each) !== index)).toEqual([]);
  });

  it("defines the schema of problems twice: as in the specification, and with every field", () => {
    expect(document.components.schemas.Problem).toEqual({ $ref: "#/components/schemas/Error" });
    for (const { content } of Object.values(document.components.responses))
      expect(content["application/problem+json"].schema).toEqual({ $ref: "#/components/schemas/Problem" });
  });

  it("has nothing that makes generated clients worse: defaults of bodies, bounds of all numbers, long patterns", () => {
    expect(JSON.stringify(document.components.schemas)).not.toContain('"default"');
    expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER));
    const patterns = [...text.matchAll(/"pattern":"((?:[^"\\]|\\.)*)"/g)].map(([, pattern = ""]) => pattern);
    expect(patterns.filter((pattern) => pattern.length > 120)).toEqual([]);
  });

  it("declares one type of body for an upload by form: generators support one, and would choose JSON", () => {
    for (const route of routes) {
      const types = Object.keys(findOperation(route).requestBody?.content ?? {});
      if (types.includes("multipart/form-data")) expect(types, route.id).not.toContain("application/json");
    }
  });

  it("has schemas that are JSON Schema 2020-12", () => {
    for (const name of Object.keys(document.components.schemas)) {
      const schema = ajv.getSchema(`document#/components/schemas/${name}`);
      expect(schema, name).toBeTypeOf("function");
    }
  });

  it("declares a number in a query as a number, with its bounds", () => {
    const list = routes.find(({ id }) => id === "listBooks");
    const page = list && findOperation(list).parameters.find(({ name }) => name === "page");
    expect(page).toMatchObject({ in: "query", required: false, schema: { type: "integer", minimum: 1 } });
  });
});

/** Another site may send none. */
const isFormOfPage = ({ method, tag }: Route): boolean => method === "post" && tag === "Library pages";

describe.each(routes.map((route) => ({ name: `${route.method} ${route.path}`, route })))(
  "$name",
  ({ route }) => {
    const operation = findOperation(route);

    it("has an id of its own, a summary, a known tag, its access and all statuses", () => {
      expect(routes.filter(({ id }) => id === route.id)).toEqual([route]);
      expect(operation.operationId).toMatch(/^[a-z][A-Za-z]+$/);
      expect(operation.summary).toMatch(/^[A-Z].{2,}[^.]$/);
      expect(document.tags.map(({ name }) => name)).toContain(operation.tags[0]);
      const { credentials, permission } = route.access;
      const isUnsafe = route.method !== "get" && credentials.length > 0;
      expect(operation.security).toEqual([
        ...(route.access.isPublic && credentials.length > 0 ? [{}] : []),
        ...credentials.map((kind) => (kind === "session" ? { session: [] } : { bearer: [] })),
      ]);
      if (permission !== undefined) expect(operation.description).toContain(`\`${permission}\``);
      const statuses = Object.keys(operation.responses);
      expect(statuses).toContain("default");
      expect(statuses.some((status) => /^[23]/.test(status))).toBe(true);
      expect(statuses.includes("401")).toBe(credentials.length > 0 || route.id === "login");
      // Every role may look at languages and channels, and keys don't count there. Another site may begin no export.
      const isLookedAt = route.method === "get" && route.responses[200]?.kind !== "csv";
      const isEverybodys = isLookedAt && /^view_(languages|channels)$/.test(permission ?? "");
      // Until the reader's address is confirmed.
      const mayBeHeld = route.id === "downloadFile";
      expect(statuses.includes("403")).toBe(
        permission === undefined ? isUnsafe || isFormOfPage(route) || mayBeHeld : !isEverybodys,
      );
      expect(statuses).toContain("429");
      if (route.body !== undefined) expect(statuses).toEqual(expect.arrayContaining(["400", "413", "415"]));
    });

    it("describes every response", () => {
      for (const [status, answer] of Object.entries(operation.responses)) {
        expect(responseOf(answer)?.description, status).toMatch(/^[A-Z]/);
      }
    });

    it("names every parameter of its path once", () => {
      const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const named = operation.parameters.filter((parameter) => parameter.in === "path");
      expect(named.map(({ name }) => name).sort()).toEqual(inPath.sort());
      expect(named.every(({ required }) => required)).toBe(true);
      const names = operation.parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      expect(new Set(names).size).toBe(names.length);
    });

    it("has a matching example for every body that has a shape", () => {
      for (const { place, mediaType, content } of contentsOf(route)) {
        if (!/json$|^multipart\//.test(mediaType)) continue;
        const { schema, example } = content;
        if (!schema) throw new Error(`${place} has no schema`);
        const check = ajv.compile(inDocument(schema));
        expect(check(example) ? [] : check.errors, `${place} ${mediaType}`).toEqual([]);
        if (place.startsWith("responses/4")) expect(example).toMatchObject({ title: expect.any(String) });
      }
    });
  },
);

describe("a composed example", () => {
  const components = new Map([
    ["Book", { type: "object", properties: {}, examples: [{ title: "The Well" }] }],
    ["Bare", { type: "object", properties: { title: { type: "string" } } }],
  ]);
  const book = { $ref: "#/components/schemas/Book" };
  const bare = { $ref: "#/components/schemas/Bare" };

  it("uses the examples of its parts, constants and single values of an enumeration", () => {
    const properties = { success: { type: "boolean", const: true }, books: { type: "array", items: book } };
    expect(findExample({ type: "object", properties }, components)).toEqual({
      success: true,
      books: [{ title: "The Well" }],
    });
    expect(findExample({ anyOf: [book, bare] }, components)).toEqual({ title: "The Well" });
    expect(findExample({ type: "string", const: null }, components)).toBeNull();
  });

  it("is absent if a part has none", () => {
    for (const schema of [
      bare,
      { type: "array", items: bare },
      { type: "object", properties: { bare } },
      {},
    ]) {
      expect(findExample(schema, components)).toBeUndefined();
    }
    expect(findExample({ $ref: "#/components/schemas/Unknown" }, components)).toBeUndefined();
    expect(findExample(undefined, components)).toBeUndefined();
  });
});
