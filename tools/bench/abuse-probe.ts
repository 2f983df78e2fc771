/** The thread of `abuse.ts` that asks for the health of the server, each time on a connection of its own. */
import { get } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";

/** Not the attacker's: limits that are kept for an address must not meet this one. */
const PROBE_ADDRESS = "127.0.0.3";
const PAUSE_MS = 10;

const port = z.int().parse(workerData);
let longest = 0;
let askedAt = performance.now();

parentPort?.once("message", () => {
  parentPort?.postMessage(Math.max(longest, performance.now() - askedAt));
  process.exit();
});

for (;;) {
  askedAt = performance.now();
  await health();
  longest = Math.max(longest, performance.now() - askedAt);
  await wait(PAUSE_MS);
  askedAt = performance.now();
}

/** A refused connection is a response, too: it is counted as one that never came. */
function health(): Promise<void> {
  return new Promise((resolve) => {
    const fail = () => {
      longest = Number.POSITIVE_INFINITY;
      resolve();
    };
    const options = {
      host: "127.0.0.1",
      port,
      path: "/api/health",
      agent: false,
      localAddress: PROBE_ADDRESS,
    };
    const request = get(options, (response) => {
      response.resume().once("end", resolve);
      response.once("error", fail);
    });
    request.once("error", fail);
  });
}
