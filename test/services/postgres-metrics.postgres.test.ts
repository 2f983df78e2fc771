/** What the metrics say about the use of a PostgreSQL server. */
import { expect, it } from "vitest";
import { holdWrites, lockIsAwaited, startInstances } from "../support/instances.ts";
import { readMetrics } from "../support/scrape.ts";

const METRICS_TOKEN = "q7Vd0Zk2mXr9LbT4wYc6NfHs1JgPu8Ae";

it("the metrics count connections by pool, and the time for which writes waited for another instance", async () => {
  const [one, another] = await startInstances({ METRICS_TOKEN });
  const metrics = async () => {
    const { body } = await another.api.get("/metrics", { Authorization: `Bearer ${METRICS_TOKEN}` });
    return readMetrics(body.toString());
  };
  const WAIT = "bookdist_postgres_writer_wait_seconds_total";
  await another.make.language("en");
  const before = await metrics();
  expect(before).toMatchObject({
    'bookdist_postgres_connections{pool="writing"}': 1,
    'bookdist_postgres_connections_idle{pool="writing"}': 1,
    'bookdist_postgres_connections_waiting{pool="writing"}': 0,
    'bookdist_postgres_errors_total{kind="busy"}': 0,
  });
  expect(before['bookdist_postgres_connections{pool="reading"}']).toBeGreaterThan(0);
  const release = await holdWrites(one);
  const waiting = another.make.language("es");
  await lockIsAwaited(one);
  await release();
  await waiting;
  expect((await metrics())[WAIT]).toBeGreaterThan(before[WAIT] ?? Number.NaN);
});
