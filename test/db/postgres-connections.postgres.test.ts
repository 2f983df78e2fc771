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
    // Counted while all are used: afterwards a slow machine has closed some.
    let used = 0;
    const all = Promise.withResolvers<number>();
    const use = () =>
      withConnection(pool, async () => {
        used += 1;
        if (used === 3) all.resolve(pool.totalCount);
        return all.promise;
      });
    expect(await Promise.all([use(), use(), use()])).toEqual([3, 3, 3]);
    await eventually(() => expect(pool.totalCount).toBe(keptOpen));
  },
);
