/** Requests that are rejected, as tables: one application for all rows of a file, in which none of them changes anything. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestApp, type TestApp } from "./app.ts";
import type { Client, Method } from "./client.ts";
import { dumpOf } from "./database-dump.ts";
import { expectProblem } from "./expect-problem.ts";
import { createOneOfEverything } from "./one-of-everything.ts";

/**
 * What is sent, the body or the query with its question mark, and what the response is: the errors as `path code`, all of
 * them and in any order, of a 400 with `invalid_input`; or another status, its code, and the errors if it has any.
 */
export type Rejection =
  | readonly [given: unknown, ...errors: string[]]
  | readonly [given: unknown, status: number, code: string, ...errors: string[]];

/** By `METHOD path`. `{name}` in paths and values is the id by which path parameters of that name are filled. */
type Rejections = Readonly<Record<string, readonly Rejection[]>>;

type Ids = Readonly<Record<string, string | number>>;

const fillText = (text: string, ids: Ids): string =>
  text.replaceAll(/\{(\w+)\}/g, (placeholder, name) => String(ids[name] ?? placeholder));

function fill(value: unknown, ids: Ids): unknown {
  if (typeof value === "string") return ids[value.slice(1, -1)] ?? value;
  if (Array.isArray(value)) return value.map((each) => fill(each, ids));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each, ids)]));
}

const methodOf = (name: string): Method => {
  const known: readonly Method[] = ["get", "post", "put", "patch", "delete"];
  const method = known.find((each) => each === name.toLowerCase());
  if (!method) throw new Error(`${name} is no method`);
  return method;
};

interface Scene {
  app: TestApp;
  client: Client;
  ids: Ids;
  before: Awaited<ReturnType<typeof dumpOf>>;
  end(): Promise<void>;
}

async function open(variables: Readonly<Record<string, string>>): Promise<Scene> {
  const { app, end } = await openTestApp(variables);
  const made = await createOneOfEverything(app);
  const { id: otherLangId } = await app.make.language("fr");
  const { id: subLangId } = await app.make.language("es-MX", { parentId: made.langId });
  const ids = { ...made, otherLangId, subLangId };
  return { app, client: await app.admin(), ids, before: await dumpOf(app), end };
}

async function expectRejected({ app, client, ids }: Scene, operation: string, row: Rejection): Promise<void> {
  const [method = "", path = ""] = fillText(operation, ids).split(" ");
  const [given, ...expected] = row;
  const by = path.startsWith("/api/admin/") || path === "/api/auth/password" ? client : app.api;
  const query = typeof given === "string" && given.startsWith("?") ? fillText(given, ids) : "";
  const body = query === "" ? fill(given, ids) : undefined;
  const response = await by.call(methodOf(method), `${path}${query}`, body === undefined ? {} : { body });
  const [status, code, ...others] = expected;
  if (typeof status === "number") {
    const errors = others.map(String);
    expectProblem(response, status, { code: String(code), ...(errors.length > 0 && { errors }) });
  } else expectProblem(response, 400, { code: "invalid_input", errors: expected.map(String) });
}

const nameOf = ([given]: Rejection): string => {
  const text = typeof given === "string" ? given : (JSON.stringify(given) ?? "no body");
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
};

/** Each row is a test; they share an application that has one of everything, and two more languages, `fr` and `es-MX`. */
export function describeRejections(
  tables: Rejections,
  variables: Readonly<Record<string, string>> = {},
): void {
  let scene: Scene;
  beforeAll(async () => {
    scene = await open(variables);
  });
  afterAll(async () => {
    const after = await dumpOf(scene.app);
    await scene.end();
    expect(after, "after all rejected requests").toEqual(scene.before);
  });
  for (const [operation, rows] of Object.entries(tables))
    describe(operation, () => {
      it.each(rows.map((row) => ({ row, name: nameOf(row) })))("rejects $name", ({ row }) =>
        expectRejected(scene, operation, row),
      );
    });
}
