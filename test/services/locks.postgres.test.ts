/** Locks of tasks across instances: how long they are held, and how they end. */
import { describe, expect, it } from "vitest";
import { TcpProxy } from "../../tools/lib/tcp-proxy.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { eventually } from "../support/eventually.ts";
import { startInstances } from "../support/instances.ts";
import { createDatabaseSettings } from "../support/test-database.ts";

/** Runs a task until the returned function is called. */
async function hold({ container: { database } }: TestApp) {
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = database.runAtOneInstance("task", async () => {
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

const isFree = ({ container: { database } }: TestApp) => database.runAtOneInstance("task", async () => {});

describe("the lock of a task", () => {
  it("outlasts the server's time limit for idle sessions", async () => {
    const [one, another] = await startInstances();
    const release = await hold(one);
    await new Promise((resolve) => setTimeout(resolve, 12_000));
    expect(await isFree(another)).toBe(false);
    await release();
  });

  it("ends if its holder doesn't respond for ten seconds", async () => {
    const one = await startApp();
    const { DATABASE_URL = "", ...settings } = await createDatabaseSettings(one.dataDir);
    const proxy = await TcpProxy.start(DATABASE_URL);
    const silent = await startApp(
      { ...settings, DATABASE_URL: proxy.createUrl(DATABASE_URL) },
      { dataDir: one.dataDir },
    );
    const release = await hold(silent);
    proxy.swallow();
    const since = performance.now();
    await eventually(async () => expect(await isFree(one)).toBe(true), { interval: 200 });
    expect(performance.now() - since).toBeLessThan(40_000);
    await release();
    await proxy.close();
  });
});
