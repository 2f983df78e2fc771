import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { createWriteYielder } from "../../src/db/group-commit.ts";
import { blockEventLoop } from "../support/block-event-loop.ts";
import { countTurns } from "../support/count-turns.ts";
import { passTimeFaster } from "../support/fast-time.ts";
import { outcomes, setUpNotes as setUp } from "../support/notes-database.ts";

const WAITED = "A write waited for something other than the database";
const OUTSIDE = "The writing connection was used outside of a write, or after its end";

describe("writes that arrive in one turn of the event loop", () => {
  it("share one transaction, keep their order and resolve individually", async () => {
    const { group, insert, seen, commits } = setUp();
    const names = Array.from({ length: 50 }, (_, index) => `note ${index}`);
    const settled: string[] = [];
    await Promise.all(
      names.map(async (name) => {
        const response = await group.submit(async () => {
          await insert(name);
          return name;
        });
        settled.push(response);
      }),
    );
    expect(settled).toEqual(names);
    expect(seen()).toEqual(names);
    expect(commits()).toBe(1);
    await group.submit(() => insert("later"));
    expect(commits()).toBe(2);
  });

  it("resolve only when they are durable", async () => {
    const { group, insert, seen } = setUp();
    let seenInside: unknown[] | undefined;
    let seenAtResponse: unknown[] | undefined;
    const first = group.submit(() => insert("first")).then(() => (seenAtResponse = seen()));
    await group.submit(async () => {
      await insert("second");
      seenInside = seen();
    });
    await first;
    expect(seenInside).toEqual([]);
    expect(seenAtResponse).toEqual(["first", "second"]);
  });

  it("succeed or fail independently", async () => {
    const { group, insert, seen, commits } = setUp();
    const writes = [
      group.submit(() => insert("before")),
      group.submit(async () => {
        await insert("thrown away");
        throw new Error("changed my mind");
      }),
      group.submit(async () => {
        await insert("thrown away too");
        await insert("before");
      }),
      group.submit(() => {
        throw new Error("not even a promise");
      }),
      group.submit(() => insert("after")),
    ];
    expect(await outcomes(writes)).toEqual([
      "ok",
      "changed my mind",
      "UNIQUE constraint failed: notes.body",
      "not even a promise",
      "ok",
    ]);
    expect(seen()).toEqual(["before", "after"]);
    expect(commits()).toBe(1);
  });

  it("are split into several transactions when they take long, and the event loop runs between them", async () => {
    const { group, insert, seen, commits } = setUp({ maxBatchMs: 20 });
    const turns = await countTurns(() => {
      const writes = Array.from({ length: 10 }, (_, index) =>
        group.submit(async () => {
          await insert(`slow ${index}`);
          blockEventLoop(5);
        }),
      );
      return Promise.all(writes);
    });
    expect(seen()).toHaveLength(10);
    expect(commits()).toBeGreaterThanOrEqual(2);
    expect(turns).toBeGreaterThanOrEqual(commits());
  });
});

describe("independent writes", () => {
  it("run concurrently, and one that fails is rolled back alone", async () => {
    const { group, insert, seen, commits } = setUp();
    const running = { now: 0, most: 0 };
    const attempts: string[] = [];
    const write = (name: string, work: () => Promise<unknown>) =>
      group.submit(async () => {
        running.now += 1;
        running.most = Math.max(running.most, running.now);
        attempts.push(name);
        await insert(`${name} begins`);
        running.now -= 1;
        await work();
      }, name);
    const writes = [
      write("first", async () => {}),
      write("second", () => insert("first begins")),
      write("third", async () => {
        throw new Error("changed my mind");
      }),
      write("last", () => insert("last ends")),
    ];
    const failures = ["UNIQUE constraint failed: notes.body", "changed my mind"];
    expect(await outcomes(writes)).toEqual(["ok", ...failures, "ok"]);
    expect(seen()).toEqual(["first begins", "last begins", "last ends"]);
    expect(running.most).toBe(4);
    // All at once, and then one after the other.
    const names = ["first", "second", "third", "last"];
    expect(attempts).toEqual([...names, ...names]);
    expect(commits()).toBe(1);
  });

  it("run 64 at a time, in one transaction", async () => {
    const { group, insert, seen, commits } = setUp();
    const running = { now: 0, most: 0 };
    const names = Array.from({ length: 130 }, (_, index) => `note ${index}`);
    const write = (name: string) =>
      group.submit(async () => {
        running.now += 1;
        running.most = Math.max(running.most, running.now);
        await insert(name);
        running.now -= 1;
      }, name);
    await Promise.all(names.map(write));
    expect(running).toEqual({ now: 0, most: 64 });
    expect(seen()).toEqual(names);
    expect(commits()).toBe(1);
  });

  it("of the same key run one after the other, and so do those beside a write without a key", async () => {
    const { group, insert } = setUp();
    let running = 0;
    const alone = (name: string) => async () => {
      expect(++running).toBe(1);
      await insert(name);
      running -= 1;
    };
    await Promise.all([
      group.submit(alone("a"), "key"),
      group.submit(alone("b"), "key"),
      group.submit(alone("c")),
      group.submit(alone("d"), "key"),
    ]);
  });

  it("that all run concurrently fail together with their transaction", async () => {
    const { connection, group, insert, seen } = setUp();
    connection.exec(
      `create trigger bomb before insert on notes when new.body = 'bomb'
       begin select raise(rollback, 'everything is gone'); end`,
    );
    const writes = ["a", "bomb", "b"].map((name) => group.submit(() => insert(name), name));
    expect(await outcomes(writes)).toEqual(Array(3).fill("everything is gone"));
    expect(seen()).toEqual([]);
  });
});

describe("a write", () => {
  it("is rolled back with everything that it does concurrently with what fails, none of which gets into the next write", async () => {
    const { group, insert, seen } = setUp();
    const straggling = async () => {
      // It doesn't mind being refused: it is still there when the next write's turn comes.
      for (let index = 0; index < 100; index++) await insert(`straggler ${index}`).catch(() => {});
    };
    const writes = [
      group.submit(() => insert("taken")),
      group.submit(() => Promise.all([insert("taken"), straggling()])),
      group.submit(async () => {
        for (let index = 0; index < 5; index++) await insert(`mine ${index}`);
      }),
    ];
    expect(await outcomes(writes)).toEqual(["ok", "UNIQUE constraint failed: notes.body", "ok"]);
    expect(seen()).toEqual(["taken", "mine 0", "mine 1", "mine 2", "mine 3", "mine 4"]);
  });

  it("can't use the connection after its end", async () => {
    const { group, insert, seen } = setUp();
    let left: Promise<unknown> | undefined;
    const straggling = async () => {
      for (let index = 0; index < 30; index++) await insert(`straggler ${index}`);
    };
    await group.submit(async () => {
      // It may fail before the write has ended.
      left = straggling().catch((error: unknown) => error);
    });
    expect(await left).toMatchObject({ message: OUTSIDE });
    const stragglers = seen().length;
    expect(stragglers).toBeLessThan(30);
    await group.submit(() => insert("next"));
    expect(seen()).toHaveLength(stragglers + 1);
  });

  it("can't use the connection from outside", async () => {
    const { insert, seen } = setUp();
    await expect(insert("outside")).rejects.toThrow(OUTSIDE);
    expect(seen()).toEqual([]);
  });

  it.each([
    ["a timer", () => sleep(1)],
    ["the next turn", () => new Promise((resolve) => setImmediate(resolve))],
    ["a file", () => readFile(import.meta.filename)],
    ["what never comes", () => new Promise(() => {})],
  ])("can't wait for %s: it is rolled back, and other writes don't wait for it", async (_, wait) => {
    const { group, insert, seen } = setUp();
    let schedule: Promise<unknown> | undefined;
    const writes = [
      group.submit(() => insert("before")),
      group.submit(async () => {
        await insert("waits");
        await wait();
        schedule = insert("too late");
        return schedule;
      }),
      group.submit(() => insert("after")),
    ];
    expect(await outcomes(writes)).toEqual(["ok", WAITED, "ok"]);
    await sleep(20);
    await schedule?.catch((error) => expect(error.message).toBe(OUTSIDE));
    await group.submit(() => insert("next"));
    expect(seen()).toEqual(["before", "after", "next"]);
  });

  it("can't wait for another write, which is independent", async () => {
    const { group, insert, seen } = setUp();
    let inner: Promise<unknown> | undefined;
    const outer = group.submit(async () => {
      await insert("outer");
      inner = group.submit(() => insert("inner"));
      await inner;
    });
    await expect(outer).rejects.toThrow(WAITED);
    await inner;
    expect(seen()).toEqual(["inner"]);
  });
});

describe("when the transaction fails,", () => {
  it("at its begin, all waiting callers get 503, and later writes work", async () => {
    const { file, connection, group, insert, seen } = setUp();
    connection.pragma("busy_timeout = 0");
    const holder = new Database(file);
    holder.exec("begin immediate");
    passTimeFaster(100);
    const failed = await Promise.allSettled(["a", "b", "c"].map((name) => group.submit(() => insert(name))));
    for (const { status, ...rest } of failed) {
      expect(status).toBe("rejected");
      expect(rest).toMatchObject({
        reason: { status: 503, code: "database_unavailable", cause: { code: "SQLITE_BUSY" } },
      });
    }
    expect(group.errors.counts).toEqual({ busy: 1, full: 0, failing: 0 });
    holder.exec("rollback");
    holder.close();
    await group.submit(() => insert("d"));
    expect(seen()).toEqual(["d"]);
  });

  it("at its commit, all its writes fail, also those that had already failed", async () => {
    const { connection, group, insert, seen } = setUp();
    connection.exec(
      `create table replies (note integer references notes deferrable initially deferred);
       create trigger orphan after insert on notes when new.body = 'breaks the commit'
       begin insert into replies values (-1); end`,
    );
    const writes = [
      group.submit(() => insert("innocent")),
      group.submit(() => insert("innocent")),
      group.submit(() => insert("breaks the commit")),
    ];
    expect(await outcomes(writes)).toEqual(Array(3).fill("FOREIGN KEY constraint failed"));
    expect(seen()).toEqual([]);
    await group.submit(() => insert("later"));
    expect(seen()).toEqual(["later"]);
  });

  it("in the middle, lost writes fail and later ones continue", async () => {
    const { connection, group, insert, seen } = setUp();
    connection.exec(
      `create trigger bomb before insert on notes when new.body = 'bomb'
       begin select raise(rollback, 'everything is gone'); end`,
    );
    const lost = [
      group.submit(() => insert("lost")),
      group.submit(() => insert("bomb")),
      group.submit(() => insert("behind")),
    ];
    expect(await outcomes(lost)).toEqual(["everything is gone", "everything is gone", "ok"]);
    const ignoring = [
      group.submit(async () => {
        await insert("bomb").catch(() => {});
        await insert("outside of any transaction");
      }),
      group.submit(() => insert("bomb").catch(() => {})),
    ];
    const undone = "The database has undone the transaction.";
    expect(await outcomes(ignoring)).toEqual([undone, undone]);
    expect(seen()).toEqual(["behind"]);
  });

  it("and the disk is full, the writes get 507, nothing of them stays, and the database recovers by itself", async () => {
    const { connection, group, insert, seen } = setUp();
    await group.submit(() => insert("before"));
    const pages = Number(connection.pragma("page_count", { simple: true }));
    connection.pragma(`max_page_count = ${pages + 2}`);
    const full = group.submit(async () => {
      await insert("small");
      await insert("x".repeat(100_000));
    });
    await expect(full).rejects.toMatchObject({
      status: 507,
      code: "disk_full",
      cause: { code: "SQLITE_FULL" },
    });
    expect(seen()).toEqual(["before"]);
    expect(group.errors.counts).toEqual({ busy: 0, full: 1, failing: 0 });
    connection.pragma("max_page_count = 100000");
    await group.submit(() => insert("after"));
    expect(seen()).toEqual(["before", "after"]);
  });
});

describe("a write that yields to the event loop", () => {
  /** Longer than a turn without a yield. */
  const work = () => blockEventLoop(15);

  it("lets others run, and keeps its transaction: it is seen as a whole, and later writes wait", async () => {
    const { group, insert, seen, commits } = setUp();
    const during: unknown[][] = [];
    const writes = [
      group.submit(async () => {
        const yieldToEventLoop = createWriteYielder();
        for (const name of ["one", "two", "three"]) {
          await yieldToEventLoop();
          await insert(name);
          setImmediate(() => during.push(seen()));
          work();
        }
      }),
      group.submit(() => insert("after")),
    ];
    expect(await outcomes(writes)).toEqual(["ok", "ok"]);
    expect(during.slice(0, 2)).toEqual([[], []]);
    expect(seen()).toEqual(["one", "two", "three", "after"]);
    expect(commits()).toBe(1);
  });

  it("is undone as a whole if it fails later, or waits for something else then", async () => {
    const { group, insert, seen } = setUp();
    const writeThen = (end: () => Promise<unknown>) =>
      group.submit(async () => {
        const yieldToEventLoop = createWriteYielder();
        for (const name of ["one", "two"]) {
          await insert(name);
          work();
          await yieldToEventLoop();
        }
        await end();
      });
    const fails = () => Promise.reject(new Error("failed"));
    const writes = [writeThen(fails), writeThen(() => sleep(1)), group.submit(() => insert("after"))];
    expect(await outcomes(writes)).toEqual(["failed", WAITED, "ok"]);
    expect(seen()).toEqual(["after"]);
  });

  it("is awaited by closing, and others can't use its connection meanwhile", async () => {
    const { group, insert, seen } = setUp();
    const write = group.submit(async () => {
      const yieldToEventLoop = createWriteYielder();
      await insert("one");
      work();
      await yieldToEventLoop();
      await insert("two");
    });
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    await expect(insert("outside")).rejects.toThrow(OUTSIDE);
    await group.close();
    await write;
    expect(seen()).toEqual(["one", "two"]);
  });
});

it("closing waits for pending writes and rejects later ones", async () => {
  const { group, insert, seen } = setUp();
  const writes = Array.from({ length: 20 }, (_, index) => group.submit(() => insert(`note ${index}`)));
  await group.close();
  expect(seen()).toHaveLength(20);
  await Promise.all(writes);
  await expect(group.submit(() => insert("late"))).rejects.toThrow("The database is closed");
  expect(seen()).toHaveLength(20);
});
