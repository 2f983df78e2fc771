/** Who may call what: every operation of the route table with every kind of credential. */
import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import type { Route } from "../../src/http/route.ts";
import { routes } from "../../src/routes/index.ts";
import {
  type Grant,
  PERMISSIONS,
  ROLE_PERMISSIONS,
  ROLES,
  type Role,
} from "../../src/schemas/permissions.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { dumpOf } from "../support/database-dump.ts";
import { type Credential, everyCredential } from "../support/every-credential.ts";
import { callExample, examplePath } from "../support/example-calls.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { oneOfEverything } from "../support/one-of-everything.ts";
import { rawGet, sendRaw } from "../support/raw-http.ts";
import { expectStored } from "../support/stored-files.ts";

const MEBIBYTE = 1024 * 1024;

/** Whoever adds a public route adds it here too. */
const PUBLIC = [
  "GET /",
  "GET /api/books",
  "GET /api/books/{slugOrId}",
  "GET /api/books/{slugOrId}/cover",
  "GET /api/docs",
  "GET /api/docs/{asset}",
  "GET /api/download/{token}",
  "GET /api/favicon",
  "GET /api/health",
  "GET /api/health/ready",
  "GET /api/languages",
  "GET /api/openapi.json",
  "POST /api/auth/login",
  "POST /api/download/submit",
  "POST /api/download/submit-all",
  "POST /api/download/{token}/renewal",
];

/** The operations that each permission opens, by their ids. */
const OPERATIONS: Readonly<Record<Grant, string>> = {
  view_books: "getBook getCover listAllCovers listBooks listCovers listFiles",
  edit_books:
    "addCloudFile addFile bulkUpsertBooks createBook deleteBook deleteCover deleteFile deleteTranslation putCover putTranslation reorderBooks replaceFile restoreBook updateBook updateFile",
  view_languages: "getLanguageUsage listLanguages listSubLanguageBooks",
  edit_languages: "createLanguage deleteLanguage updateLanguage updateSubLanguageBooks",
  view_channels: "exportPublicationMatrix getPublicationGaps getPublicationMatrix listChannels",
  edit_channels: "createChannel deleteChannel togglePublication updateChannel",
  view_contacts: "exportContacts exportPersonalData getContact listContacts",
  edit_contacts: "eraseContact updateContact",
  view_analytics:
    "exportDownloadEvents getAnalyticsSummary getDownloadsByBook getDownloadsByCountry getDownloadsByDate getDownloadsByDevice getDownloadsByLanguage listDownloadEvents",
  manage_api_keys: "createApiKey listApiKeys revokeApiKey",
  manage_settings: "getSettings runDoctor updateGeoIp",
  manage_users: "createUser deleteUser exportAuditEntries getUser listAuditEntries listUsers updateUser",
  submit_downloads: "requestDownload requestLanguageDownload",
};

/** The permissions of each role. */
const ROLE_GRANTS: Readonly<Record<Role, string>> = {
  viewer: "view_books view_channels view_languages",
  analyst: "view_analytics view_books view_channels view_contacts view_languages",
  editor: "edit_books edit_channels edit_languages view_books view_channels view_languages",
  admin: PERMISSIONS.toSorted().join(" "),
};

/** Of one's own session; no permission. */
const ANY_SESSION = [
  "DELETE /api/auth/sessions/{sessionId}",
  "GET /api/auth/session",
  "GET /api/auth/sessions",
  "POST /api/auth/logout",
  "PUT /api/auth/password",
];

/** Of the public ones, those that take the API key of a site's server: with one that doesn't hold they are closed. */
const TAKES_KEYS = ["POST /api/download/submit", "POST /api/download/submit-all"];

const namesOf = (operations: readonly Route[]): string =>
  operations
    .map(({ id }) => id)
    .sort()
    .join(" ");
const nameOf = (route: Route): string => `${route.method.toUpperCase()} ${route.path}`;
const isPublic = (route: Route): boolean => route.access.isPublic;
const guarded = routes.filter((route) => !isPublic(route));

/** What the table says: 401, 403, or undefined for whatever else comes out of it. */
function refusalOf({ access }: Route, { kind, permissions, headers }: Credential): 401 | 403 | undefined {
  if (access.isPublic && (access.credentials.length === 0 || !("Authorization" in headers))) return undefined;
  if (kind === "nothing" || !access.credentials.includes(kind)) return 401;
  return access.permission && !permissions.includes(access.permission) ? 403 : undefined;
}

async function scene() {
  const app = await startApp();
  let ids: Readonly<Record<string, string | number>> = {};
  const credentials = await everyCredential(app, async () => {
    const made = await oneOfEverything(app);
    ids = made;
    return made.slugOrId;
  });
  return { app, ids, credentials };
}

const call = (app: TestApp, route: Route, ids: Readonly<Record<string, string | number>>, by: Credential) =>
  callExample(app.api.with(by.headers), route, ids);

/** A key's first use is noted; here it is over before anything is compared. */
async function useOnce(app: TestApp, credentials: readonly Credential[]): Promise<void> {
  for (const { headers } of credentials) await app.api.get("/api/admin/books", headers);
}

// Some thousand requests: a busy machine takes longer than one test may otherwise.
describe("every operation with every credential", { timeout: 120_000 }, () => {
  it("rejects exactly what the route table rejects, without changing anything", async () => {
    const { app, ids, credentials } = await scene();
    await useOnce(app, credentials);
    const before = await dumpOf(app);
    let rejected = 0;
    const takingKeys = routes.filter((route) => TAKES_KEYS.includes(nameOf(route)));
    for (const route of [...guarded, ...takingKeys]) {
      for (const by of credentials) {
        const due = refusalOf(route, by);
        if (due === undefined) continue;
        const response = await call(app, route, ids, by);
        expect(response.status, `${nameOf(route)} by ${by.name}`).toBe(due);
        expectProblem(response, due, { code: due === 401 ? "unauthenticated" : "permission_missing" });
        expect(response.headers["www-authenticate"]?.startsWith("Bearer ")).toBe(due === 401 || undefined);
        rejected += 1;
      }
      expect(await dumpOf(app), `after the refused calls of ${nameOf(route)}`).toEqual(before);
    }
    // Nobody, junk and the rest of what is good for nothing, for each guarded operation, and more by permission.
    expect(rejected).toBeGreaterThan(guarded.length * 17);
  });

  it("admits all other credentials", async () => {
    const { app, ids, credentials } = await scene();
    // Logging out ends the sessions that the others need.
    const last = (route: Route) => (route.id === "logout" ? 1 : 0);
    const admittedBy = new Map<string, number>();
    for (const route of routes.toSorted((a, b) => last(a) - last(b))) {
      for (const by of credentials) {
        if (refusalOf(route, by) !== undefined) continue;
        // A log-in may well be wrong.
        const response = await call(app, route, ids, by);
        const isAdmitted =
          ![401, 403].includes(response.status) || response.body.code === "wrong_credentials";
        expect(isAdmitted, `${nameOf(route)} by ${by.name}: ${response.status}`).toBe(true);
        admittedBy.set(route.id, (admittedBy.get(route.id) ?? 0) + 1);
      }
    }
    expect([...admittedBy.keys()].sort()).toEqual(routes.map((route) => route.id).sort());
  });
});

describe("the table itself", () => {
  it("makes exactly these routes public", () => {
    expect(routes.filter(isPublic).map(nameOf).sort()).toEqual([...PUBLIC].sort());
  });

  it("asks for the permission that fits each operation", () => {
    const operations = Object.groupBy(routes, ({ access }) => access.permission ?? "none");
    delete operations.none;
    const ids = Object.entries(operations).map(([grant, opened = []]) => [grant, namesOf(opened)]);
    expect(Object.fromEntries(ids)).toEqual(OPERATIONS);
  });

  it("gives each role its permissions", () => {
    const permissions = ROLES.map((role) => [role, ROLE_PERMISSIONS[role].toSorted().join(" ")]);
    expect(Object.fromEntries(permissions)).toEqual(ROLE_GRANTS);
  });

  it("asks for a permission wherever it is not about one's own session", () => {
    const without = guarded.filter(({ access }) => access.permission === undefined);
    expect(without.map(nameOf).sort()).toEqual([...ANY_SESSION].sort());
  });

  it("keeps everything that isn't public or one's own session below /api/admin", () => {
    const elsewhere = routes.filter(({ path }) => !path.startsWith("/api/admin/"));
    expect(elsewhere.map(nameOf).sort()).toEqual([...PUBLIC, ...ANY_SESSION].sort());
  });

  it("accepts API keys for the forms with a scope that opens no other operation", () => {
    const taking = routes.filter(({ access }) => access.isPublic && access.credentials.length > 0);
    expect(taking.map(nameOf).sort()).toEqual(TAKES_KEYS);
    expect(new Set(taking.map(({ access }) => access.permission))).toEqual(new Set(["submit_downloads"]));
    expect(guarded.filter(({ access }) => access.permission === "submit_downloads")).toEqual([]);
  });

  it("otherwise takes API keys for the catalogue and nothing else", () => {
    for (const route of guarded) {
      const isCatalogue = /^\/api\/admin\/(books|covers)(\/|$)/.test(route.path);
      expect(route.access.credentials.includes("apiKey"), nameOf(route)).toBe(isCatalogue);
      if (isCatalogue) expect(route.access.permission).toMatch(/_books$/);
    }
  });

  it("permits no change with a permission to view", () => {
    for (const route of guarded.filter(({ access }) => access.permission !== undefined)) {
      const kind = route.method === "get" ? /^(view|manage)_/ : /^(edit|manage)_/;
      expect(route.access.permission, nameOf(route)).toMatch(kind);
    }
  });
});

describe("without a credential", () => {
  it("HEAD is rejected like GET", async () => {
    const { api } = await startApp();
    for (const route of guarded.filter(({ method }) => method === "get")) {
      const response = await api.head(examplePath(route));
      expect(response.status, nameOf(route)).toBe(401);
    }
  });

  it("a body is neither awaited nor read", async () => {
    const { server } = await startApp();
    const unsafe = guarded.filter((route) => route.method !== "get");
    expect(unsafe.length).toBeGreaterThan(5);
    for (const route of unsafe) {
      const type = route.body?.shapes[0]?.mediaType ?? "application/json";
      const head = rawGet(
        examplePath(route),
        [`Content-Type: ${type}; boundary=b`, "Content-Length: 104857600"],
        route.method.toUpperCase(),
      ).replace("Connection: close\r\n", "");
      const response = await sendRaw(server, `${head}{"a":`);
      expect(response.status, nameOf(route)).toBe(401);
      expect(response.headers.connection).toBe("close");
    }
  });

  it("a large body that is sent anyway is neither read completely nor stored", async () => {
    const { server, dataDir } = await startApp();
    const sockets: Socket[] = [];
    server.on("connection", (socket) => sockets.push(socket));
    const head = rawGet("/api/admin/books/x/files/y", ["Content-Length: 104857600"], "PUT");
    const response = await sendRaw(server, Buffer.concat([Buffer.from(head), Buffer.alloc(100 * MEBIBYTE)]));
    expect(response.status).toBe(401);
    expect(JSON.parse(response.body).code).toBe("unauthenticated");
    expect(sockets.map(({ bytesRead }) => bytesRead < 50 * MEBIBYTE)).toEqual([true]);
    await expectStored(dataDir);
  });
});
