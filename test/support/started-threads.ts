/** Sees which worker threads a test starts. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Worker } from "node:worker_threads";
import { onTestFinished } from "vitest";
import { startOwnThreads } from "./reused-threads.ts";

/** The threads that are started from now on: each by the service that needs it. */
export function watchStartedThreads(): Worker[] {
  const threads: Worker[] = [];
  const add = (message: unknown) => {
    const { worker } = Object(message);
    if (worker instanceof Worker) threads.push(worker);
  };
  subscribe("worker_threads", add);
  const reuse = startOwnThreads();
  onTestFinished(() => {
    unsubscribe("worker_threads", add);
    reuse();
  });
  return threads;
}
