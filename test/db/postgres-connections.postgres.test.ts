/** How many connections a pool keeps while nothing uses them. */
import { expect, inject, it, onTestFinished } from "vitest";
import { createPool, endPool, withConnection } from "../../src/db/postgres/connection.ts";
import { eventually } from "../support/eventually.ts";

it.each([0, 1])(
  "unused connections are closed, except for those that are kept open: %i",
  async (keptOpen) => {
    const url = inject("postgres")?.url ?? "";
    const pool = createPool({
      url,
      size: 3,
      keptOpen,
      unusedForMs: 50,
      connectTimeoutMs: 5000,
      statementTimeoutMs: 5000,
    });
    onTestFinished(() => endPool(pool));
    const sleep = () => withConnection(pool, (client) => client.query("select pg_sleep(0.2)"));
    await Promise.all([sleep(), sleep(), sleep()]);
    expect(pool.totalCount).toBe(3);
    await eventually(() => expect(pool.totalCount).toBe(keptOpen));
  },
);
