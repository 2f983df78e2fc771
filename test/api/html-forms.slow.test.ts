/** The forms of pages without scripts: application/x-www-form-urlencoded, a redirect, and pages for what is wrong. */
import { describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { expectProblem } from "../support/expect-problem.ts";

const SUBMIT = "/api/download/submit";
const SUBMIT_ALL = "/api/download/submit-all";
const FORM = "application/x-www-form-urlencoded";
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

async function start(variables: Readonly<Record<string, string>> = {}) {
  const app = await startApp(variables);
  const { book } = await app.make.published("The Deep Well", "es");
  return {
    app,
    book,
    fields: { slug: book.slug, languageCode: "es", email: "A@Example.org", firstName: "Sara" },
  };
}

const send = (
  { api }: TestApp,
  fields: Record<string, string> | string,
  { path = SUBMIT, headers = {} }: { path?: string; headers?: Record<string, string> } = {},
) =>
  api.call("post", path, {
    headers: { "Content-Type": FORM, Accept: BROWSER, ...headers },
    body: typeof fields === "string" ? fields : new URLSearchParams(fields).toString(),
  });

/** Where a form leads, also behind a proxy that serves the API below a path. */
function downloadOf({ headers }: { headers: Record<string, string> }): string {
  const below = new URL(headers.location ?? "", `https://example.org/books${SUBMIT}`).pathname;
  expect(below).toMatch(/^\/books\/api\/download\/[\w.-]+$/);
  return below.replace("/books", "");
}

const contactsOf = async (app: TestApp) =>
  (await (await app.admin()).get("/api/admin/contacts")).body.contacts;

describe("an HTML form", () => {
  it("redirects a browser to the download, which delivers the book", async () => {
    const { app, fields } = await start();
    const more = { lastName: "Núñez", phone: "", fileType: "", bookId: "", submit: "Send" };
    const response = await send(app, { ...fields, ...more });
    expect(response.status).toBe(303);
    const delivered = await app.api.get(downloadOf(response), { Accept: BROWSER });
    expect([delivered.status, delivered.body.toString()]).toEqual([200, "Text of The Deep Well"]);
    expect(await contactsOf(app)).toMatchObject([
      { email: "a@example.org", firstName: "Sara", lastName: "Núñez", phone: "", totalDownloads: 1 },
    ]);
  });

  it("redirects to the ZIP of a language, too", async () => {
    const { app, fields } = await start();
    const response = await send(app, fields, { path: SUBMIT_ALL });
    expect(response.status).toBe(303);
    expect((await app.api.get(downloadOf(response))).status).toBe(200);
  });

  it("returns JSON if JSON is requested, and never redirects a JSON body", async () => {
    const { app, book, fields } = await start();
    const asked = await send(app, fields, { headers: { Accept: "application/json" } });
    expect([asked.status, asked.body.fileType]).toEqual([200, "txt"]);
    const contact = { email: "b@example.org", firstName: "Ben" };
    const body = { slug: book.slug, languageCode: "es", contact };
    const json = await app.api.call("post", SUBMIT, { headers: { Accept: BROWSER }, body });
    expect(json.status).toBe(200);
    const wrong = await app.api.call("post", SUBMIT, { headers: { Accept: BROWSER }, body: {} });
    expectProblem(wrong, 400, { code: "invalid_input" });
  });

  it("records a consent with the version of its text; an unchecked box is a refusal", async () => {
    const { app, fields } = await start();
    const consentOf = async (email: string, more: Record<string, string>) => {
      expect((await send(app, { ...fields, email, ...more })).status).toBe(303);
      const [contact] = (await contactsOf(app)).filter((one: { email: string }) => one.email === email);
      const { body } = await (await app.admin()).get(`/api/admin/contacts/${contact.id}/personal-data`);
      return body.consents.map(({ marketing }: { marketing: boolean }) => marketing);
    };
    expect(await consentOf("on@example.org", { marketing: "on", textVersion: "2026-03" })).toEqual([true]);
    expect(await consentOf("one@example.org", { marketing: "1", textVersion: "2026-03" })).toEqual([true]);
    expect(await consentOf("yes@example.org", { marketing: "yes", textVersion: "2026-03" })).toEqual([true]);
    expect(await consentOf("odd@example.org", { marketing: "?", textVersion: "2026-03" })).toEqual([false]);
    expect(await consentOf("empty@example.org", { marketing: "yes", textVersion: " " })).toEqual([]);
    expect(await consentOf("no@example.org", { textVersion: "2026-03" })).toEqual([false]);
    expect(await consentOf("none@example.org", { marketing: "on" })).toEqual([]);
  });

  it("reports all errors by the field's own name, and records nothing", async () => {
    const { app } = await start();
    const response = await send(app, { fileType: "exe", email: "x@" }, { headers: { Accept: "*/*" } });
    expectProblem(response, 400, {
      errors: [
        "email invalid_email",
        "fileType invalid_value",
        "firstName invalid_type",
        "languageCode invalid_type",
        "bookId exactly_one_needed",
      ],
    });
    expect(await contactsOf(app)).toEqual([]);
  });
});

describe("the page for errors in a form", () => {
  it("is in the language of the form, without scripts, and links back to the site", async () => {
    const { app, fields } = await start({ PUBLIC_SITE_URL: "https://books.example.org/start" });
    const response = await send(app, { ...fields, email: "x" }, { headers: { "Accept-Language": "de" } });
    expect(response.status).toBe(400);
    expect(response.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(response.headers["content-security-policy"]).toMatch(/^default-src 'none'/);
    const page = response.body.toString();
    expect(page).toContain('<html lang="es" dir="ltr">');
    expect(page).toContain("Falta la dirección de correo electrónico o no es válida.");
    expect(page).toContain('<a href="https://books.example.org/start">');
    expect(page).not.toContain("<script");
  });

  it("is in a language that the browser accepts if the form names no known one, else in English", async () => {
    const { app, fields } = await start();
    const pageFor = async (languageCode: string, accepted: string) =>
      (
        await send(app, { ...fields, languageCode }, { headers: { "Accept-Language": accepted } })
      ).body.toString();
    expect(await pageFor("am", "fa-IR,fa;q=0.9")).toContain('<html lang="fa" dir="rtl">');
    expect(await pageFor("", "xx")).toContain('<html lang="en" dir="ltr">');
    expect(await pageFor("ar", "de")).toContain('<html lang="ar" dir="rtl">');
  });
});

it("a form from another site's page is rejected unless CORS_ORIGINS permits that site", async () => {
  const { app, fields } = await start({
    CORS_ORIGINS: "https://one.example",
    PUBLIC_SITE_URL: "https://two.example/books",
    PUBLIC_BASE_URL: "https://api.example",
  });
  const statusFrom = async (origin: string) =>
    (await send(app, fields, { headers: { Origin: origin } })).status;
  expect(await statusFrom("https://one.example")).toBe(303);
  expect(await statusFrom("https://two.example")).toBe(303);
  expect(await statusFrom("https://api.example")).toBe(303);
  const before = (await contactsOf(app))[0].totalDownloads;
  for (const origin of ["https://evil.example", "null", "http://two.example", "https://two.example:8443"])
    expect(await statusFrom(origin), origin).toBe(403);
  const page = (await send(app, fields, { headers: { Origin: "https://evil.example" } })).body.toString();
  expect(page).toContain("<h1>This form is not accepted</h1>");
  expect(page).not.toMatch(/our fault|ask for it again/);
  const rejected = await send(app, fields, { headers: { Origin: "null", Accept: "*/*" } });
  expectProblem(rejected, 403, { code: "foreign_origin" });
  expect((await contactsOf(app))[0].totalDownloads).toBe(before);
});

it.each([
  ["same-origin", 303],
  ["same-site", 403],
  ["cross-site", 403],
])(
  "a form with Origin: null, from a page with Referrer-Policy: no-referrer with Sec-Fetch-Site: %s returns %i",
  async (site, status) => {
    const { app, fields } = await start();
    const headers = { Origin: "null", "Sec-Fetch-Site": site };
    expect((await send(app, fields, { headers })).status).toBe(status);
  },
);

describe("the limit of a form", () => {
  const refusal = async (body: string, headers: Record<string, string> = {}) =>
    send((await start()).app, body, { headers: { Accept: "*/*", ...headers } });

  it("is 16 KiB", async () => {
    expectProblem(await refusal(`a=${"x".repeat(17_000)}`), 413);
  });

  it("is 50 fields in percent-encoded UTF-8", async () => {
    const many = Array.from({ length: 51 }, (_, index) => `f${index}=1`).join("&");
    for (const body of [many, "email=%ff", "email=%", "email=%zz"])
      expectProblem(await refusal(body), 400, { code: "malformed_form" });
    expectProblem(await refusal("a=1", { "Content-Encoding": "gzip" }), 415);
  });
});

it("the page for an invalid link is in the language of the link's book, even after its expiry", async () => {
  const { app } = await start();
  const { book } = await app.make.published("The Sea", "ar");
  const asked = { slug: book.slug, languageCode: "ar", email: "a@example.org", firstName: "Sara" };
  const link = downloadOf(await send(app, asked));
  app.clock.advance(11 * 60_000);
  const expired = await app.api.get(link, { Accept: BROWSER, "Accept-Language": "de" });
  expect(expired.status).toBe(410);
  expect(expired.headers["content-language"]).toBe("ar");
  expect(expired.body.toString()).toContain("انتهت صلاحية هذا الرابط");
  const unknown = await app.api.get("/api/download/nothing", { Accept: BROWSER, "Accept-Language": "ja" });
  expect([unknown.status, unknown.headers["content-language"]]).toEqual([404, "ja"]);
  expectProblem(await app.api.get(link), 410, { code: "download_token_expired" });
});
