/** Text that costs more than its length, in every place where a caller can put a text: made from the route table. */
import { expect, it } from "vitest";
import type { Method, Route } from "../../src/http/route.ts";
import { openApiDocument } from "../../src/openapi/document.ts";
import { routes } from "../../src/routes/index.ts";
import { startWithAdmin, type TestApp } from "../support/app.ts";
import type { Client } from "../support/client.ts";
import { createExamplePath, findExampleBody } from "../support/example-calls.ts";
import type { JsonPath } from "../support/json-paths.ts";
import { encodeMultipart, field, filePart, MULTIPART } from "../support/multipart.ts";
import { createOneOfEverything } from "../support/one-of-everything.ts";
import { findOperation } from "../support/operations.ts";

const { schemas } = openApiDocument(routes, "0.0.0").components;

/** Marks of two combining classes in turns have to be sorted when a text is normalised. */
const marks = (length: number) => `a${"\u0316\u0301".repeat(length / 2)}`;
const letters = (length: number) => `a${"xy".repeat(length / 2)}`;
type Write = (length: number) => string;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Where a JSON Schema takes any text; of a list, in its first element. */
function textPlaces(schema: unknown, at: JsonPath = []): JsonPath[] {
  if (!isObject(schema)) return [];
  const { $ref, properties, items, anyOf, type } = schema;
  if (typeof $ref === "string") return textPlaces(schemas[$ref.split("/").at(-1) ?? ""], at);
  if (isObject(properties))
    return Object.entries(properties).flatMap(([name, inner]) => textPlaces(inner, [...at, name]));
  if (Array.isArray(anyOf)) return anyOf.flatMap((each) => textPlaces(each, at));
  if (items !== undefined) return textPlaces(items, [...at, 0]);
  return type === "string" ? [at] : [];
}

/** The value with a text at the place, and with what has to be around it. */
function withText(value: unknown, [name, ...further]: JsonPath, put: string): unknown {
  if (name === undefined) return put;
  if (typeof name === "number") return [withText(Array.isArray(value) ? value[0] : undefined, further, put)];
  const object = isObject(value) ? value : {};
  return { ...object, [name]: withText(object[name], further, put) };
}

interface Attack {
  what: string;
  send(client: Client, write: Write): Promise<{ status: number }>;
}

type Ids = Readonly<Record<string, string | number>>;
const contentOf = (route: Route) => findOperation(route).requestBody?.content ?? {};

/** JSON as long as any body may be, and once as long as a public form may be. */
function* inBodies(route: Route, ids: Ids): Generator<Attack> {
  for (const at of textPlaces(contentOf(route)["application/json"]?.schema)) {
    for (const length of [5_000, 300_000]) {
      yield {
        what: `${route.id} body ${at.join(".")} ${length}`,
        send: (client, write) =>
          client.call(route.method, createExamplePath(route, ids), {
            body: withText(findExampleBody(route), at, write(length)),
          }),
      };
    }
  }
}

function* inForms(route: Route, ids: Ids): Generator<Attack> {
  for (const [name] of textPlaces(contentOf(route)["multipart/form-data"]?.schema)) {
    const length = name === "file" ? 7_000 : 30_000;
    const partOf = (write: Write) =>
      name === "file" ? filePart("text", `${write(length)}.txt`) : field(String(name), write(length));
    yield {
      what: `${route.id} form ${name}`,
      send: (client, write) =>
        client.call(route.method, createExamplePath(route, ids), {
          headers: MULTIPART,
          body: encodeMultipart(partOf(write)),
        }),
    };
  }
}

/** An address may have 16 KiB, six bytes for each mark. */
function* inAddresses(route: Route, ids: Ids): Generator<Attack> {
  const { parameters } = findOperation(route);
  for (const { name, in: place } of parameters) {
    yield {
      what: `${route.id} ${place} ${name}`,
      send(client, write) {
        const text = encodeURIComponent(write(2_500));
        const path = createExamplePath(route, place === "path" ? { ...ids, [name]: text } : ids);
        return client.call(route.method, place === "path" ? path : `${path}?${name}=${text}`);
      },
    };
  }
}

const KEEPS_STATE: readonly Method[] = ["get", "post", "put", "patch"];

async function attacksOn(app: TestApp): Promise<Attack[]> {
  const ids = await createOneOfEverything(app);
  return routes
    .filter(({ method }) => KEEPS_STATE.includes(method))
    .flatMap((route) => [...inBodies(route, ids), ...inForms(route, ids), ...inAddresses(route, ids)]);
}

/** A bulk request tells of each item; marketing never costs a reader the book; a file's name is cut; only a key names a reader. */
const SAYS_OTHERWISE = /^bulkUpsertBooks body books|utm_|form file$| body reader\./;

it("rejects it, and needs no longer for it than for letters", async () => {
  const { app, client: admin } = await startWithAdmin();
  const attacks = await attacksOn(app);
  expect(attacks.length).toBeGreaterThan(150);
  const took = { letters: 0, marks: 0 };
  for (const { what, send } of attacks) {
    const atFirst = performance.now();
    await send(admin, letters);
    const between = performance.now();
    const { status } = await send(admin, marks);
    took.letters += between - atFirst;
    took.marks += performance.now() - between;
    if (!SAYS_OTHERWISE.test(what)) expect([400, 404, 405, 413, 415], what).toContain(status);
    // A single one whose time grows with the square of its length takes a hundred times as long.
    expect(took.marks, what).toBeLessThan(20 * took.letters + 1000);
  }
});
