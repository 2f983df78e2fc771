/** Sites that send the form of a reader from their own server, with an API key. */
import { describe, expect, it } from "vitest";
import { bearer, changeUser, createAccount, createKey } from "../support/accounts.ts";
import { startApp } from "../support/app.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { contact } from "../support/factory.ts";
import { BEHIND_PROXY, collectStatuses, expectLimited, from, times } from "../support/limits.ts";
import { AGENTS, findOnlyEvent, listEvents } from "../support/reader.ts";

const READER = {
  ipAddress: "203.0.113.7",
  userAgent: AGENTS.iphone,
  referrer: "https://www.example.org/well",
};
const SUBMIT = "/api/download/submit";
const SUBMIT_ALL = "/api/download/submit-all";

async function scene(variables: Record<string, string> = {}) {
  const app = await startApp({ ...BEHIND_PROXY, ...variables });
  await app.make.published("The Well", "es");
  const owner = await createAccount(app, "admin");
  const { key } = await createKey(owner.client, { scopes: ["submit_downloads"] });
  const server = from(app.api, "198.51.100.9").with({
    "User-Agent": "node",
    Referer: "https://server.example/",
  });
  const form = { slug: "the-well", languageCode: "es", contact };
  return { app, owner, key, server, site: server.with(bearer(key)), form };
}

describe.each([SUBMIT, SUBMIT_ALL])("POST %s", (path) => {
  it("records with a key the reader whom the site names", async () => {
    const { app, site, form } = await scene();
    expect((await site.post(path, { ...form, reader: READER })).status).toBe(200);
    expect(await findOnlyEvent(app)).toMatchObject({
      ipAddress: "203.0.113.7",
      browserName: "Mobile Safari",
      osName: "iOS",
      deviceType: "mobile",
      referrer: "https://www.example.org/well",
      isBot: 0,
    });
  });

  it("records missing data of the reader as unknown, and the caller if no reader is named", async () => {
    const { app, site, form } = await scene();
    const bodies = [{ ...form, reader: { ipAddress: "::ffff:203.0.113.8" } }, { ...form, reader: {} }, form];
    for (const body of bodies) expect((await site.post(path, body)).status).toBe(200);
    expect(await listEvents(app)).toMatchObject([
      { ipAddress: "203.0.113.8", browserName: "", referrer: "", isBot: 0 },
      { ipAddress: null, countryCode: null, referrer: "" },
      { ipAddress: "198.51.100.9", referrer: "https://server.example/" },
    ]);
  });

  it("ignores reader data from a caller without a key", async () => {
    const { app, server, form } = await scene();
    for (const reader of [READER, { ipAddress: "nowhere" }, "me", [], null]) {
      expect((await server.post(path, { ...form, reader })).status).toBe(200);
    }
    const events = await listEvents(app);
    expect(new Set(events.map(({ ipAddress }) => ipAddress))).toEqual(new Set(["198.51.100.9"]));
    expect(events.length).toBe(5);
  });

  it("reports errors of the reader together with all others", async () => {
    const { site, form } = await scene();
    const reader = { ipAddress: "203.0.113.300", userAgent: 1, referrer: "a\u0000" };
    const response = await site.post(path, { ...form, languageCode: "!", reader });
    const errors = [
      "languageCode invalid_language_code",
      "reader.ipAddress invalid_format",
      "reader.referrer invalid_characters",
      "reader.userAgent invalid_type",
    ];
    expectProblem(response, 400, { code: "invalid_input", errors });
  });

  it("rejects a bearer token that isn't a key, and a key without the scope", async () => {
    const { app, owner, key, server, form } = await scene();
    const send = (headers: Record<string, string>) => server.with(headers).post(path, form);
    const catalogue = await createKey(owner.client);
    expectProblem(await send(bearer(catalogue.key)), 403, { code: "permission_missing" });
    for (const headers of [bearer("junk"), { Authorization: "Basic eDp5" }, bearer(`${key}x`)]) {
      expectProblem(await send(headers), 401, { code: "unauthenticated" });
    }
    await changeUser(app, owner.id, { isActive: 0 });
    expectProblem(await send(bearer(key)), 401, { code: "unauthenticated" });
    expect(await listEvents(app)).toEqual([]);
  });

  it("requires no permission of the key's owner except an active account", async () => {
    const { app, owner, key, server, form } = await scene();
    await app.admin();
    await changeUser(app, owner.id, { role: "viewer" });
    expect((await server.with(bearer(key)).post(path, form)).status).toBe(200);
    expect((await server.get("/api/admin/books", bearer(key))).status).toBe(403);
  });

  it("limits each reader of a site separately, and the site if there is no address", async () => {
    const { server, site, form } = await scene({ RATE_LIMIT_SUBMIT: "2" });
    const of = (ipAddress?: string) => () => site.post(path, { ...form, reader: { ipAddress } });
    expect(await collectStatuses(...times(2, of("203.0.113.1")), ...times(2, of("203.0.113.2")))).toEqual(
      times(4, 200),
    );
    expectLimited(await of("203.0.113.1")(), 60);
    expect(await collectStatuses(...times(3, of()))).toEqual([200, 200, 429]);
    // A reader who comes by themselves has the same bound, and a site without a key that of its address.
    expectLimited(await from(server, "203.0.113.2").post(path, form), 60);
    expectLimited(await server.post(path, { ...form, reader: READER }), 60);
  });
});

it("a key gets the scope only on request, and then no other", async () => {
  const { owner } = await scene();
  const created = async (body: object) =>
    (await owner.client.post("/api/admin/api-keys", { name: "site", ...body })).body.scopes;
  expect(await created({})).toEqual(["view_books", "edit_books"]);
  expect(await created({ scopes: ["submit_downloads"] })).toEqual(["submit_downloads"]);
});

it("a page of another site can't present a key", async () => {
  const { app } = await startApp({ CORS_ORIGINS: "https://www.example.org" }).then((app) => ({ app }));
  const preflight = await app.api.call("options", SUBMIT, {
    headers: { Origin: "https://www.example.org", "Access-Control-Request-Method": "POST" },
  });
  expect(preflight.headers["access-control-allow-headers"]).toBe("Content-Type");
});
