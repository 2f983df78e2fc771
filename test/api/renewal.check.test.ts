/** Renewing an expired download link, for 24 hours from the first link on. */

import { describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { bodyOf } from "../support/client.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { CLOUD_URL, contact } from "../support/factory.ts";
import { AGENTS, downloadCounts, linkTo, linkToAll, listContacts, listEvents } from "../support/reader.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const PAGE = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/** A published text, and a link to it that has just expired. */
async function scene(variables: Record<string, string> = {}) {
  const app = await startApp(variables);
  const language = await app.make.language("es");
  const { book, file } = await app.make.published("The Well", "es");
  const link = await linkTo(app.api, { slug: "the-well", languageCode: "es" });
  app.clock.advance(10 * MINUTE);
  return { app, api: app.api, language, book, file, link };
}

const renewalOf = (link: string): string => `${link}/renewal`;

const renew = async ({ api }: Pick<TestApp, "api">, link: string): Promise<string> => {
  return (await bodyOf(api.post(renewalOf(link)))).downloadUrl;
};

/** As a browser submits the form of a page that has `Referrer-Policy: no-referrer`. */
const submitPage = ({ api }: Pick<TestApp, "api">, link: string, headers: Record<string, string> = {}) =>
  api.call("post", renewalOf(link), {
    headers: {
      Accept: PAGE,
      Origin: "null",
      "Content-Type": "application/x-www-form-urlencoded",
      ...headers,
    },
    body: "",
  });

describe("POST /api/download/{token}/renewal", () => {
  it("returns a link of ten minutes to the same file, as a new request of the same contact", async () => {
    const { app, api, file, link } = await scene();
    const response = await api.post(renewalOf(link));
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      downloadUrl: expect.stringMatching(/^\/api\/download\/[\w.-]+$/),
      expiresAt: "2026-03-01T12:20:00.000Z",
    });
    expect(response.headers["cache-control"]).toBe("no-store");
    expect((await api.get(response.body.downloadUrl)).body.toString()).toBe("Text of The Well");
    expectProblem(await api.get(link), 410);
    const [first, second, ...others] = await listEvents(app);
    expect(others).toEqual([]);
    expect(first).toMatchObject({ redeemedAt: null, downloadedAt: Date.parse("2026-03-01T12:00:00.000Z") });
    const { id: _, ...same } = { ...first, downloadedAt: app.clock.now(), redeemedAt: app.clock.now() };
    const delivered = { fileId: file.id, bookTitle: "The Well", deliveredVersion: expect.any(String) };
    expect(second).toMatchObject({ ...same, ...delivered });
    expect(await downloadCounts(app)).toEqual({ [file.id]: 1 });
    expect(await listContacts(app)).toMatchObject([
      { email: contact.email, totalDownloads: 2, lastDownloadAt: app.clock.now() },
    ]);
  });

  it("records the campaign of the form, and the device that renews", async () => {
    const { app, api } = await scene();
    const body = { slug: "the-well", languageCode: "es", contact };
    const asked = await api
      .with({ Referer: "https://www.example.org/books", "User-Agent": AGENTS.chrome })
      .post("/api/download/submit?utm_source=letter&utm_medium=email&utm_campaign=march", body);
    app.clock.advance(HOUR);
    const phone = api.with({ "User-Agent": AGENTS.iphone, Referer: "https://elsewhere.example" });
    await renew({ api: phone }, asked.body.downloadUrl);
    expect((await listEvents(app)).at(-1)).toMatchObject({
      utmSource: "letter",
      utmMedium: "email",
      utmCampaign: "march",
      referrer: "https://www.example.org/books",
      deviceType: "mobile",
      redeemedAt: null,
      isBot: 0,
    });
  });

  it("records no consent, and leaves the one of the form as it is", async () => {
    const { app, api } = await scene();
    const consent = { marketing: true, textVersion: "2026-03" };
    const link = await linkTo(api, { slug: "the-well", languageCode: "es", consent });
    app.clock.advance(HOUR);
    await renew(app, link);
    const consents = await app.container.database.read.selectFrom("consents").selectAll().execute();
    expect(consents).toMatchObject([{ marketing: 1, textVersion: "2026-03", repeatedAt: null }]);
  });

  it("redirects a browser, regardless of the page that sends the form and of its content", async () => {
    const { app, api, link } = await scene({ PUBLIC_SITE_URL: "https://books.example.org" });
    const redirected = await submitPage(app, link);
    expect(redirected.status).toBe(303);
    expect(redirected.headers["cache-control"]).toBe("no-store");
    // A proxy can serve the API below a path.
    const { pathname } = new URL(
      redirected.headers.location ?? "",
      `https://example.org/books${link}/renewal`,
    );
    expect(pathname).toMatch(/^\/books\/api\/download\/[\w.-]+$/);
    const delivered = await api.get(pathname.replace("/books", ""), { Accept: PAGE });
    expect([delivered.status, delivered.body.toString()]).toEqual([200, "Text of The Well"]);
    for (const Origin of ["https://evil.example", "https://books.example.org"])
      expect((await submitPage(app, link, { Origin })).status, Origin).toBe(303);
    const plain = { headers: { Accept: PAGE, "Content-Type": "text/plain" }, body: "a=b" };
    expect((await api.call("post", renewalOf(link), plain)).status).toBe(303);
    const json = { headers: { Accept: "application/json" }, body: { contact: { email: "b@example.org" } } };
    expect((await api.call("post", renewalOf(link), json)).status).toBe(200);
    expect(await listContacts(app)).toHaveLength(1);
  });

  it("renews the ZIP of a language, with its present books", async () => {
    const { app, api } = await scene();
    const link = await linkToAll(api, "es");
    app.clock.advance(HOUR);
    await app.make.published("The Hill", "es");
    const renewed = await renew(app, link);
    const zip = await api.get(renewed);
    expect(zip.headers["content-type"]).toBe("application/zip");
    expect(zip.body.includes("02 - The Hill [es].txt")).toBe(true);
    expect((await listEvents(app)).at(-1)).toMatchObject({
      isDownloadAll: 1,
      booksCount: 2,
      fileName: "es.zip",
      redeemedAt: app.clock.now(),
    });
    expect((await api.head(renewed)).status).toBe(200);
  });

  it("renews the link to a file in cloud storage", async () => {
    const { app, api, book } = await scene();
    await app.make.link(book.id, "es");
    const link = await linkTo(api, { slug: "the-well", languageCode: "es", fileType: "pdf" });
    app.clock.advance(HOUR);
    const delivered = await api.get(await renew(app, link), { Accept: PAGE });
    expect([delivered.status, delivered.headers.location]).toEqual([302, CLOUD_URL]);
  });

  it("delivers the file that replaced the requested one", async () => {
    const { app, api, book, link } = await scene();
    const { id } = await app.make.textFile(book.id, "es", "corrected");
    const renewed = await renew(app, link);
    expect((await api.get(renewed)).body.toString()).toBe("corrected");
    expect((await listEvents(app)).at(-1)).toMatchObject({ fileId: id });
  });

  it("also renews a link that hasn't expired", async () => {
    const { app, api } = await scene();
    const link = await linkTo(api, { slug: "the-well", languageCode: "es" });
    app.clock.advance(MINUTE);
    const renewed = await renew(app, link);
    app.clock.advance(10 * MINUTE - 1);
    expect((await api.get(link)).status).toBe(410);
    expect((await api.get(renewed)).status).toBe(200);
  });

  it("ends 24 hours after the first link of the chain, to the second", async () => {
    const { app, api, link } = await scene();
    let last = link;
    for (let hours = 1; hours < 24; hours += 1) {
      app.clock.advance(HOUR);
      last = await renew(app, last);
    }
    app.clock.advance(50 * MINUTE - 1);
    const youngest = await renew(app, last);
    const events = (await listEvents(app)).length;
    app.clock.advance(1);
    for (const old of [link, last, youngest])
      expectProblem(await api.post(renewalOf(old)), 410, { code: "download_renewal_expired" });
    expect((await submitPage(app, youngest)).status).toBe(410);
    expect(await listEvents(app)).toHaveLength(events);
    // A link lives its ten minutes also then.
    app.clock.advance(9 * MINUTE);
    expect((await api.get(youngest)).status).toBe(200);
    expect((await listEvents(app)).filter(({ redeemedAt }) => redeemedAt !== null)).toHaveLength(1);
  });

  it("returns 404 for a contact who was erased, and doesn't restore the contact", async () => {
    const { app, api, link } = await scene();
    const renewed = await renew(app, link);
    const admin = await app.admin();
    const { contacts } = (await admin.get("/api/admin/contacts")).body;
    expect((await admin.delete(`/api/admin/contacts/${contacts[0].id}`)).status).toBe(200);
    for (const each of [link, renewed])
      expectProblem(await api.post(renewalOf(each)), 404, { code: "download_token_unknown" });
    expect(await listContacts(app)).toEqual([]);
    expect(await listEvents(app)).toHaveLength(2);
    const page = (await api.get(link, { Accept: PAGE })).body.toString();
    expect(page).not.toContain("<form");
  });

  it("returns 404 for what is no longer published", async () => {
    const { app, api, book, language, link } = await scene();
    const all = await linkToAll(api, "es");
    const admin = await app.admin();
    await admin.delete(`/api/admin/books/${book.id}`);
    for (const each of [link, all])
      expectProblem(await api.post(renewalOf(each)), 404, { code: "file_unavailable" });
    const page = await submitPage(app, link);
    expect(page.status).toBe(404);
    expect(page.body.toString()).toContain("<h1>Este libro no está disponible</h1>");
    expect(page.body.toString()).not.toContain("<form");
    await admin.post(`/api/admin/books/${book.id}/restore`);
    await renew(app, link);
    await admin.put(`/api/admin/languages/${language.id}`, { isActive: false });
    expectProblem(await api.post(renewalOf(link)), 404, { code: "file_unavailable" });
    expect(await listEvents(app)).toHaveLength(3);
  });

  it("returns 404 for a malformed token, and 405 for another method", async () => {
    const { app, api, link } = await scene();
    const forged = `${link.slice(0, -3)}AAA`;
    for (const bad of ["/api/download/x", forged, "/api/download/%00", `/api/download/${"a".repeat(2001)}`])
      expect((await api.post(renewalOf(bad))).status, bad).toBe(404);
    expectProblem(await api.post(renewalOf(forged)), 404, { code: "download_token_unknown" });
    expectProblem(await api.post(renewalOf("/api/download/%ff")), 400, { code: "malformed_address" });
    const wrong = await api.get(renewalOf(link));
    expectProblem(wrong, 405);
    expect(wrong.headers.allow).toBe("POST, OPTIONS");
    expect(await listEvents(app)).toHaveLength(1);
  });

  it("counts against the limit on forms, and nothing is recorded above it", async () => {
    const { app, api, link } = await scene({ RATE_LIMIT_SUBMIT: "3" });
    await renew(app, link);
    await renew(app, link);
    const rejected = await api.post(renewalOf(link));
    expectProblem(rejected, 429, { code: "too_many_requests" });
    const page = await submitPage(app, link);
    expect([page.status, page.headers["content-language"]]).toEqual([429, "es"]);
    expect(page.body.toString()).toContain('<form method="post" action="renewal">');
    expect(await listEvents(app)).toHaveLength(3);
  });
});

describe("many concurrent renewals", () => {
  it("are bounded by the limit on forms, and each has its own event", async () => {
    const { app, api, link } = await scene({ RATE_LIMIT_SUBMIT: "5" });
    app.clock.advance(MINUTE);
    const responses = await Promise.all(Array.from({ length: 40 }, () => api.post(renewalOf(link))));
    const renewed = responses.filter(({ status }) => status === 200);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(40 - renewed.length);
    // The form itself was one of the five.
    expect(renewed).toHaveLength(4);
    expect(new Set(renewed.map(({ body }) => body.downloadUrl)).size).toBe(4);
    expect(await listEvents(app)).toHaveLength(5);
    expect((await listContacts(app))[0]?.totalDownloads).toBe(5);
  });

  it("during the erasure of the contact leave no event that names it", async () => {
    const { app, api, link } = await scene();
    const admin = await app.admin();
    const { contacts } = (await admin.get("/api/admin/contacts")).body;
    const erasing = admin.delete(`/api/admin/contacts/${contacts[0].id}`);
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async () => (await api.post(renewalOf(link))).status),
    );
    expect((await erasing).status).toBe(200);
    expect(statuses.filter((status) => status !== 200 && status !== 404)).toEqual([]);
    expect(await listContacts(app)).toEqual([]);
    expect((await listEvents(app)).filter(({ contactId }) => contactId !== null)).toEqual([]);
  });
});

describe("the page for an expired link", () => {
  it("has a renewal button in the language of the book, and contains nothing of the contact", async () => {
    const { app, api, link } = await scene({ PUBLIC_SITE_URL: "https://books.example.org/" });
    const response = await api.get(link, { Accept: PAGE, "Accept-Language": "de" });
    expect(response.status).toBe(410);
    const policy = response.headers["content-security-policy"];
    expect(policy).toBe(
      "default-src 'none'; img-src 'self'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    const page = response.body.toString();
    expect(page).toContain('<html lang="es" dir="ltr">');
    expect(page).toContain('<a href="https://books.example.org/">');
    expect(page).not.toContain("<script");
    expect(page.match(/<h1>/g)).toHaveLength(1);
    expect(page).not.toMatch(new RegExp(`${contact.email}|${contact.firstName}`));
    expect(page).toContain(`Número de referencia<br><span dir="ltr">${response.headers["x-request-id"]}<`);
    const [, action = ""] =
      /<form method="post" action="([^"]+)">\n<button type="submit" class="primary">Obtener un enlace nuevo</.exec(
        page,
      ) ?? [];
    const { pathname } = new URL(action, `http://localhost${link}`);
    expect(pathname).toBe(renewalOf(link));
    expect((await submitPage(app, link)).status).toBe(303);
  });

  it("names the book, or the language of a ZIP, while the link can be renewed", async () => {
    const { app, api, link } = await scene();
    const all = await linkToAll(api, "es");
    app.clock.advance(10 * MINUTE);
    const pageOf = async (each: string) => (await api.get(each, { Accept: PAGE })).body.toString();
    expect(await pageOf(link)).toContain('<bdi lang="es">The Well</bdi>');
    expect(await pageOf(all)).toContain('<bdi lang="es">Native es</bdi>');
    app.clock.advance(24 * HOUR);
    for (const each of [link, all]) expect(await pageOf(each)).not.toMatch(/The Well|Native es|<bdi/);
  });

  it("contains only the link back after 24 hours", async () => {
    const { app, api, link } = await scene({ PUBLIC_SITE_URL: "https://books.example.org/" });
    app.clock.advance(24 * HOUR);
    const page = (await api.get(link, { Accept: PAGE })).body.toString();
    expect(page).toContain("<h1>Este enlace ha caducado</h1>");
    expect(page).not.toContain("<form");
    expect(page).toContain('<a href="https://books.example.org/">');
  });
});
