/** The thread that ends a watched process with its parent: a process that is busy in a library doesn't notice by itself. */
import { parentPort } from "node:worker_threads";

const EVERY_MS = 500;

const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, "SIGKILL");
}, EVERY_MS);
// A busy process doesn't load this file any more.
parentPort?.postMessage("watching");
