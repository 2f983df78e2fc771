/** Another program keeps the database locked while files are delivered. */
import { once } from "node:events";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { startApp } from "../support/app.ts";
import { FakeClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { contact } from "../support/factory.ts";
import { FakeScheduler } from "../support/fake-scheduler.ts";
import { connectTo } from "../support/raw-http.ts";
import { linkTo, listEvents } from "../support/reader.ts";
import { readMetrics } from "../support/scrape.ts";

const METRICS_TOKEN = "q7Zr2mWc9xKd4vLs8tBn1hYf6jGp3aUe";
const RETRY_MS = 5000;

async function scene() {
  const timers = new FakeScheduler(new FakeClock());
  const app = await startApp({ METRICS_TOKEN }, { schedule: timers.schedule });
  await app.make.published("The Well", "en", "content");
  const foreign = new Database(join(app.dataDir, "database.sqlite"));
  onTestFinished(() => void foreign.close());
  const request = (email: string) =>
    linkTo(app.api, { slug: "the-well", languageCode: "en", contact: { ...contact, email } });
  const redeemed = async () => (await listEvents(app)).map(({ redeemedAt }) => redeemedAt !== null);
  const waiting = async () => {
    const { body } = await app.api.get("/metrics", { Authorization: `Bearer ${METRICS_TOKEN}` });
    return readMetrics(String(body)).bookdist_redemptions_waiting;
  };
  return { app, timers, foreign, request, redeemed, waiting };
}

describe.skipIf(process.env.DATABASE_URL !== undefined)("while the database is locked", () => {
  it("what is delivered waits, and is recorded by the next try, without another download", async () => {
    const { app, timers, foreign, request, redeemed, waiting } = await scene();
    const link = await request("a@example.org");
    foreign.exec("begin immediate");
    expect((await app.api.get(link)).status).toBe(200);
    expect(await waiting()).toBe(1);
    // The first try finds it locked still.
    timers.pass(RETRY_MS);
    await app.container.unwritten.writeAll();
    expect(await waiting()).toBe(1);
    foreign.exec("rollback");
    timers.pass(RETRY_MS);
    await eventually(async () => expect(await redeemed()).toEqual([true]));
    await eventually(async () => expect(await waiting()).toBe(0));
  });

  it("the first download that can be recorded again records what has waited, too", async () => {
    const { app, timers, foreign, request, redeemed } = await scene();
    const links = [await request("a@example.org"), await request("b@example.org")];
    foreign.exec("begin immediate");
    await app.api.get(links[0] ?? "");
    foreign.exec("rollback");
    await app.api.get(links[1] ?? "");
    timers.pass(0);
    await eventually(async () => expect(await redeemed()).toEqual([true, true]));
  });

  it("a client that leaves before the first byte gets nothing, and nothing waits", async () => {
    const { app, foreign, request, redeemed, waiting } = await scene();
    const link = await request("a@example.org");
    foreign.exec("begin immediate");
    const socket = connectTo(app.server);
    socket.write(`GET ${link} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await once(app.server, "request");
    socket.destroy();
    await eventually(() => expect(app.logged.map(({ status }) => status)).toContain(499));
    // Behind the write of the request.
    await app.container.database.commit(async () => {}).catch(() => {});
    expect(await waiting()).toBe(0);
    foreign.exec("rollback");
    await app.container.unwritten.writeAll();
    expect(await redeemed()).toEqual([false]);
  });
});
