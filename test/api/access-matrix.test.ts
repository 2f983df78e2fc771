/** Who may call what by the table of routes; test/api/access-matrix.check.test.ts calls them all. */
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
import { guarded, nameOf, TAKES_KEYS } from "../support/access-checks.ts";
import { startApp } from "../support/app.ts";
import { createExamplePath } from "../support/example-calls.ts";
import { formatGet, sendRaw } from "../support/raw-http.ts";
import { expectStored } from "../support/stored-files.ts";

const MEBIBYTE = 1024 * 1024;

/** A new public route is added here, too. */
const PUBLIC = [
  "GET /",
  "GET /api/auth/password-reset/{token}",
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
  "GET /api/mail/{key}/stop",
  "GET /api/mail/{token}/confirm",
  "POST /api/mail/{key}/stop",
  "POST /api/mail/{token}/confirm",
  "GET /api/openapi.json",
  "GET /api/widget.js",
  "GET /api/widget/texts/{code}.json",
  "GET /library",
  "GET /library/logo-{hash}.png",
  "GET /library/style-{hash}.css",
  "GET /library/{code}",
  "GET /library/{code}/about",
  "GET /library/{code}/all",
  "GET /library/{code}/all/ready",
  "GET /library/{code}/books/{slug}",
  "GET /library/{code}/books/{slug}/ready",
  "GET /library/{code}/new.atom",
  "GET /library/{code}/privacy",
  "GET /robots.txt",
  "GET /sitemap.xml",
  "GET /sitemaps/{number}.xml",
  "POST /api/auth/login",
  "POST /api/auth/password-reset",
  "POST /api/auth/password-reset/{token}",
  "POST /api/download/submit",
  "POST /api/download/submit-all",
  "POST /api/download/{token}/renewal",
  "POST /library/{code}/all",
  "POST /library/{code}/books/{slug}",
];

/** The operations that each permission opens, by their ids. */
const OPERATIONS: Readonly<Record<Grant, string>> = {
  view_books:
    "exportBooks getBook getBookQr getCover getDeletionImpact listAllCovers listBookLinks listBooks listCovers listFiles previewBook",
  edit_books:
    "addCloudFile addFile bulkUpsertBooks cancelImport cancelJob createBook createImport deleteBook deleteCover deleteFile deleteReplacedCover deleteReplacedFile deleteTranslation examineFile getImport getJob listImports lookUpFiles patchBook planImport putCover putTranslation reorderBooks replaceFile restoreBook runBookAction startImport undoImport updateBook updateFile",
  view_languages: "getLanguageUsage listLanguages listSubLanguageBooks",
  edit_languages: "createLanguage deleteLanguage patchLanguage updateLanguage updateSubLanguageBooks",
  view_channels: "exportPublicationMatrix getPublicationGaps getPublicationMatrix listChannels",
  edit_channels:
    "changePublications createChannel deleteChannel patchChannel togglePublication updateChannel",
  view_contacts: "exportContacts exportPersonalData getContact listContacts",
  edit_contacts: "eraseContact patchContact updateContact",
  view_analytics:
    "exportDownloadEvents getAnalyticsSummary getDownloadsByBook getDownloadsByCampaign getDownloadsByCountry getDownloadsByDate getDownloadsByDevice getDownloadsByLanguage listDownloadEvents",
  manage_api_keys: "createApiKey listApiKeys revokeApiKey",
  manage_settings:
    "createWebhook deleteLibraryLogo deleteLibraryTexts deleteWebhook getLastDoctorReport getLibrary getLibraryLogo getLibraryTexts getMailStatus getSettings getWebhook listWebhookDeliveries listWebhooks patchLibrary patchWebhook putLibraryLogo resendWebhookDelivery rotateWebhookSecret runDoctor startDoctorRun testWebhook updateGeoIp updateLibrary updateLibraryTexts updateWebhook",
  manage_users:
    "createUser deleteUser exportAuditEntries getUser listAuditEntries listUsers patchUser updateUser",
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

const namesOf = (operations: readonly Route[]): string =>
  operations
    .map(({ id }) => id)
    .sort()
    .join(" ");
const isPublic = (route: Route): boolean => route.access.isPublic;

describe("the table itself", () => {
  it("makes exactly these routes public", () => {
    expect(routes.filter(isPublic).map(nameOf).sort()).toEqual([...PUBLIC].sort());
  });

  it("requires the permission that fits each operation", () => {
    const operations = Object.groupBy(routes, ({ access }) => access.permission ?? "none");
    delete operations.none;
    const ids = Object.entries(operations).map(([grant, opened = []]) => [grant, namesOf(opened)]);
    expect(Object.fromEntries(ids)).toEqual(OPERATIONS);
  });

  it("gives each role its permissions", () => {
    const permissions = ROLES.map((role) => [role, ROLE_PERMISSIONS[role].toSorted().join(" ")]);
    expect(Object.fromEntries(permissions)).toEqual(ROLE_GRANTS);
  });

  it("requires a permission for every operation that isn't about one's own session", () => {
    const without = guarded.filter(({ access }) => access.permission === undefined);
    expect(without.map(nameOf).sort()).toEqual([...ANY_SESSION].sort());
  });

  it("keeps everything that isn't public or one's own session below /api/admin", () => {
    const elsewhere = routes.filter(({ path }) => !path.startsWith("/api/admin/"));
    expect(elsewhere.map(nameOf).sort()).toEqual([...PUBLIC, ...ANY_SESSION].sort());
  });

  it("accepts API keys for the forms with a scope that permits no other operation", () => {
    const taking = routes.filter(({ access }) => access.isPublic && access.credentials.length > 0);
    expect(taking.map(nameOf).sort()).toEqual(TAKES_KEYS);
    expect(new Set(taking.map(({ access }) => access.permission))).toEqual(new Set(["submit_downloads"]));
    expect(guarded.filter(({ access }) => access.permission === "submit_downloads")).toEqual([]);
  });

  it("otherwise accepts API keys for the catalogue only", () => {
    for (const route of guarded) {
      const isCatalogue = /^\/api\/admin\/(books|covers|files|imports)(\/|$)/.test(route.path);
      expect(route.access.credentials.includes("apiKey"), nameOf(route)).toBe(isCatalogue);
      if (isCatalogue) expect(route.access.permission).toMatch(/_books$/);
    }
  });

  it("permits no change with a permission to view", () => {
    for (const route of guarded.filter(({ access }) => access.permission !== undefined)) {
      // Imports and their jobs are seen by those who can make them.
      const isOwn = /^\/api\/admin\/(?:imports|jobs)/.test(route.path);
      const kind = route.method === "get" && !isOwn ? /^(view|manage)_/ : /^(edit|manage)_/;
      expect(route.access.permission, nameOf(route)).toMatch(kind);
    }
  });
});

describe("without a credential", () => {
  it("rejects HEAD like GET", async () => {
    const { api } = await startApp();
    for (const route of guarded.filter(({ method }) => method === "get")) {
      const response = await api.head(createExamplePath(route));
      expect(response.status, nameOf(route)).toBe(401);
    }
  });

  it("rejects a request without waiting for its body", async () => {
    const { server } = await startApp();
    const unsafe = guarded.filter((route) => route.method !== "get");
    expect(unsafe.length).toBeGreaterThan(5);
    for (const route of unsafe) {
      const type = route.body?.shapes[0]?.mediaType ?? "application/json";
      const head = formatGet(
        createExamplePath(route),
        [`Content-Type: ${type}; boundary=b`, "Content-Length: 104857600"],
        route.method.toUpperCase(),
      ).replace("Connection: close\r\n", "");
      const response = await sendRaw(server, `${head}{"a":`);
      expect(response.status, nameOf(route)).toBe(401);
      expect(response.headers.connection).toBe("close");
    }
  });

  it("neither reads a large body completely nor stores it", async () => {
    const { server, dataDir } = await startApp();
    const sockets: Socket[] = [];
    server.on("connection", (socket) => sockets.push(socket));
    const head = formatGet("/api/admin/books/x/files/y", ["Content-Length: 104857600"], "PUT");
    const response = await sendRaw(server, Buffer.concat([Buffer.from(head), Buffer.alloc(100 * MEBIBYTE)]));
    expect(response.status).toBe(401);
    expect(JSON.parse(response.body).code).toBe("unauthenticated");
    expect(sockets.map(({ bytesRead }) => bytesRead < 50 * MEBIBYTE)).toEqual([true]);
    await expectStored(dataDir);
  });
});
