/** Who came in, who failed to, and who took personal data out. */
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createWriters } from "../../src/repositories/index.ts";
import { FailedLogins } from "../../src/services/users/failed-logins.ts";
import { createAccount, logIn } from "../support/accounts.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { readAuditLog } from "../support/audit-log.ts";
import { addContacts } from "../support/contact-rows.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { PASSWORD } from "../support/factory.ts";
import { BEHIND_PROXY, from, times } from "../support/limits.ts";
import { isOnPostgres } from "../support/test-database.ts";

const MINUTE = 60_000;
const SECRET_WORD = "hunter2-typed-into-the-wrong-field";

const fail = (app: TestApp, address: string, email: string, password = "not the pass phrase") =>
  from(app.api, address).post("/api/auth/login", { email, password });

async function failures(app: TestApp) {
  const lines = (await readAuditLog(app)).filter(({ action }) => action === "login_failed");
  return lines.map(({ objectId, ipAddress, changes }) => [objectId, ipAddress, changes.count?.after]);
}

/** Makes every new line of the log fail. */
const breakLog = ({ container: { database } }: TestApp) =>
  database.commit(async () => {
    for (const statement of FAILING) await sql.raw(statement).execute(database.writer);
  });

const FAILING = isOnPostgres()
  ? [
      "create function fail() returns trigger language plpgsql as $$ begin raise 'made to fail'; end $$",
      "create trigger failing before insert on audit_log for each row execute function fail()",
    ]
  : ["create trigger failing before insert on audit_log begin select raise(abort, 'made to fail'); end"];

it("log-in and log-out are recorded with account, address and request", async () => {
  const app = await startApp(BEHIND_PROXY);
  const { id, email } = await app.make.user("editor");
  const here = from(app.api, "203.0.113.7");
  const login = await here.post("/api/auth/login", { email, password: PASSWORD });
  const { client } = await logIn({ ...app, api: here }, email);
  const logout = await client.post("/api/auth/logout");
  const lines = (await readAuditLog(app)).filter(
    ({ objectId, action }) => objectId === id && action !== "create",
  );
  expect(lines.map(({ action }) => action)).toEqual(["login", "login", "logout"]);
  for (const [line, response] of [
    [lines[0], login],
    [lines[2], logout],
  ] as const) {
    expect(line).toMatchObject({
      at: app.clock.now(),
      actorKind: "user",
      actorId: id,
      ipAddress: "203.0.113.7",
      changes: {},
      objectKind: "user",
      objectName: "editor",
      requestId: response.headers["x-request-id"],
    });
  }
  const admin = await app.admin();
  const { entries } = (await admin.get(`/api/admin/audit?action=login&objectId=${id}`)).body;
  expect(entries.length).toBe(2);
});

describe("failed log-ins", () => {
  it("are one row for an account and an address in 15 minutes, with the number of attempts", async () => {
    const app = await startApp(BEHIND_PROXY);
    const { id, email } = await app.make.user("admin");
    for (const address of ["203.0.113.1", "203.0.113.1", "203.0.113.2", "203.0.113.1"]) {
      expect((await fail(app, address, email)).status).toBe(401);
    }
    await expect
      .poll(() => failures(app))
      .toEqual([
        [id, "203.0.113.1", 3],
        [id, "203.0.113.2", 1],
      ]);
    app.clock.advance(15 * MINUTE);
    await fail(app, "203.0.113.1", email);
    await expect.poll(async () => (await failures(app)).at(-1)).toEqual([id, "203.0.113.1", 1]);
    const [line] = (await readAuditLog(app)).filter(({ action }) => action === "login_failed");
    expect(line).toMatchObject({ actorKind: "unknown", actorId: null, actorName: "", objectName: "admin" });
  });

  it("are recorded without what was typed, and for an unknown account without anything that identifies it", async () => {
    const app = await startApp(BEHIND_PROXY);
    const { email } = await app.make.user("admin");
    await fail(app, "203.0.113.1", `${SECRET_WORD}@example.org`);
    await fail(app, "203.0.113.1", "somebody@example.org", SECRET_WORD);
    await fail(app, "203.0.113.1", email, SECRET_WORD);
    await expect
      .poll(() => failures(app))
      .toEqual([
        ["", "203.0.113.1", 2],
        [expect.any(String), "203.0.113.1", 1],
      ]);
    const kept = JSON.stringify([await readAuditLog(app), app.logged]);
    for (const typed of [SECRET_WORD, "somebody@example.org", email]) expect(kept).not.toContain(typed);
  });

  it.each([
    ["truncated", "203.0.113.0"],
    ["none", null],
  ])("are recorded with as much of the address as IP_STORAGE=%s permits", async (IP_STORAGE, kept) => {
    const app = await startApp({ ...BEHIND_PROXY, IP_STORAGE });
    await fail(app, "203.0.113.1", "unknown@example.org");
    await expect.poll(() => failures(app)).toEqual([["", kept, 1]]);
  });

  it("from any number of addresses make at most 201 rows in 15 minutes, and the counts include them all", async () => {
    const app = await startApp();
    const { container, clock } = app;
    const { writeRecords: write } = createWriters({
      database: container.database,
      clock,
      addressStorage: "full",
    });
    const failed = new FailedLogins({ write, clock, log: container.log, addressStorage: "full" });
    const record = (index: number) =>
      failed.record({ user: undefined, address: `2001:db8::${index.toString(16)}`, requestId: null });
    await Promise.all(times(1000, 0).map((_, index) => record(index)));
    await record(1);
    const rows = await failures(app);
    expect(rows.length).toBe(201);
    expect(rows.filter(([, address]) => address === null)).toEqual([["", null, 800]]);
    expect(rows.find(([, address]) => address === "2001:db8::1")?.[2]).toBe(2);
    clock.advance(-MINUTE);
    await record(5000);
    expect((await failures(app)).at(-1)).toEqual(["", "2001:db8::1388", 1]);
  });

  it("return 401 even if they can't be recorded", async () => {
    const app = await startApp(BEHIND_PROXY);
    await breakLog(app);
    expectProblem(await fail(app, "203.0.113.1", "unknown@example.org"), 401, { code: "wrong_credentials" });
    const reported = () => app.logged.filter(({ msg }) => msg === "could not record a failed log-in");
    await expect.poll(() => reported().length).toBe(1);
  });
});

describe("an export", () => {
  const EXPORTS = [
    ["contact", "/api/admin/contacts/export", "search=reader%40example.org"],
    ["downloadEvent", "/api/admin/analytics/downloads/export", "countryCode=DE"],
    ["auditLog", "/api/admin/audit/export", "actorKind=user"],
  ] as const;

  it.each(EXPORTS)(
    "of the kind %s adds an entry that names file and filters, but not the filters' values",
    async (kind, path, filter) => {
      const app = await startApp(BEHIND_PROXY);
      const { id, client } = await createAccount(app, "admin");
      const response = await from(client, "203.0.113.7").get(`${path}?${filter}&bom=0&startDate=2026-01-01`);
      expect(response.status).toBe(200);
      const line = (await readAuditLog(app)).at(-1);
      expect(line).toMatchObject({
        action: "export",
        objectKind: kind,
        objectId: "",
        actorKind: "user",
        actorId: id,
        ipAddress: "203.0.113.7",
        requestId: response.headers["x-request-id"],
      });
      expect(line?.objectName).toMatch(/\.csv$/);
      const [name] = filter.split("=");
      expect(line?.changes.filters?.after).toContain(name);
      expect(line?.changes.filters?.after).not.toContain("bom");
      expect(JSON.stringify(line)).not.toContain("reader@example.org");
    },
  );

  it("of one person adds an entry with the person's id", async () => {
    const app = await startApp();
    const [contactId = ""] = await addContacts(app, [{ events: [{}] }]);
    const { id, client } = await createAccount(app, "admin");
    expect((await client.get(`/api/admin/contacts/${contactId}/personal-data`)).status).toBe(200);
    expect((await readAuditLog(app)).at(-1)).toMatchObject({
      action: "disclose",
      objectKind: "contact",
      objectId: contactId,
      objectName: contactId,
      actorId: id,
      changes: {},
    });
    const { length } = await readAuditLog(app);
    expect((await client.get("/api/admin/contacts/unknown/personal-data")).status).toBe(404);
    expect(await readAuditLog(app)).toHaveLength(length);
  });

  it("isn't sent if it can't be recorded", async () => {
    const app = await startApp();
    const [contactId = ""] = await addContacts(app, [{ events: [{}] }]);
    const { client } = await createAccount(app, "admin");
    await breakLog(app);
    const paths = [...EXPORTS.map(([, path]) => path), `/api/admin/contacts/${contactId}/personal-data`];
    for (const path of paths) expectProblem(await client.get(path), 500, { code: "server_error" });
  });
});

describe("the log line of a request", () => {
  it.each([
    ["full", "203.0.113.77"],
    ["truncated", "203.0.113.0"],
    ["none", null],
  ])(
    "has as much of the address as IP_STORAGE=%s permits if the request is rejected, and no address otherwise",
    async (IP_STORAGE, kept) => {
      const app = await startApp({ ...BEHIND_PROXY, IP_STORAGE, RATE_LIMIT_DOWNLOAD: "1" });
      const { client } = await createAccount(app, "viewer");
      const there = (of: typeof client) => from(of, "203.0.113.77");
      const responses = [
        await there(app.api).get("/api/download/x"),
        await there(app.api).get("/api/download/x"),
        await there(app.api).get("/api/admin/books"),
        await there(client).get("/api/admin/contacts"),
        await there(app.api).get("/api/books"),
      ];
      expect(responses.map(({ status }) => status)).toEqual([404, 429, 401, 403, 200]);
      const lineOf = (id: unknown) => app.logged.find((line) => line.msg === "request" && line.id === id);
      const ids = responses.map(({ headers }) => headers["x-request-id"]);
      await expect.poll(() => ids.every((id) => lineOf(id) !== undefined)).toBe(true);
      expect(ids.map((id) => lineOf(id)?.address)).toEqual([undefined, kept, kept, kept, undefined]);
    },
  );
});
