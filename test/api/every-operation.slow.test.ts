/** What every operation refuses alike, also new ones: made from the route table and the document's own examples. */
import type { Response } from "supertest";
import { expect, it } from "vitest";
import type { Route } from "../../src/http/route.ts";
import { routes } from "../../src/routes/index.ts";
import { createAccount } from "../support/accounts.ts";
import { startApp, startWithAdmin } from "../support/app.ts";
import { dumpOf } from "../support/database-dump.ts";
import { callExample, createExamplePath, findExampleBody } from "../support/example-calls.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { iteratePaths, type JsonPath, withPlace } from "../support/json-paths.ts";
import { createOneOfEverything } from "../support/one-of-everything.ts";
import { findOperation } from "../support/operations.ts";
import { connectTo, formatGet, sendRaw } from "../support/raw-http.ts";
import { linkTo } from "../support/reader.ts";

/** Everything there is, an administrator's client, and a look at whether anything has changed. */
async function scene() {
  const { app, client: admin } = await startWithAdmin();
  const ids = await createOneOfEverything(app);
  const before = await dumpOf(app);
  const expectUnchanged = async (after: string) => expect(await dumpOf(app), after).toEqual(before);
  return { app, ids, admin, expectUnchanged };
}

const nameOf = (route: Route): string => `${route.method.toUpperCase()} ${route.path}`;
const withJson = routes.filter((route) => findExampleBody(route) !== undefined);
const withQuery = routes.filter((route) => route.query !== undefined);

const queryOf = (route: Route) => findOperation(route).parameters.filter((each) => each.in === "query");

/** The public forms ignore what they don't know, so that a site may send more than it has to. */
const LENIENT = new Set(["requestDownload", "requestLanguageDownload"]);
/** What mail programs send besides: test/api/mail-stops.check.test.ts, with a mail server. */
const takesMore = ({ id }: Route): boolean => LENIENT.has(id) || id === "stopMail";
const isPage = ({ id, tag }: Route): boolean => tag === "Library pages" || id === "getHomePage";
/** A page is shown also at an address whose campaign was damaged: library-pages.check.test.ts has what its addresses may be. */
const isStrict = (route: Route): boolean => !LENIENT.has(route.id) && !isPage(route);

interface FieldError {
  path: string;
  code: string;
}

interface ItemResult {
  status: string;
  errors?: FieldError[];
}

/** `path code` of every error that a response names, also of those in the items of a bulk request or an action. */
function errorsIn({ body }: Response): string[] {
  const results: ItemResult[] = body.results ?? [];
  const items: { errors?: FieldError[] }[] = [body, ...results];
  return [
    ...items.flatMap(({ errors = [] }) => errors.map(({ path, code }) => `${path} ${code}`)),
    // An action names books by their ids alone, and says of each in a sentence why it failed.
    ...results.flatMap(({ status, errors }, index) =>
      status === "failed" && errors === undefined ? [`bookIds.${index} failed`] : [],
    ),
  ];
}

/** Fails unless an error is named at the place. */
function expectFaultAt(response: Response, at: JsonPath, what: string): void {
  const places = errorsIn(response).map((error) => error.slice(0, error.lastIndexOf(" ")));
  expect({ what, status: response.status, places }).toEqual({
    what,
    status: response.body.results ? 200 : 400,
    places: expect.arrayContaining([at.join(".")]),
  });
}

/** What is given out leaves a line in the audit log, also by GET. */
const withoutDisclosures = ({
  rows: { audit_log = [], ...rows },
  files,
}: Awaited<ReturnType<typeof dumpOf>>) => ({
  rows: {
    ...rows,
    audit_log: audit_log.filter((row) => !/"action":"(export|disclose)"/.test(JSON.stringify(row))),
  },
  files,
});

it("GET and HEAD change nothing", async () => {
  const { app, ids, admin } = await scene();
  const before = withoutDisclosures(await dumpOf(app));
  for (const route of routes.filter(({ method }) => method === "get")) {
    const path = createExamplePath(route, ids);
    for (const { status } of [await admin.get(path), await admin.head(path)]) {
      expect(status, nameOf(route)).not.toBe(500);
    }
    expect(withoutDisclosures(await dumpOf(app)), nameOf(route)).toEqual(before);
  }
});

it("rejects clients with too many open responses, on every route", async () => {
  const app = await startApp({ MAX_OPEN_RESPONSES: "1" });
  const held = connectTo(app.server);
  held.write(formatGet("/api/auth/login", ["Content-Type: application/json", "Content-Length: 9"], "POST"));
  await expect.poll(async () => (await app.api.get("/api/health")).status).toBe(429);
  for (const route of routes) {
    const response = await callExample(app.api, route);
    expectProblem(response, 429, { code: "too_many_responses" });
    expect(response.headers["retry-after"], nameOf(route)).toBe("5");
  }
  held.destroy();
});

it("an item of one book returns 404 under the path of another", async () => {
  const { app, ids, admin } = await scene();
  const elsewhere = { ...ids, bookId: (await app.make.book("Another")).id };
  const before = await dumpOf(app);
  const parts = routes.filter(({ id, path }) => /\{bookId\}\/.+\{\w+\}$/.test(path) && id !== "putCover");
  expect(parts.map(({ path }) => path.split("/")[5]).sort()).toEqual([
    "covers",
    "covers",
    "covers",
    "files",
    "files",
    "files",
    "files",
    "translations",
  ]);
  for (const route of parts) {
    const response = await callExample(admin, route, elsewhere);
    expect(response.status, nameOf(route)).toBe(404);
    expect(await dumpOf(app), nameOf(route)).toEqual(before);
  }
});

const NOT_THEIRS = {
  id: "set by a caller",
  createdAt: "2020-01-01T00:00:00.000Z",
  updatedAt: 0,
  archivedAt: 0,
  ownerId: "set by a caller",
  downloadCount: -987_654_321,
  searchText: "set by a caller",
  passwordHash: "set by a caller",
  permissions: ["set by a caller"],
};

/** The example of a body with these fields besides, once in each of its objects. */
function* withFieldsOfOurs(route: Route): Generator<{ at: JsonPath; body: unknown }> {
  const example = findExampleBody(route);
  for (const { at, value } of iteratePaths(example)) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) continue;
    yield { at, body: withPlace(example, at, { ...value, ...NOT_THEIRS }) };
  }
}

it("every operation rejects unknown and read-only fields at every depth of a body", async () => {
  const { ids, admin, expectUnchanged } = await scene();
  for (const route of withJson.filter((each) => !takesMore(each))) {
    for (const { at, body } of withFieldsOfOurs(route)) {
      const response = await admin.call(route.method, createExamplePath(route, ids), { body });
      const expected = Object.keys(NOT_THEIRS).map((name) => `${[...at, name].join(".")} unknown_field`);
      expect(errorsIn(response), nameOf(route)).toEqual(expect.arrayContaining(expected));
    }
    await expectUnchanged(nameOf(route));
  }
});

it("an administrative write without a body rejects one, unless it is empty", async () => {
  const { ids, admin, expectUnchanged } = await scene();
  const withoutBody = routes.filter(
    ({ method, path, body }) => method !== "get" && path.startsWith("/api/admin/") && !body,
  );
  expect(withoutBody.length).toBeGreaterThan(5);
  for (const route of withoutBody) {
    const path = createExamplePath(route, ids);
    const send = (body: unknown, headers = {}) => admin.call(route.method, path, { body, headers });
    const fields = await send({ permanent: true, mode: "delete_all" });
    expect(fields.status, nameOf(route)).toBe(400);
    expect(errorsIn(fields), nameOf(route)).toEqual(["permanent unknown_field", "mode unknown_field"]);
    expect((await send([])).status, nameOf(route)).toBe(400);
    expect((await send("permanent=true", { "Content-Type": "text/plain" })).status, nameOf(route)).toBe(415);
    const large = { "Content-Type": "application/json" };
    expect((await send(" ".repeat(20_000), large)).status, nameOf(route)).toBe(413);
    await expectUnchanged(nameOf(route));
  }
  for (const route of withoutBody.filter(({ method }) => method === "delete").reverse()) {
    const response = await admin.call(route.method, createExamplePath(route, ids), { body: {} });
    expect([200, 404, 409], nameOf(route)).toContain(response.status);
  }
});

it("every operation treats an announced body of no bytes as absent", async () => {
  const { app, ids } = await scene();
  const { cookie } = await createAccount(app);
  const send = (method: string, path: string) => {
    const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nCookie: ${cookie}\r\n`;
    return sendRaw(app.server, `${head}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`);
  };
  expect((await send("DELETE", `/api/admin/books/${ids.bookId}`)).status).toBe(200);
  expect((await send("POST", `/api/admin/books/${ids.bookId}/restore`)).status).toBe(200);
  expect((await send("DELETE", `/api/admin/languages/${ids.langId}`)).status).toBe(200);
});

it("an operation without a body reports unknown fields and parameters together", async () => {
  const { ids, admin } = await scene();
  const response = await admin.delete(`/api/admin/books/${ids.bookId}?force=1`, { permanent: true });
  expect(response.status).toBe(400);
  expect(errorsIn(response)).toEqual(["force unknown_field", "permanent unknown_field"]);
});

it("a public form without a body ignores its content", async () => {
  const { app, ids } = await scene();
  for (const route of withJson.filter(({ id }) => LENIENT.has(id))) {
    for (const { body } of withFieldsOfOurs(route)) {
      const given = { ...(typeof body === "object" && body), slug: ids.slugOrId, fileType: "txt" };
      const response = await app.api.call(route.method, route.path, { body: given });
      expect(response.status, nameOf(route)).toBe(200);
    }
  }
  expect(JSON.stringify(await dumpOf(app))).not.toMatch(/set by a caller|-987654321/);
});

it("every operation rejects the same unknown and read-only fields in a form", async () => {
  const { ids, admin, expectUnchanged } = await scene();
  const takingForms = routes.filter(({ body }) =>
    body?.shapes.some(({ mediaType }) => mediaType === "multipart/form-data"),
  );
  expect(takingForms).toHaveLength(5);
  const fields = { id: "x", createdAt: "0", downloadCount: "9", sha256: "x", isActive: "1" };
  for (const route of takingForms) {
    const response = await admin.call(route.method, createExamplePath(route, ids), {
      form: { fields, file: { bytes: Buffer.from("text"), name: "a.txt" } },
    });
    expect(errorsIn(response), nameOf(route)).toEqual(
      expect.arrayContaining(Object.keys(fields).map((name) => `${name} unknown_field`)),
    );
    await expectUnchanged(nameOf(route));
  }
});

it("every response forbids type sniffing, and the execution of content that isn't our own", async () => {
  const { app, ids, admin } = await scene();
  const link = await linkTo(app.api, { slug: ids.slugOrId, languageCode: "es" });
  const token = link.slice(link.lastIndexOf("/") + 1);
  const files: string[] = [];
  for (const route of routes.filter(({ method }) => method === "get")) {
    const { status, headers } = await admin.get(createExamplePath(route, { ...ids, token }));
    expect(headers["x-content-type-options"], nameOf(route)).toBe("nosniff");
    // The pages of the reference are our own.
    if (status !== 200 || /json/.test(headers["content-type"] ?? "") || route.path === "/api/docs") continue;
    files.push(route.id);
    const policy = headers["content-security-policy"] ?? "";
    if (isPage(route) || route.id === "showMailStop") {
      // Our own, too, and without scripts.
      expect(policy, nameOf(route)).toMatch(/^default-src 'none';(?!.*script)/);
      continue;
    }
    expect(policy, nameOf(route)).toMatch(/^default-src 'none'; ?(sandbox|frame-ancestors 'none')$/);
    const isSaved = /^attachment; /.test(headers["content-disposition"] ?? "");
    const isPlainText = /^text\/plain/.test(headers["content-type"] ?? "");
    expect(isSaved || isPlainText || policy.endsWith("sandbox"), nameOf(route)).toBe(true);
  }
  expect(files).toEqual(
    expect.arrayContaining(["downloadFile", "getCover", "getPublishedCover", "getFavicon"]),
  );
});

it("every operation returns 404 for another spelling of a row's number", async () => {
  const { ids, admin, expectUnchanged } = await scene();
  const numbered = routes.filter(({ path }) => /\{(langId|languageId)\}/.test(path));
  expect(numbered.length).toBeGreaterThan(5);
  for (const route of numbered) {
    for (const spell of ODD_NUMBERS) {
      const odd = encodeURIComponent(spell(ids.langId));
      const response = await callExample(admin, route, { ...ids, langId: odd, languageId: odd });
      expect(response.status, `${nameOf(route)} ${odd}`).toBe(404);
    }
    await expectUnchanged(nameOf(route));
  }
});

/** Each is the number for some language or some parser. */
const ODD_NUMBERS: readonly ((id: number) => string)[] = [
  (id: number) => `${id}.0`,
  (id: number) => `${id}e0`,
  (id: number) => `0x${id}`,
  (id: number) => `+${id}`,
  (id: number) => ` ${id}`,
  (id: number) => `${id},0`,
  (id: number) => String.fromCodePoint(0xff10 + id),
  (id: number) => `-${id}`,
  (id: number) => String(2 ** 32 + id),
  (id: number) => String(2 ** 53 + id),
];

it("every operation rejects numbers and booleans of another type in a body", async () => {
  const { ids, admin, expectUnchanged } = await scene();
  const isFlag = (at: JsonPath, value: unknown) =>
    typeof value === "boolean" || /^is[A-Z]/.test(String(at.at(-1)));
  const wrong = {
    number: ["", "1", "0x10", 1.5, 2 ** 53, -(2 ** 53), true, [1], { toString: "1" }],
    flag: ["", "true", "false", 2, -1, [true]],
  };
  let tried = 0;
  for (const route of withJson) {
    const example = findExampleBody(route);
    for (const { at, value } of iteratePaths(example)) {
      if (typeof value !== "number" && typeof value !== "boolean") continue;
      for (const put of isFlag(at, value) ? wrong.flag : wrong.number) {
        const body = withPlace(example, at, put);
        const response = await admin.call(route.method, createExamplePath(route, ids), { body });
        expectFaultAt(response, at, `${nameOf(route)} with ${JSON.stringify(put)}`);
        tried += 1;
      }
    }
    await expectUnchanged(nameOf(route));
  }
  expect(tried).toBeGreaterThan(50);
});

it("every operation rejects text in a body that can't be stored or displayed", async () => {
  const { ids, admin, expectUnchanged } = await scene();
  // A password is any text.
  const isText = (at: JsonPath, value: unknown) =>
    typeof value === "string" && !/password/i.test(String(at.at(-1)));
  let tried = 0;
  for (const route of withJson) {
    const example = findExampleBody(route);
    for (const { at } of [...iteratePaths(example)].filter(({ at, value }) => isText(at, value))) {
      for (const put of ["a\0b", "a\ud800b", "\udc00", "x".repeat(12_000)]) {
        const body = withPlace(example, at, put);
        const response = await admin.call(route.method, createExamplePath(route, ids), { body });
        const what = `${nameOf(route)} ${at.join(".")} ${put.slice(0, 3)}`;
        // What can't be an identifier names nothing that exists.
        const isUnknown = response.status === 404 || errorsIn(response).length === 0;
        if (/Id$|^slug$/.test(String(at.at(-1))) && isUnknown)
          expect([400, 404], what).toContain(response.status);
        else expectFaultAt(response, at, what);
        tried += 1;
      }
    }
    await expectUnchanged(nameOf(route));
  }
  expect(tried).toBeGreaterThan(100);
});

const needsCredential = ({ access }: Route): boolean => !access.isPublic;
const UNKNOWN = "sorting=id&order=desc&__proto__=1&fbclid=x";
/** `UNKNOWN` without what this route knows. */
const unknownOf = (route: Route): string =>
  UNKNOWN.split("&")
    .filter((parameter) => !queryOf(route).some(({ name }) => parameter.startsWith(`${name}=`)))
    .join("&");

it("every operation with a credential rejects unknown parameters, also if it has none", async () => {
  const { ids, admin, expectUnchanged } = await scene();
  const administrative = routes.filter(needsCredential);
  expect(administrative.filter(({ query }) => query === undefined).length).toBeGreaterThan(20);
  for (const route of administrative) {
    const response = await callExample(admin, route, ids, `?${UNKNOWN}`);
    const expected = ["sorting", "order", "__proto__", "fbclid"].map((name) => `${name} unknown_field`);
    expect({ status: response.status, errors: errorsIn(response) }, nameOf(route)).toEqual({
      status: 400,
      errors: expect.arrayContaining(expected),
    });
    await expectUnchanged(nameOf(route));
  }
});

it("every public operation ignores unknown parameters", async () => {
  const { app, ids } = await scene();
  const publicRoutes = routes.filter((route) => !needsCredential(route));
  expect(publicRoutes.length).toBeGreaterThan(10);
  for (const route of publicRoutes) {
    const without = await callExample(app.api, route, ids);
    const { status } = await callExample(app.api, route, ids, `?${unknownOf(route)}&=x`);
    expect(status, nameOf(route)).toBe(without.status);
  }
});

it("every operation treats an empty parameter as absent", async () => {
  const { ids, admin } = await scene();
  // Lists and reports: what they answer twice is the same.
  const asked = withQuery.filter(({ method }) => method === "get");
  expect(asked.length).toBeGreaterThan(15);
  for (const route of asked) {
    const without = await callExample(admin, route, ids);
    const names = queryOf(route).map(({ name }) => name);
    const empty = names.map((name, index) => [`${name}=`, name, `${name}=&${name}=`][index % 3] ?? "");
    for (const query of [...empty, empty.join("&")]) {
      const { status, body } = await callExample(admin, route, ids, `?${query}`);
      expect({ status, errors: body.errors }, `${nameOf(route)} ?${query}`).toEqual({
        status: without.status,
        errors: without.body.errors,
      });
    }
  }
});

it("every operation rejects a repeated parameter", async () => {
  const { ids, admin } = await scene();
  for (const route of withQuery.filter(isStrict)) {
    for (const { name } of queryOf(route))
      expectFaultAt(
        await callExample(admin, route, ids, `?${name}=1&${name}=1`),
        [name],
        `${nameOf(route)} ${name} twice`,
      );
  }
});

it("every operation rejects malformed numbers and control characters in a query", async () => {
  const { ids, admin } = await scene();
  for (const route of withQuery.filter(isStrict)) {
    // An identifier with a control is one of nothing.
    for (const { name, schema } of queryOf(route).filter(
      ({ name }) => name === "languageId" || !/Id$/.test(name),
    )) {
      const isNumber = "type" in schema && schema.type === "integer";
      for (const put of isNumber ? ODD_IN_QUERY : ["a%00b", "a%1bb"]) {
        const what = `${nameOf(route)} ${name}=${put}`;
        expectFaultAt(await callExample(admin, route, ids, `?${name}=${put}`), [name], what);
      }
    }
  }
});

const ODD_IN_QUERY = ["1e3", "0x10", "1.5", "9007199254740993", "-1", "%EF%BC%91", "%201"];
