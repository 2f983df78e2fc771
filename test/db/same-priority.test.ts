/** The tests' own threads and processes don't lower their priority, so that none waits long for another one's work. */
import { readdirSync } from "node:fs";
import { constants, getPriority } from "node:os";
import { expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { readPrinted } from "../support/run-cli.ts";

const { PRIORITY_BELOW_NORMAL: LOW } = constants.priority;

/** If the tests themselves run with a low priority, nothing can be told. */
const canTell = process.platform === "linux" && getPriority() < LOW;

it.runIf(canTell)("threads and processes of tests don't lower their priority", async () => {
  const { client } = await startWithAdmin();
  expect((await client.get("/api/admin/analytics/summary")).status).toBe(200);
  expect((await client.get("/api/admin/analytics/downloads/export")).status).toBe(200);
  const priorities = readdirSync("/proc/self/task").map((thread) => getPriority(Number(thread)));
  expect(priorities.filter((priority) => priority >= LOW)).toEqual([]);
  const script = `import { getPriority, setPriority } from "node:os"; setPriority(${LOW}); console.log(getPriority());`;
  expect(Number(await readPrinted(script))).toBeLessThan(LOW);
});
