/** Locks by key across instances: how they end, and what an instance does that has lost one. */
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { TcpProxy } from "../../tools/lib/tcp-proxy.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { writeRows } from "../support/catalogue-rows.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { holdWrites, lockIsAwaited, loseKeys, startInstances } from "../support/instances.ts";
import { encodeMultipart, field, filePart, MULTIPART } from "../support/multipart.ts";
import { createDatabaseSettings } from "../support/test-database.ts";

const REFUSED = { status: 503, code: "database_unavailable", headers: { "Retry-After": "5" } };

/** Holds the lock of a key until the returned function is called. */
async function hold({ container: { database } }: TestApp, key: string) {
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = database.runExclusively(key, async () => {
    begun.resolve();
    await end.promise;
  });
  held.catch(() => {});
  await Promise.race([begun.promise, held]);
  return async () => {
    end.resolve();
    await held;
  };
}

const never = async () => expect.unreachable();

describe("a lost lock", () => {
  it("stops an upload between its bytes and its row", async () => {
    const [one, another] = await startInstances();
    await one.make.language("en");
    const { book } = await one.make.published("Well", "en");
    const client = await one.admin();
    const path = `/api/admin/books/${book.id}/files`;
    const before = (await client.get(path)).body;
    const release = await holdWrites(another);
    const body = encodeMultipart(field("languageCode", "en"), filePart("late"));
    const upload = client.call("post", path, { headers: MULTIPART, body });
    await lockIsAwaited(one);
    await loseKeys(another);
    await release();
    const response = await upload;
    expectProblem(response, 503, { code: "database_unavailable" });
    expect(response.headers["retry-after"]).toBe("5");
    expect((await client.get(path)).body).toEqual(before);
  });

  it("stops all that its holder would do under it, and nothing that it does later", async () => {
    const [one, another] = await startInstances();
    const { database } = one.container;
    const write = () =>
      writeRows(one, (db) => sql`update catalogue_version set version = version + 1`.execute(db));
    const work = database.runExclusively("key", async (lock) => {
      await lock.renew();
      await write();
      await loseKeys(another);
      await expect(lock.renew()).rejects.toMatchObject(REFUSED);
      await expect(write()).rejects.toMatchObject(REFUSED);
      return write;
    });
    await (await work)();
    expect(await another.container.database.tryRunExclusively("key", async () => "ran")).toBe("ran");
  });
});

describe("a held lock", () => {
  it("outlasts the server's time limit for idle sessions", { timeout: 60_000 }, async () => {
    const [one, another] = await startInstances();
    const release = await hold(one, "key");
    await new Promise((resolve) => setTimeout(resolve, 12_000));
    expect(await another.container.database.tryRunExclusively("key", never)).toBeUndefined();
    await release();
  });

  it("ends if its holder doesn't respond for ten seconds", { timeout: 60_000 }, async () => {
    const one = await startApp();
    const { DATABASE_URL = "", ...settings } = await createDatabaseSettings(one.dataDir);
    const proxy = await TcpProxy.start(DATABASE_URL);
    const silent = await startApp(
      { ...settings, DATABASE_URL: proxy.createUrl(DATABASE_URL) },
      { dataDir: one.dataDir },
    );
    const release = await hold(silent, "key");
    proxy.swallow();
    const since = performance.now();
    expect(await one.container.database.runExclusively("key", async () => "ran")).toBe("ran");
    expect(performance.now() - since).toBeLessThan(18_000);
    await release();
    await proxy.close();
  });

  it.each(["this instance", "another instance"])("is waited for until a limit: by %s", async (holder) => {
    const [one, another] = await startInstances({ DATABASE_STATEMENT_TIMEOUT_SECONDS: "1" });
    const release = await hold(holder === "this instance" ? one : another, "key");
    await expect(one.container.database.runExclusively("key", never)).rejects.toMatchObject(
      holder === "this instance" ? REFUSED : { code: "57014" },
    );
    await release();
    expect(await one.container.database.runExclusively("key", async () => "ran")).toBe("ran");
  });

  it("is waited for until a limit through a proxy that loses what the server sends", async () => {
    const one = await startApp();
    const { DATABASE_URL = "", ...settings } = await createDatabaseSettings(one.dataDir);
    const proxy = await TcpProxy.start(DATABASE_URL);
    const silent = await startApp(
      { ...settings, DATABASE_URL: proxy.createUrl(DATABASE_URL), DATABASE_STATEMENT_TIMEOUT_SECONDS: "1" },
      { dataDir: one.dataDir },
    );
    const release = await hold(one, "key");
    const waiting = silent.container.database.runExclusively("key", never);
    await lockIsAwaited(one);
    proxy.swallow();
    await expect(waiting).rejects.toMatchObject({ status: 503 });
    await release();
    await proxy.close();
  });
});
