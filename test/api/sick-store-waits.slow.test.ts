/** A store that accepts requests and doesn't respond: how long it is waited for. */
import { expect, it } from "vitest";
import { expectProblem } from "../support/expect-problem.ts";
import { linkToAll } from "../support/reader.ts";
import { startSickStore } from "../support/sick-store.ts";
import { createStorageScene } from "../support/storage-scene.ts";
import { createTxt } from "../support/stored-files.ts";

/** The limit of a command is 15 s: with another one after it, it would be 30. */
const LIMIT_MS = 28_000;

it("a store that doesn't respond is waited for at most 15 seconds, with one repetition, unless it transfers bytes", async () => {
  const store = await startSickStore();
  const { api, link, upload } = await createStorageScene(store.settings);
  const all = await linkToAll(api, "en");
  expect((await api.get(all)).status).toBe(200);
  const silent: string[] = [];
  store.fallSick(({ operation, key }) => {
    if (operation !== "HEAD" && operation !== "COPY") return false;
    silent.push(`${operation} ${key.split("/")[0]}`);
    return true;
  });
  const since = performance.now();
  const responses = await Promise.all([api.get(link), api.get(all), upload(createTxt("more"), "c.txt")]);
  expect(performance.now() - since).toBeLessThan(LIMIT_MS);
  expect(performance.now() - since).toBeGreaterThan(10_000);
  for (const response of responses) {
    expectProblem(response, 503, { code: "storage_unavailable" });
    expect(response.headers["retry-after"]).toBe("10");
  }
  expect(silent.filter((request) => request === "HEAD files")).toHaveLength(4);
  expect(store.openRequests()).toBe(0);
  store.recover();
  expect((await api.get(link)).status).toBe(200);
});
