/** A server in a process of its own, so that the load doesn't share its event loop. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { z } from "zod";

const memory = z.object({ now: z.number(), peak: z.number() });

/** Resident memory in bytes: now, and the most since the last question. */
export type Memory = z.output<typeof memory>;

export interface MeasuredProcess<T> {
  facts: T;
  memory(): Promise<Memory>;
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
  });
  const answer = async (): Promise<unknown> => (await once(child, "message"))[0];
  return {
    facts: facts.parse(await answer()),
    async memory() {
      child.send("memory");
      return memory.parse(await answer());
    },
    async stop() {
      child.kill();
      await once(child, "exit");
    },
  };
}

const SAMPLE_MS = 5;

/** Said by the measured process once it can be asked. Its memory is watched from the first question on. */
export function tellFacts(facts: object): void {
  let peak = 0;
  const sample = () => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  process.once("message", () => setInterval(sample, SAMPLE_MS));
  process.on("message", () => {
    globalThis.gc?.();
    process.send?.({ now: process.memoryUsage.rss(), peak });
    peak = 0;
  });
  process.send?.(facts);
}
