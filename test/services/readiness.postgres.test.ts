/** Readiness tells the truth quickly: a sick server takes no instance out of the balancer, a cut-off connection does. */
import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { PostgresProcess } from "../../tools/lib/postgres-process.ts";
import { freePort } from "../../tools/lib/server-process.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { holdWrites, startInstances } from "../support/instances.ts";
import { type ProxiedApp, startProxiedApp } from "../support/proxied-app.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const READY = "/api/health/ready";
/** Half of the shortest limit that a probe could wait for. */
const MAX_MS = 500;
/** Probes as a balancer does, which the state is refreshed for each time. The machine may be busy during one of them. */
async function probe({ api, clock }: TestApp, path = READY) {
  let fastestMs = Number.POSITIVE_INFINITY;
  clock.advance(1000);
  for (let count = 0; count < 3; count += 1) {
    const since = performance.now();
    await api.get(path);
    fastestMs = Math.min(fastestMs, performance.now() - since);
  }
  expect(fastestMs).toBeLessThan(MAX_MS);
  const { status, body } = await api.get(path);
  return { status, unavailable: body.unavailable };
}

const write = ({ container: { database } }: TestApp) =>
  database.commit(() => sql`select 1`.execute(database.writer));

/** The same connections stay silent, and new ones work. */
function silence({ proxy }: ProxiedApp): void {
  proxy.swallow();
  proxy.forward();
}

describe("an instance is ready", () => {
  it("while the database loses all packets, and reports that", async () => {
    const app = await startProxiedApp();
    expect(await probe(app)).toEqual({ status: 200, unavailable: undefined });
    app.proxy.swallow();
    const lost = expect(write(app)).rejects.toMatchObject({ status: 503 });
    await expect.poll(() => probe(app)).toEqual({ status: 200, unavailable: ["database"] });
    await lost;
    // Its writing connection has run into its limit, but no instance could do better.
    for (let second = 0; second < 2; second += 1) {
      await expect.poll(() => probe(app)).toEqual({ status: 200, unavailable: ["database"] });
    }
    app.proxy.forward();
    await expect.poll(() => probe(app)).toEqual({ status: 200, unavailable: undefined });
  });

  it("while the database refuses connections", async () => {
    const app = await startProxiedApp();
    await app.proxy.close();
    await expect(write(app)).rejects.toMatchObject({ status: 503 });
    await expect.poll(() => probe(app)).toEqual({ status: 200, unavailable: ["database"] });
  });

  it("while another instance holds the lock of writers until the server gives up", async () => {
    const [one, another] = await startInstances({ DATABASE_STATEMENT_TIMEOUT_SECONDS: "1" });
    const release = await holdWrites(one);
    const refused = expect(write(another)).rejects.toMatchObject({ status: 503 });
    expect(await probe(another)).toEqual({ status: 200, unavailable: undefined });
    await refused;
    expect(await probe(another)).toEqual({ status: 200, unavailable: undefined });
    await release();
  });

  it("while the database is read-only", async () => {
    const app = await startApp();
    const name = sql<{ name: string }>`select current_database() as name`;
    const [row] = (await name.execute(app.container.database.read)).rows;
    const readOnly = sql`alter database ${sql.id(row?.name ?? "")} set default_transaction_read_only = on`;
    await app.container.database.commit(() => readOnly.execute(app.container.database.writer));
    expect(await probe(app)).toEqual({ status: 200, unavailable: undefined });
  });
});

it("an instance isn't ready while only its own connection for changes doesn't respond, which it replaces", async () => {
  const app = await startProxiedApp();
  await write(app);
  silence(app);
  const lost = expect(write(app)).rejects.toMatchObject({ status: 503 });
  // Not before the limit.
  expect((await probe(app)).status).toBe(200);
  await lost;
  // Not at the first look: a server that comes back accepts connections first.
  expect((await probe(app)).status).toBe(200);
  await expect.poll(async () => (await probe(app)).status).toBe(503);
  const { body, headers } = await app.api.get(READY);
  expect([body.code, headers["retry-after"]]).toEqual(["database_unavailable", "5"]);
  await expect.poll(() => probe(app)).toEqual({ status: 200, unavailable: undefined });
  await write(app);
});

it("a server that is stopped as a whole or in one process delays neither probes nor, later, requests", async () => {
  const folder = createTempFolder();
  const server = new PostgresProcess({
    folder: join(folder, "server"),
    port: await freePort(0),
    settings: ["fsync=off"],
  });
  await server.start();
  onTestFinished(() => server.stop());
  const limits = { DATABASE_STATEMENT_TIMEOUT_SECONDS: "1", DATABASE_CONNECT_TIMEOUT_SECONDS: "1" };
  const app = await startApp({ DATABASE_URL: server.url, ...limits });
  const { database } = app.container;
  server.hang();
  const [list, health] = [app.api.get("/api/books?language=es"), probe(app, "/api/health")];
  await health;
  expect((await list).status).toBe(503);
  await expect.poll(() => probe(app)).toEqual({ status: 200, unavailable: ["database"] });
  expect((await probe(app, "/api/health")).status).toBe(503);
  server.wake();
  await expect.poll(() => probe(app)).toEqual({ status: 200, unavailable: undefined });
  await expect.poll(async () => write(app).then(() => true)).toBe(true);

  const backend = sql<{ pid: number }>`select pg_backend_pid() as pid`;
  const { rows } = await database.commit(() => backend.execute(database.writer));
  const pid = rows[0]?.pid ?? 0;
  process.kill(pid, "SIGSTOP");
  try {
    await expect(write(app)).rejects.toMatchObject({ status: 503 });
    await write(app);
    expect(await probe(app)).toEqual({ status: 200, unavailable: undefined });
  } finally {
    process.kill(pid, "SIGCONT");
  }
});
