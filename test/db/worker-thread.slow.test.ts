/** How a thread starts. What it does then is shown by its users: report.slow, csv-reader.slow and event-counts.slow. */
import { expect, it, onTestFinished } from "vitest";
import { THREAD_FAILED, WorkerThread } from "../../src/db/workers/worker-thread.ts";
import { readPrinted } from "../support/run-cli.ts";

const SCRIPT = new URL("../support/describing-worker.ts", import.meta.url);

function newThread(data: unknown) {
  const thread = new WorkerThread<unknown, { data: unknown; variables: string[] }>({ script: SCRIPT, data });
  onTestFinished(() => thread.close());
  return thread;
}

it("is started by the next message if a start has failed", async () => {
  let starts = 0;
  // Node copies the data for the thread when it starts.
  const data = {
    get value() {
      starts += 1;
      if (starts === 1) throw new Error("no memory");
      return 1;
    },
  };
  const thread = newThread(data);
  await expect(thread.ask("first")).rejects.toMatchObject({ code: THREAD_FAILED });
  expect((await thread.ask("second")).data).toEqual({ value: 1 });
});

it("gets its workerData, and nothing of the environment except the compile cache", async () => {
  const { data, variables } = await newThread({ file: "a", numbers: [1] }).ask("?");
  expect(data).toEqual({ file: "a", numbers: [1] });
  expect(["", "NODE_COMPILE_CACHE"]).toContain(variables.join());
});

it("doesn't keep the process alive after a message that couldn't be sent", async () => {
  const module = new URL("../../src/db/workers/worker-thread.ts", import.meta.url);
  const script = `import { WorkerThread } from ${JSON.stringify(module.href)};
    const thread = new WorkerThread({ script: new URL(${JSON.stringify(SCRIPT.href)}) });
    thread.ask(() => {}).catch(() => console.log("rejected"));`;
  expect(await readPrinted(script)).toBe("rejected\n");
});
