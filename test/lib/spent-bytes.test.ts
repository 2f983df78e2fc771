/** The youngest memory, collected when there is no more use for it. */
import { expect, it } from "vitest";
import { z } from "zod";
import { WorkerThread } from "../../src/db/workers/worker-thread.ts";
import { collectYoungest } from "../../src/lib/spent-bytes.ts";
import { GARBAGE_BYTES, leaveGarbage, youngBytes } from "../support/young-memory.ts";

const used = z.object({ before: z.number(), after: z.number() });

/** V8 collects by itself, too: when it has just done so, there is nothing left to collect. */
const AGAIN = { retry: 5 };

it("collects what is no longer in use", AGAIN, () => {
  leaveGarbage();
  const before = youngBytes();
  collectYoungest();
  expect(youngBytes()).toBeLessThan(before - GARBAGE_BYTES);
});

it("does so in every thread, also when several begin at once", AGAIN, async () => {
  const script = new URL("../support/collecting-worker.ts", import.meta.url);
  const workers = Array.from(
    { length: 8 },
    () => new WorkerThread({ script, data: undefined, youngMegabytes: 16 }),
  );
  const reported = await Promise.all(workers.map(async (worker) => used.parse(await worker.ask({}))));
  await Promise.all(workers.map((worker) => worker.close()));
  for (const { before, after } of reported) expect(after).toBeLessThan(before - GARBAGE_BYTES);
});
