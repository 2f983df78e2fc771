/** What one instance has responded holds at another one on its next request. */
import { expect, it } from "vitest";
import { changeUser, createAccount, createKey } from "../support/accounts.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { startInstances } from "../support/instances.ts";
import { linkTo } from "../support/reader.ts";

const ROUNDS = 20;

it("all instances apply changes of the catalogue", async () => {
  const [one, another] = await startInstances();
  const admin = await one.admin();
  const { book } = await one.make.published("Well", "en");
  await one.make.publish(book.id, (await one.make.channel("Web")).id, 1);
  for (let round = 0; round < ROUNDS; round++) {
    const titleEn = `Well ${round}`;
    expect((await admin.put(`/api/admin/books/${book.id}`, { titleEn })).status).toBe(200);
    const { body } = await another.api.get("/api/books");
    expect(body.books).toMatchObject([{ titleEn }]);
  }
  // All but the first are kept responses.
  await expect.poll(() => another.logged.filter(({ kept }) => kept)).toHaveLength(ROUNDS - 1);
});

it("all instances apply log-outs, demotions and revoked keys", async () => {
  const [one, another] = await startInstances();
  await one.make.user("admin");
  for (let round = 0; round < ROUNDS / 4; round++) {
    const account = await createAccount(one);
    const there = another.api.with({ Cookie: account.cookie });
    const { key, id } = await createKey(account.client);
    const withKey = another.api.with({ Authorization: `Bearer ${key}` });
    expect((await withKey.get("/api/admin/books")).status).toBe(200);
    await account.client.delete(`/api/admin/api-keys/${id}`);
    expectProblem(await withKey.get("/api/admin/books"), 401);
    expect((await there.get("/api/admin/users")).status).toBe(200);
    await changeUser(one, account.id, { role: "viewer" });
    expectProblem(await there.get("/api/admin/users"), 403);
    expect((await there.get("/api/admin/books")).status).toBe(200);
    await account.client.post("/api/auth/logout");
    expectProblem(await there.get("/api/admin/books"), 401);
  }
});

it("all instances include events of the others in the next report", async () => {
  const [one, another] = await startInstances();
  await one.make.published("Well", "en");
  const admin = await another.admin();
  for (let round = 1; round <= ROUNDS / 2; round++) {
    await linkTo(one.api, { slug: "well", languageCode: "en" });
    const { body } = await admin.get("/api/admin/analytics/summary");
    expect(body).toMatchObject({ totals: { downloads: round }, funnel: { requested: round } });
  }
});

it("rate limits count the requests of all instances, under keys that contain no address", async () => {
  const [one, another] = await startInstances({ RATE_LIMIT_SEARCH: "4" });
  const search = "/api/books?search=well";
  for (const { api } of [one, another, one, another]) expect((await api.get(search)).status).toBe(200);
  for (const { api } of [one, another]) expectProblem(await api.get(search), 429);
  const rows = await one.container.database.read.selectFrom("rate_limits").selectAll().execute();
  expect(rows).toEqual([
    { key: expect.stringMatching(/^search:[\w-]{43}$/), points: 4, expire: expect.any(Number) },
  ]);
});

it("a failure of the counters fails no requests, and each instance counts by itself", async () => {
  const [one] = await startInstances({ RATE_LIMIT_SEARCH: "2" });
  const { database } = one.container;
  await database.commit(async () => {
    await database.writer.schema.dropTable("rate_limits").execute();
  });
  const search = "/api/books?search=well";
  for (let call = 0; call < 2; call++) expect((await one.api.get(search)).status).toBe(200);
  expectProblem(await one.api.get(search), 429);
});
