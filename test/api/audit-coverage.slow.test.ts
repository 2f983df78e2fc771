/** Every operation that changes something is in the audit log, in the same transaction; generated from the route table. */
import type { Response } from "supertest";
import { expect, it } from "vitest";
import type { Route } from "../../src/http/route.ts";
import { routes } from "../../src/routes/index.ts";
import { startApp, startWithAdmin, type TestApp } from "../support/app.ts";
import { readAuditLog } from "../support/audit-log.ts";
import { type ChangeCall, RECIPE_SETTINGS, RECIPES, UNRECORDED } from "../support/change-recipes.ts";
import type { Client } from "../support/client.ts";
import { dumpOf } from "../support/database-dump.ts";
import { createExamplePath } from "../support/example-calls.ts";
import { failOn } from "../support/failing-rows.ts";

/** What changes something, by any user who may; readers' and log-ins are about events and sessions. */
const changing = routes.filter(({ method, access }) => method !== "get" && !access.isPublic);

/** Each way to change something, with its operation; one without a recipe fails by its name. */
const cases = changing.flatMap((route) => {
  const names = Object.keys(RECIPES).filter((name) => name.split(" ")[0] === route.id);
  if (route.id in UNRECORDED) return [];
  return (names.length > 0 ? names : [route.id]).map((name) => [name, route] as const);
});
const casesWithKeys = cases.filter(([, { access }]) => access.credentials.includes("apiKey"));

/** An application in which everything is ready for a call, and the call. */
async function prepare(name: string) {
  const recipe = RECIPES[name];
  if (!recipe) throw new Error(`test/support/change-recipes.ts doesn't say how ${name} is called`);
  const app = await startApp(RECIPE_SETTINGS);
  return { app, call: await recipe(app) };
}

const send = (client: Client, route: Route, { ids, query = "", ...rest }: ChangeCall): Promise<Response> =>
  client.call(route.method, createExamplePath(route, ids) + query, rest);

/** What a call adds to the log. */
async function added(app: TestApp, call: () => Promise<Response>) {
  const { length } = await readAuditLog(app);
  const response = await call();
  return { response, lines: (await readAuditLog(app)).slice(length) };
}

it("covers every operation that changes something, or states why it isn't recorded", () => {
  const known = [...Object.keys(RECIPES), ...Object.keys(UNRECORDED)].map((name) => name.split(" ")[0] ?? "");
  expect([...new Set(known)].sort()).toEqual(changing.map(({ id }) => id).sort());
});

it.each(cases)("a change by an administrator %s adds one entry", async (name, route) => {
  const { app, call } = await prepare(name);
  const client = await app.admin();
  const { user } = (await client.get("/api/auth/session")).body;
  const { response, lines } = await added(app, () => send(client, route, call));
  expect([200, 201, 202, 204], JSON.stringify(response.body)).toContain(response.status);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({
    at: app.clock.now(),
    actorKind: "user",
    actorId: user.id,
    actorName: user.name,
    ipAddress: "127.0.0.1",
    requestId: response.headers["x-request-id"],
  });
  // What is done twice may be refused the second time, or change nothing.
  const again = await added(app, () => send(client, route, call));
  expect(again.lines.length).toBeLessThanOrEqual(again.response.status < 300 ? 1 : 0);
});

it.each(casesWithKeys)("a change by an API key %s adds one entry", async (name, route) => {
  const { app, call } = await prepare(name);
  const client = await app.make.apiKey();
  const key = (await readAuditLog(app)).at(-1);
  const { response, lines } = await added(app, () => send(client, route, call));
  expect([200, 201, 202], JSON.stringify(response.body)).toContain(response.status);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({
    actorKind: "apiKey",
    actorId: key?.objectId,
    actorName: "test",
    ipAddress: "127.0.0.1",
    requestId: response.headers["x-request-id"],
  });
});

it.each(cases)("a rejected request %s adds no entry", async (name, route) => {
  const { app, call } = await prepare(name);
  const client = await app.admin();
  const rejected = async (status: number, by: Client, given: ChangeCall) => {
    const { response, lines } = await added(app, () => send(by, route, given));
    expect([response.status, lines]).toEqual([status, []]);
  };
  await rejected(401, app.api, call);
  if (route.access.permission) await rejected(403, await app.make.login("viewer"), call);
  if (call.body) await rejected(400, client, { ...call, body: { ...Object(call.body), unknown: 1 } });
  if (call.ids) await rejected(404, client, { ...call, ids: {} });
});

it.each(cases)("an entry and its change succeed or fail together %s", async (name, route) => {
  const { app, call } = await prepare(name);
  const client = await app.admin();
  // Bytes that were stored before the change failed are released.
  const readRows = async () => {
    const { released_bytes: _, ...rows } = (await dumpOf(app)).rows;
    return rows;
  };
  const before = await readRows();
  const failsBecauseOf = async (change: "insert" | "update", table: "audit_log" | "catalogue_version") => {
    const mend = await failOn(app.container.database, change, table);
    const { status } = await send(client, route, call);
    await mend();
    return status;
  };
  expect(await failsBecauseOf("insert", "audit_log")).toBe(500);
  expect(await readRows()).toEqual(before);
  // What changes the catalogue raises its version last, when the line has been written.
  if ((await failsBecauseOf("update", "catalogue_version")) < 300) {
    expect((await dumpOf(app)).rows.catalogue_version).toEqual(before.catalogue_version);
  } else expect(await readRows()).toEqual(before);
});

it("a bulk request adds an entry for each item that changes something, and none for a dry run", async () => {
  const { app, client } = await startWithAdmin();
  const books = [{ titleEn: "Well" }, { titleEn: "Tree" }, { slug: "tree", titleEn: "Tree again" }];
  const post = (query: string) => added(app, () => client.post(`/api/admin/books/bulk${query}`, { books }));
  expect((await post("?dryRun=true")).lines).toEqual([]);
  const { response, lines } = await post("");
  expect(lines.map(({ objectName }) => objectName)).toEqual(["Well", "Tree"]);
  expect(new Set(lines.map(({ requestId }) => requestId))).toEqual(
    new Set([response.headers["x-request-id"]]),
  );
  expect((await post("")).lines).toEqual([]);
});
