/** How the thread that reads all events rests, until a report waits for it. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, it, onTestFinished } from "vitest";
import { ReadingProgress } from "../../../src/repositories/event-counts/reading-progress.ts";

/** Longer than the test can take. */
const DAY_MS = 86_400_000;

it("rests three times as long as it has worked", () => {
  const progress = new ReadingProgress();
  const start = performance.now();
  progress.rest(20);
  expect(performance.now() - start).toBeGreaterThanOrEqual(59);
});

it("doesn't rest while a report waits", () => {
  const progress = new ReadingProgress();
  progress.hurry();
  progress.rest(DAY_MS);
  progress.rest(DAY_MS);
  progress.end();
  const start = performance.now();
  progress.rest(20);
  expect(performance.now() - start).toBeGreaterThanOrEqual(59);
});

it("ends its rest when a report comes, and says how far it is", async () => {
  const progress = new ReadingProgress();
  const module = new URL("../../../src/repositories/event-counts/reading-progress.ts", import.meta.url);
  const script = `import { parentPort, workerData } from "node:worker_threads";
    import { ReadingProgress } from ${JSON.stringify(module.href)};
    const progress = new ReadingProgress(workerData);
    progress.begin(40);
    progress.advance(30);
    parentPort.postMessage("resting");
    progress.rest(${DAY_MS});
    progress.advance(42);`;
  const url = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
  const thread = new Worker(url, { workerData: progress.shared });
  onTestFinished(async () => void (await thread.terminate()));
  await once(thread, "message");
  expect(progress.state).toEqual({ done: 30, of: 40 });
  progress.hurry();
  await once(thread, "exit");
  expect(progress.state).toEqual({ done: 42, of: 42 });
});
