/** How often one caller may try. Behind a trusted proxy a test can come from many addresses. */
import { expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { startApp } from "../support/app.ts";
import { dumpOf } from "../support/database-dump.ts";
import { contact } from "../support/factory.ts";
import { BEHIND_PROXY, collectStatuses, expectLimited, from } from "../support/limits.ts";
import { linkTo } from "../support/reader.ts";

it("RATE_LIMIT_… are 10, 20, 120, 60 and 300 by default", () => {
  expect(readConfig({}).rateLimits).toEqual({ login: 10, submit: 20, download: 120, search: 60, list: 300 });
});

it("the public forms are limited by address, all together; rejected requests record nothing", async () => {
  const app = await startApp({ RATE_LIMIT_SUBMIT: "3", ...BEHIND_PROXY });
  await app.make.published("The Well", "es");
  const here = from(app.api, "203.0.113.1");
  const one = () => here.post("/api/download/submit", { slug: "the-well", languageCode: "es", contact });
  const all = () => here.post("/api/download/submit-all", { languageCode: "es", contact });
  expect(await collectStatuses(one, all, one)).toEqual([200, 200, 200]);
  const before = await dumpOf(app);
  for (const call of [one, all]) expectLimited(await call(), 60);
  expect(await dumpOf(app)).toEqual(before);
  await linkTo(from(app.api, "203.0.113.2"), { slug: "the-well", languageCode: "es" });
  expect((await here.post("/api/auth/login", contact)).status).toBe(400);
});

it("downloads are limited by address, regardless of the token, with a readable page for browsers", async () => {
  const app = await startApp({ RATE_LIMIT_DOWNLOAD: "2" });
  await app.make.published("The Well", "es");
  const link = await linkTo(app.api, { slug: "the-well", languageCode: "es" });
  expect(
    await collectStatuses(
      () => app.api.get(link),
      () => app.api.head("/api/download/guess"),
    ),
  ).toEqual([200, 404]);
  expectLimited(await app.api.get(link), 60);
  const page = await app.api.get(link, { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" });
  expect(page.status).toBe(429);
  expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(Number(page.headers["retry-after"])).toBeGreaterThan(0);
});

it("searches of the public list are limited by address; the list itself isn't limited", async () => {
  const { api } = await startApp({ RATE_LIMIT_SEARCH: "2", ...BEHIND_PROXY });
  const here = from(api, "203.0.113.1");
  const search = (term: string) => () => here.get(`/api/books?search=${term}`);
  const list = () => here.get("/api/books?page=1");
  const faulty = () => here.get("/api/books?search=a&page=x");
  const head = () => here.head("/api/books?search=a");
  expect(await collectStatuses(search("a"), list, faulty, head)).toEqual([200, 200, 400, 200]);
  expectLimited(await search("b")(), 60);
  expect((await here.head("/api/books?search=a")).status).toBe(429);
  expect(await collectStatuses(list, () => from(api, "203.0.113.2").get("/api/books?search=a"))).toEqual([
    200, 200,
  ]);
});

it("pages of the public list that aren't cached are limited by address, also those that were cached before a change; cached ones aren't limited", async () => {
  const { make, api } = await startApp({ RATE_LIMIT_LIST: "2", ...BEHIND_PROXY });
  await make.published("The Well", "es");
  const here = from(api, "203.0.113.1");
  const there = from(api, "203.0.113.2");
  const page = (number: number, client = here) => client.get(`/api/books?page=${number}`);
  const call = (number: number) => () => page(number);
  expect(await collectStatuses(...[1, 1, 1, 2, 1, 2].map(call))).toEqual([200, 200, 200, 200, 200, 200]);
  for (const number of [3, 1_000_000_000]) expectLimited(await page(number), 60);
  expect((await page(3, there)).status).toBe(200);
  expect((await page(3)).status).toBe(200);
  await make.published("The Tree", "es");
  expectLimited(await page(1), 60);
  expect((await page(1, there)).body.pagination.total).toBe(2);
  expect((await page(1)).body.pagination.total).toBe(2);
  expect((await here.get("/api/books?search=tree")).status).toBe(200);
});
