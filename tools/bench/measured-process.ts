/** A server in a process of its own, so that the load doesn't share its event loop. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { z } from "zod";
import { listen } from "../lib/listening.ts";
import { watchTurns } from "./turns.ts";

/** What the image and the unit of docs/operation.md set beside the service's own settings. */
export const IMAGE_ENVIRONMENT = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "131072" } as const;

const usage = z.object({
  now: z.number(),
  peak: z.number(),
  longestHoldMs: z.number(),
  longestTurnMs: z.number(),
  p99HoldMs: z.number(),
  processorMs: z.number(),
  busyMs: z.number(),
});

/**
 * Resident memory in bytes, now and the most since the last question, the longest time since then for which the event
 * loop was held, of all and of 99 in a hundred, the most processor time of the main thread in a turn of the loop, which
 * other processes don't lengthen, and the processor time of all threads since the start, with and
 * without the garbage collection that this question causes.
 */
export type Usage = z.output<typeof usage>;

export interface MeasuredProcess<T> {
  facts: T;
  pid: number;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

/** Starts a script that tells its facts in its first message; its log goes nowhere, but it is written. */
export async function startMeasured<S extends z.ZodType>(
  script: string,
  args: readonly string[],
  facts: S,
): Promise<MeasuredProcess<z.output<S>>> {
  const child = fork(script, args, {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    execArgv: ["--expose-gc"],
    env: { ...process.env, ...IMAGE_ENVIRONMENT },
  });
  const response = async (): Promise<unknown> => (await once(child, "message"))[0];
  return {
    facts: facts.parse(await response()),
    pid: child.pid ?? Number.NaN,
    async usage() {
      child.send("usage");
      return usage.parse(await response());
    },
    async stop() {
      child.kill();
      await once(child, "exit");
    },
  };
}

const SAMPLE_MS = 5;
/** How often the loop is to tell the time: what it needs beyond that is what held it. */
const TICK_MS = 1;

/**
 * Listens on a free port of this machine, and tells the port and other facts. The process is watched from the first
 * question on.
 */
export async function reportFacts(app: RequestListener, facts: object = {}): Promise<void> {
  let peak = 0;
  const turns = watchTurns();
  const delay = monitorEventLoopDelay({ resolution: TICK_MS });
  const sample = () => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  // The measuring process is gone.
  process.once("disconnect", () => process.exit());
  process.once("message", () => {
    setInterval(sample, SAMPLE_MS);
    setInterval(turns.tick, TICK_MS);
    delay.enable();
  });
  process.on("message", () => {
    const longestHoldMs = delay.max / 1e6 - TICK_MS;
    const p99HoldMs = delay.percentile(99) / 1e6 - TICK_MS;
    const longestTurnMs = turns.longest();
    const busyMs = processorTime();
    globalThis.gc?.();
    const processorMs = processorTime();
    const now = process.memoryUsage.rss();
    process.send?.({ now, peak, longestHoldMs, longestTurnMs, p99HoldMs, processorMs, busyMs });
    peak = 0;
    // By then the garbage collection above is noted; it isn't part of what is measured.
    setTimeout(() => {
      delay.reset();
      turns.reset();
    }, SAMPLE_MS);
  });
  process.send?.({ ...facts, port: await listen(createServer(app)) });
}

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
