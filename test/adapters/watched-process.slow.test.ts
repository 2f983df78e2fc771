/** The process for foreign bytes: its limits, what is tried again, and that it ends with the service. */
import { execFileSync, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { WatchedProcess, type WorkLimits } from "../../src/adapters/watched-process/watched-process.ts";
import { findChildProcesses, readCpuTicks, readResidentBytes } from "../support/child-processes.ts";
import { eventually } from "../support/eventually.ts";
import type { WatchedQuestion } from "../support/watched-script.ts";

const SCRIPT = new URL("../support/watched-script.ts", import.meta.url);
const MEBIBYTE = 1024 * 1024;
const LIMITS: WorkLimits = { memoryBytes: 128 * MEBIBYTE, timeMs: 60_000 };
const LONG = 600_000;

const pids = (parent?: number) => findChildProcesses("watched-script.ts", parent);

function start(limits: Partial<WorkLimits> = {}) {
  const watched = new WatchedProcess({ script: SCRIPT, limits: { ...LIMITS, ...limits } });
  onTestFinished(() => watched.close());
  const ask = async (question: WatchedQuestion, options = {}) => {
    const answer = await watched.ask(question, options);
    return typeof answer === "object" && answer !== null && "pid" in answer ? Number(answer.pid) : Number.NaN;
  };
  return { watched, ask };
}

/** The process that works. */
const busyProcess = () =>
  eventually(() => {
    const [pid = 0] = pids();
    expect(readCpuTicks(pid)).toBeGreaterThan(0);
    return pid;
  });

const hasEnded = (pid: number) => eventually(() => expect(readResidentBytes(pid)).toBe(0));

describe.runIf(process.platform === "linux")("a watched process", () => {
  it("does one piece of work after the other", async () => {
    const { ask } = start();
    const [first, second] = await Promise.all([ask({ workMs: 50 }), ask({})]);
    expect(first).toBe(second);
  });

  it("ends at its limit of memory, and the work isn't tried again", async () => {
    const { ask } = start();
    const first = await ask({});
    await expect(ask({ mebibytes: 200, workMs: LONG })).rejects.toMatchObject({
      reason: "memory",
      message: "It takes more than 128 MiB of memory.",
    });
    await hasEnded(first);
    expect(pids()).toEqual([]);
    expect(await ask({})).not.toBe(first);
  });

  it("tries work again that exceeds the memory only with that of earlier files", async () => {
    const { ask } = start();
    const first = await ask({ mebibytes: 50 });
    const second = await ask({ mebibytes: 100, workMs: 500 });
    expect(second).not.toBe(first);
  });

  it("replaces a process that has kept much before the next work", async () => {
    const { ask } = start();
    const first = await ask({ mebibytes: 100 });
    expect(await ask({})).not.toBe(first);
    await hasEnded(first);
  });

  it("ends at the time for all work on a file, and the next file is done", async () => {
    const { ask } = start({ timeMs: 2000 });
    const allowance = { leftMs: 2000 };
    const first = await ask({ workMs: 1200 }, { allowance });
    await expect(ask({ workMs: 1200 }, { allowance })).rejects.toMatchObject({
      reason: "time",
      message: "It takes more than 2 s.",
    });
    await hasEnded(first);
    expect(await ask({ workMs: 10 })).toBeGreaterThan(0);
  });

  it("ends after its time even if it is stopped", async () => {
    const { ask } = start({ timeMs: 1000 });
    const first = await ask({});
    process.kill(first, "SIGSTOP");
    await expect(ask({})).rejects.toMatchObject({ reason: "time" });
    await hasEnded(first);
    expect(await ask({})).not.toBe(first);
  });

  it("loses nothing if it is killed between two pieces of work", async () => {
    const { ask } = start();
    const first = await ask({});
    process.kill(first, "SIGKILL");
    // Without waiting: the end isn't known yet.
    expect(await ask({})).not.toBe(first);
  });

  it("loses the work during which it is killed or crashes, and not the next one", async () => {
    const { ask } = start();
    const first = await ask({});
    const working = ask({ workMs: LONG });
    const next = ask({});
    const before = readCpuTicks(first);
    await eventually(() => expect(readCpuTicks(first)).toBeGreaterThan(before + 5));
    process.kill(first, "SIGKILL");
    await expect(working).rejects.toMatchObject({ reason: "killed" });
    const second = await next;
    expect(second).not.toBe(first);
    const crashing = ask({ crashes: true });
    await expect(crashing).rejects.toMatchObject({ reason: "crash" });
    expect(await ask({})).not.toBe(second);
  });

  it("ends with the client of its work", async () => {
    const { ask } = start();
    const first = await ask({});
    const left = new AbortController();
    const working = ask({ workMs: LONG }, { signal: left.signal });
    const next = ask({});
    await sleep(100);
    left.abort();
    await expect(working).rejects.toMatchObject({ reason: "left" });
    await hasEnded(first);
    expect(await next).not.toBe(first);
    await expect(ask({}, { signal: left.signal })).rejects.toMatchObject({ reason: "left" });
  });

  it("ends when it is idle for a minute", async () => {
    const waiting: { delayMs: number; work: () => void }[] = [];
    const schedule = (delayMs: number, work: () => void) => {
      waiting.push({ delayMs, work });
      return () => {};
    };
    const watched = new WatchedProcess({ script: SCRIPT, limits: LIMITS, schedule });
    await watched.ask({});
    const pid = await busyProcess();
    expect(waiting.map(({ delayMs }) => delayMs)).toEqual([60_000]);
    waiting[0]?.work();
    await hasEnded(pid);
    await watched.close();
  });

  it("is closed during work, which fails, and starts no other process", async () => {
    const { watched, ask } = start();
    await ask({});
    const working = ask({ workMs: LONG });
    await busyProcess();
    await Promise.all([expect(working).rejects.toMatchObject({ reason: "closed" }), watched.close()]);
    await expect(ask({})).rejects.toMatchObject({ reason: "closed" });
    await eventually(() => expect(pids()).toEqual([]));
  });

  const moduleOf = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const inParent = (question: WatchedQuestion) => `
    import { WatchedProcess } from ${moduleOf("../../src/adapters/watched-process/watched-process.ts")};
    const limits = { memoryBytes: Infinity, timeMs: 1e9 };
    const watched = new WatchedProcess({ script: new URL(${JSON.stringify(SCRIPT.href)}), limits });
    console.log((await watched.ask(${JSON.stringify(question)})).pid);`;

  it("keeps no program alive when it is idle", async () => {
    const options = { encoding: "utf8", timeout: 100_000 } as const;
    const script = ["--input-type=module", "--eval", inParent({})];
    await hasEnded(Number(execFileSync(process.execPath, script, options)));
  });

  it("ends with its parent that is killed, even while busy", async () => {
    const script = ["--input-type=module", "--eval", inParent({ workMs: LONG })];
    const parent = spawn(process.execPath, script, { stdio: "ignore" });
    const pid = await eventually(() => {
      const [child = 0] = pids(parent.pid);
      expect(readCpuTicks(child)).toBeGreaterThan(20);
      return child;
    });
    parent.kill("SIGKILL");
    await hasEnded(pid);
  });
});
