/** A PostgreSQL server that doesn't respond, or connections to it that have become silent. */
import { sql } from "kysely";
import { expect, it } from "vitest";
import { startApp } from "../support/app.ts";
import { type ProxiedApp, startProxiedApp } from "../support/proxied-app.ts";

const UNAVAILABLE = { status: 503, code: "database_unavailable" };
/** The limit for a statement on the side of the service, as the proxied application is set up. */
const RESPONSE_MS = 3000;

const readFrom = ({ container: { database } }: ProxiedApp) => sql`select 1`.execute(database.read);
const writeTo = ({ container: { database } }: ProxiedApp) =>
  database.commit(() => sql`select 1`.execute(database.writer));

/** Uses all connections that a request may need. */
const useAll = (app: ProxiedApp) => Promise.all([readFrom(app), readFrom(app), writeTo(app)]);

const msUntilSettled = async (work: Promise<unknown>): Promise<number> => {
  const since = performance.now();
  await work.catch(() => {});
  return performance.now() - since;
};

it("the database can be closed while its server doesn't respond", async () => {
  const app = await startProxiedApp();
  await useAll(app);
  app.proxy.swallow();
  const read = readFrom(app).catch(() => {});
  expect(await msUntilSettled(app.container.database.close())).toBeLessThan(2 * RESPONSE_MS - 500);
  await read;
});

it("an instance that hangs in a write delays the writes of others for less than its own limit", async () => {
  const other = await startApp();
  const hanging = await startProxiedApp({ DATABASE_STATEMENT_TIMEOUT_SECONDS: "8" }, other);
  const begun = Promise.withResolvers<void>();
  const { database: stopped } = hanging.container;
  const held = stopped.commit(async () => {
    await sql`select 1`.execute(stopped.writer);
    // From here on, the server waits for the next statement.
    hanging.proxy.hold();
    begun.resolve();
  });
  const lost = expect(held).rejects.toMatchObject(UNAVAILABLE);
  await begun.promise;
  const { database } = other.container;
  const write = database.commit(() => sql`select 1`.execute(database.writer));
  expect(await msUntilSettled(write)).toBeLessThan(6000);
  await write;
  hanging.proxy.forward();
  await lost;
});
