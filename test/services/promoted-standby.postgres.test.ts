/** A fail-over to a standby that lacks the last commits, with the replication of PostgreSQL. */
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { onServer, PostgresProcess } from "../../tools/lib/postgres-process.ts";
import { freePort } from "../../tools/lib/server-process.ts";
import { TcpProxy } from "../../tools/lib/tcp-proxy.ts";
import { startApp } from "../support/app.ts";
import { linkTo } from "../support/reader.ts";
import { createTempFolder } from "../support/temp-folder.ts";

/** As promised by docs/scaling.md, and twice the time on a busy machine. */
const WITHIN = { timeout: 10_000, interval: 50 };

it("lists and reports are those of the promoted standby within seconds, with any numbers of its changes", async () => {
  const folder = createTempFolder();
  const primary = new PostgresProcess({ folder: join(folder, "primary"), port: await freePort(0) });
  await primary.start();
  onTestFinished(() => primary.crash());
  const proxy = await TcpProxy.start(primary.url);
  const app = await startApp({
    DATABASE_URL: proxy.createUrl(primary.url),
    DATABASE_REPORT_URL: primary.url,
    DATABASE_CONNECT_TIMEOUT_SECONDS: "1",
  });
  onTestFinished(() => proxy.close());
  const admin = await app.admin();
  const { book } = await app.make.published("Kept before", "en");
  const rename = async (titleEn: string) =>
    (await admin.patch(`/api/admin/books/${book.id}`, { titleEn })).status;
  const submit = () => linkTo(app.api, { slug: book.slug, languageCode: "en" });
  const read = async () => {
    const { body: list } = await app.api.get("/api/books?languageCode=en");
    const { body: report } = await admin.get("/api/admin/analytics/summary");
    return [list.books?.[0]?.title, report.totals?.downloads];
  };
  for (let count = 0; count < 3; count += 1) await submit();

  const standby = await primary.createStandby({ folder: join(folder, "standby"), port: await freePort(0) });
  onTestFinished(() => standby.crash());
  const counted = async () =>
    (await onServer(standby.url, (client) => client.query("select id from download_events"))).rows.length;
  await expect.poll(counted, WITHIN).toBe(3);
  await standby.cutReplication();
  for (const title of ["Lost 1", "Lost 2", "Lost 3"]) expect(await rename(title)).toBe(200);
  for (let count = 0; count < 39; count += 1) await submit();
  const lostLink = await submit();
  expect(await read()).toEqual(["Lost 3", 43]);
  const before = await onServer(primary.url, (c) => c.query("select epoch, timeline from installation"));

  await primary.crash();
  await standby.promote();
  proxy.redirect(standby.url);
  app.clock.advance(1000);
  await expect.poll(read, WITHIN).toEqual(["Kept before", 3]);
  for (const [index, title] of ["New 1", "New 2", "New 3", "New 4"].entries()) {
    await expect.poll(() => rename(title), WITHIN).toBe(200);
    for (let count = 0; count < 15; count += 1) await submit();
    expect(await read()).toEqual([title, 3 + 15 * (index + 1)]);
  }
  // Another event has its number.
  expect((await app.api.get(lostLink)).status).toBe(404);
  const after = await onServer(standby.url, (c) => c.query("select epoch, timeline from installation"));
  expect([before.rows[0].timeline, after.rows[0].timeline]).toEqual(["00000001", "00000002"]);
  expect(after.rows[0].epoch).not.toBe(before.rows[0].epoch);
});
