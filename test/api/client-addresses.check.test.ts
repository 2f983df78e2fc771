/** The addresses of clients in the notations that proxies and sites write, on everything that uses them. */
import { describe, expect, it } from "vitest";
import { bearer, createKey } from "../support/accounts.ts";
import { startApp } from "../support/app.ts";
import { contact } from "../support/factory.ts";
import { collectStatuses, from } from "../support/limits.ts";
import { AGENTS, findOnlyEvent, linkTo, listEvents } from "../support/reader.ts";

async function scene(variables: Record<string, string> = {}) {
  const app = await startApp({ TRUST_PROXY: "1", ...variables });
  await app.make.published("The Well", "es");
  return { app, form: { slug: "the-well", languageCode: "es", contact } };
}

describe("X-Forwarded-For with a port", () => {
  it.each([
    ["41.90.1.1:54321", "41.90.1.1", "KE"],
    ["[2a02:2e0:3fe:1001::77]:54321", "2a02:2e0:3fe:1001::77", "DE"],
    ["[2a02:2e0:3fe:1001::77]", "2a02:2e0:3fe:1001::77", "DE"],
    ["[::ffff:41.90.1.1]:54321", "41.90.1.1", "KE"],
    ["9.9.9.9:1, 41.90.1.1:54321", "41.90.1.1", "KE"],
  ])("%s: a form has the address and its country", async (forwarded, ipAddress, countryCode) => {
    const { app, form } = await scene();
    await linkTo(from(app.api, forwarded), form);
    expect(await findOnlyEvent(app)).toMatchObject({ ipAddress, countryCode });
  });

  it("is the downloading client's, too", async () => {
    const { app, form } = await scene();
    const link = await linkTo(from(app.api, "203.0.113.1:1"), form);
    await from(app.api, "41.90.1.1:54321").get(link, { "User-Agent": AGENTS.chrome });
    expect(await findOnlyEvent(app)).toMatchObject({ ipAddress: "41.90.1.1", countryCode: "KE" });
  });

  it("is cut also of the proxies that a range trusts", async () => {
    const { app, form } = await scene({ TRUST_PROXY: "loopback, 10.0.0.0/8, fd00::/8" });
    await linkTo(from(app.api, "41.90.1.1:54321, 10.1.2.3:443"), form);
    await linkTo(from(app.api, "41.90.1.2:54321, [fd00::7]:443, 10.1.2.3"), form);
    expect((await listEvents(app)).map(({ ipAddress }) => ipAddress)).toEqual(["41.90.1.1", "41.90.1.2"]);
  });

  it("gives each client a limit of its own, with any port", async () => {
    const { app, form } = await scene({ RATE_LIMIT_SUBMIT: "2" });
    const send = (address: string) => () => from(app.api, address).post("/api/download/submit", form);
    const one = ["203.0.113.1:1", "203.0.113.1:2", "203.0.113.1"].map(send);
    expect(await collectStatuses(...one, send("203.0.113.2:1"))).toEqual([200, 200, 429, 200]);
  });

  it("is the address of a session, of a failed log-in and of its log line", async () => {
    const { app } = await scene();
    const password = "a long and good password";
    const admin = await app.admin();
    const user = { email: "ed@example.org", name: "Ed", role: "editor", password };
    expect((await admin.post("/api/admin/users", user)).status).toBe(201);
    const here = from(app.api, "[2001:db8::7]:443");
    expect((await here.post("/api/auth/login", { email: user.email, password: "wrong" })).status).toBe(401);
    const { headers } = await here.post("/api/auth/login", { email: user.email, password });
    const cookie = [headers["set-cookie"] ?? []]
      .flat()
      .map((each) => each.split(";")[0])
      .join("; ");
    const { body } = await app.api.get("/api/auth/sessions", { Cookie: cookie });
    expect(body.sessions).toMatchObject([{ ipAddress: "2001:db8::7" }]);
    expect(app.logged.filter(({ status }) => status === 401)).toMatchObject([{ address: "2001:db8::7" }]);
  });

  it("is no address if it isn't one: the proxy's counts", async () => {
    const { app, form } = await scene();
    await linkTo(from(app.api, "unknown:443"), form);
    expect(await findOnlyEvent(app)).toMatchObject({ ipAddress: "127.0.0.1" });
  });
});

it.each([
  ["41.90.1.1:54321", "41.90.1.1"],
  ["[2a02:2e0:3fe:1001::77]:443", "2a02:2e0:3fe:1001::77"],
  [" [2a02:2e0:3fe:1001::77] ", "2a02:2e0:3fe:1001::77"],
])("reader.ipAddress with a port %s is %s", async (ipAddress, plain) => {
  const { app, form } = await scene();
  const { key } = await createKey(await app.admin(), { scopes: ["submit_downloads"] });
  await linkTo(app.api.with(bearer(key)), { ...form, reader: { ipAddress } });
  expect(await findOnlyEvent(app)).toMatchObject({ ipAddress: plain });
});

it("an empty reader.ipAddress is none, as of a proxy that sends no header", async () => {
  const { app, form } = await scene();
  const { key } = await createKey(await app.admin(), { scopes: ["submit_downloads"] });
  const reader = { ipAddress: "", userAgent: "", referrer: "" };
  await linkTo(app.api.with(bearer(key)), { ...form, reader });
  expect(await findOnlyEvent(app)).toMatchObject({ ipAddress: null });
});

describe("the doctor, about the ranges of TRUST_PROXY", () => {
  async function findTrusted(trustProxy: string, ...addresses: string[]) {
    const { app, form } = await scene({ TRUST_PROXY: trustProxy });
    for (const address of addresses) await linkTo(from(app.api, address), form);
    const { body } = await (await app.admin()).get("/api/admin/doctor");
    expect(body.isHealthy).toBe(true);
    return body.findings
      .filter(({ check }: { check: string }) => check === "trusted_readers")
      .map(({ object, message }: { object: { name: string }; message: string }) => [object.name, message]);
  }

  it("names those that contain readers, by the addresses of the last downloads", async () => {
    const found = await findTrusted(
      "loopback, uniquelocal",
      "192.168.0.5",
      "41.90.1.1",
      "10.0.0.7",
      "41.90.1.2, 10.0.0.8",
    );
    const message =
      "TRUST_PROXY trusts uniquelocal, and 2 of the last 4 requested downloads came from there.";
    expect(found).toEqual([["uniquelocal", message]]);
  });

  it("names those that are too wide, also without any download", async () => {
    const message = (range: string) =>
      `TRUST_PROXY trusts ${range}, which contains the addresses of readers.`;
    expect(await findTrusted("127.0.0.1, 128.0.0.0/1, ::/1")).toEqual([
      ["128.0.0.0/1", message("128.0.0.0/1")],
      ["::/1", message("::/1")],
    ]);
  });

  it.each(["1", "loopback, 10.0.0.0/8"])("names none with %s", async (trustProxy) => {
    expect(await findTrusted(trustProxy, "41.90.1.1", "192.168.0.5")).toEqual([]);
  });
});
