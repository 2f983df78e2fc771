/** Which websites' pages may submit forms: those of the service's own hosts, also behind proxies that change them. */
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";

type Headers = Readonly<Record<string, string>>;

/** The status of a form with these headers. */
async function start(variables: Headers = {}) {
  const { app, client: admin } = await startWithAdmin({ TRUST_PROXY: "1", ...variables });
  await app.make.language("es");
  const spanish = (await admin.get("/api/admin/languages")).body.languages[0];
  await admin.put(`/api/admin/languages/${spanish.id}`, { customDomain: "libros.example.net" });
  const { book } = await app.make.published("The Deep Well", "es");
  const fields = { slug: book.slug, languageCode: "es", email: "a@example.org", firstName: "Sara" };
  const send = async (headers: Headers, body: Headers = fields): Promise<number> =>
    (
      await app.api.call("post", "/api/download/submit", {
        headers: { "Content-Type": "application/x-www-form-urlencoded", Accept: "text/html", ...headers },
        body: new URLSearchParams(body).toString(),
      })
    ).status;
  return { app, admin, send, spanish };
}

const PUBLIC = { PUBLIC_BASE_URL: "https://books.example.org" };

describe("a form on the custom domain of a language", () => {
  it("is accepted, with and without Fetch Metadata, with http and with a port", async () => {
    const { send } = await start(PUBLIC);
    const Host = "libros.example.net";
    const Origin = "https://libros.example.net";
    expect(await send({ Host, Origin, "Sec-Fetch-Site": "same-origin" })).toBe(303);
    expect(await send({ Host, Origin })).toBe(303);
    expect(await send({ Origin, "Sec-Fetch-Site": "cross-site" })).toBe(303);
    expect(await send({ Origin: "http://libros.example.net" })).toBe(303);
    expect(await send({ Origin: "https://libros.example.net:8443" })).toBe(303);
  });

  it("is accepted also while the language is inactive, and no longer without the domain", async () => {
    const { admin, app, send, spanish } = await start(PUBLIC);
    const { book } = await app.make.published("The Sea", "fr");
    const french = { slug: book.slug, languageCode: "fr", email: "a@example.org", firstName: "Sara" };
    const Origin = "https://libros.example.net";
    await admin.put(`/api/admin/languages/${spanish.id}`, { isActive: 0 });
    expect(await send({ Origin }, french)).toBe(303);
    await admin.put(`/api/admin/languages/${spanish.id}`, { customDomain: null });
    expect(await send({ Origin }, french)).toBe(403);
  });
});

describe("a form on the host of the request", () => {
  it("is accepted with any Host that a proxy passes on, if the browser says that the page is of this origin", async () => {
    const { send } = await start(PUBLIC);
    const headers = { "Sec-Fetch-Site": "same-origin" };
    for (const [Host, Origin] of [
      ["books.example.org", "https://books.example.org:8443"],
      ["backend:3000", "https://books.example.org:8443"],
      ["books.example.org", "http://other.example.org"],
    ] as const)
      expect(await send({ ...headers, Host, Origin }), Origin).toBe(303);
  });

  it("is accepted without Fetch Metadata, with either scheme and the same port", async () => {
    for (const variables of [{}, PUBLIC]) {
      const { send } = await start(variables);
      expect(await send({ Host: "one.example", Origin: "https://one.example" })).toBe(303);
      expect(await send({ Host: "one.example", Origin: "http://one.example" })).toBe(303);
      expect(await send({ Host: "one.example:443", Origin: "https://one.example" })).toBe(303);
      expect(await send({ Host: "one.example:8443", Origin: "https://one.example:8443" })).toBe(303);
      expect(await send({ Host: "one.example:8443", Origin: "https://one.example" })).toBe(403);
      expect(await send({ Host: "one.example", Origin: "https://one.example:8443" })).toBe(403);
    }
  });

  it("is accepted on that of PUBLIC_BASE_URL with either scheme and any Host", async () => {
    const { send } = await start(PUBLIC);
    expect(await send({ Host: "backend:3000", Origin: "https://books.example.org" })).toBe(303);
    expect(await send({ Host: "backend:3000", Origin: "http://books.example.org" })).toBe(303);
    expect(await send({ Host: "backend:3000", Origin: "https://books.example.org:8443" })).toBe(403);
  });
});

it.each([
  "https://evil.example",
  "https://libros.example.net.evil.example",
  "https://evil.example/libros.example.net",
  "https://libros.example.net@evil.example",
  "https://books.example.org/",
  "ftp://libros.example.net",
  "libros.example.net",
  "null",
  "",
])("a form on a foreign page is rejected: %s", async (Origin) => {
  const { send } = await start(PUBLIC);
  expect(await send({ Origin })).toBe(403);
  for (const site of ["cross-site", "same-site", "none"])
    expect(await send({ Origin, "Sec-Fetch-Site": site }), site).toBe(403);
});
