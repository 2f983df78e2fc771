/** What group commit runs around writes: savepoints and transactions only where they are needed. */
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { outcomes, setUpNotes as setUp } from "../support/notes-database.ts";
import { recordWrittenStatements } from "../support/written-statements.ts";

describe("the first write of a transaction", () => {
  it("runs without a savepoint", async () => {
    const { group, insert } = setUp();
    const alone = await recordWrittenStatements(() => group.submit(() => insert("alone")));
    expect(alone).toEqual(["begin immediate", "insert into notes (body) values (?)", "commit"]);
    const both = await recordWrittenStatements(() =>
      Promise.all([group.submit(() => insert("first")), group.submit(() => insert("second"))]),
    );
    expect(both).toHaveLength(6);
    expect(both.slice(2, 5)).toEqual([
      "savepoint work",
      "insert into notes (body) values (?)",
      "release work",
    ]);
  });

  it.each([1, 2, 3])(
    "is undone if it fails, also after %i others that failed, and not the one behind it",
    async (n) => {
      const { group, insert, seen, commits } = setUp();
      const failing = Array.from({ length: n }, (_, index) =>
        group.submit(async () => {
          await insert(`undone ${index}`);
          throw new Error("changed my mind");
        }),
      );
      const results = await outcomes([...failing, group.submit(() => insert("behind"))]);
      expect(results).toEqual([...Array(n).fill("changed my mind"), "ok"]);
      expect(seen()).toEqual(["behind"]);
      expect(commits()).toBe(1);
    },
  );

  it("leaves nothing open if it fails and nothing is behind it", async () => {
    const { connection, group, insert, seen } = setUp();
    await outcomes([group.submit(() => Promise.all([insert("twice"), insert("twice")]))]);
    expect(connection.inTransaction).toBe(false);
    await group.submit(() => insert("later"));
    expect(seen()).toEqual(["later"]);
  });
});

describe("a write of one statement", () => {
  it("can't run another one", async () => {
    const { group, insert, seen } = setUp();
    const both = group.submit(() => Promise.all([insert("one"), insert("two")]), undefined, true);
    await expect(both).rejects.toThrow("A write of one statement has run another one");
    expect(seen()).toEqual(["one"]);
  });

  it("waits for the lock of another program beside the event loop", async () => {
    const { file, group, insert, seen } = setUp();
    const holder = new Database(file);
    holder.exec("begin immediate");
    const write = group.submit(() => insert("after it"), undefined, true);
    await sleep(20);
    expect(seen()).toEqual([]);
    holder.exec("rollback");
    holder.close();
    await write;
    expect(seen()).toEqual(["after it"]);
  });
});
