/** PostgreSQL hangs, as a whole or the process of one connection, or ends. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ServerLocks } from "../server-locks.ts";
import { type Fault, READS_ONLY, RECOVERS } from "./fault.ts";

const ATTEMPTS = 3000;

const stopped: Fault = {
  name: "database-stopped",
  title: "PostgreSQL stopped (SIGSTOP)",
  // Longer than a form may take on a slow machine, or the check couldn't fail.
  seconds: 30,
  away: "database",
  named: "database",
  limits: { others: RECOVERS },
  async begin({ servers: { database } }) {
    database.hang();
    return { repair: () => database.wake() };
  },
};

const backendStopped: Fault = {
  name: "backend-stopped",
  title: "process of PostgreSQL that has the lock stopped (SIGSTOP)",
  seconds: 30,
  away: "database",
  // Its instance sees a writing connection that is silent while a new one works.
  mayLeave: "hit",
  limits: { hit: READS_ONLY, others: READS_ONLY },
  async begin({ servers: { locks, instances }, hit }) {
    const pid = await stoppedBackend(locks, instances.names[hit]);
    return { repair: () => void process.kill(pid, "SIGCONT") };
  },
};

/** @param name of the instance whose connection it is */
async function stoppedBackend(locks: ServerLocks, name: string | undefined): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const writer = await locks.writer();
    if (writer && writer.name === name) {
      process.kill(writer.pid, "SIGSTOP");
      await sleep(50);
      if ((await locks.writer())?.pid === writer.pid) return writer.pid;
      process.kill(writer.pid, "SIGCONT");
    }
    await sleep(2);
  }
  throw new Error(`No connection with the lock was caught in ${ATTEMPTS} attempts`);
}

const crashed: Fault = {
  name: "database-crashed",
  title: "PostgreSQL restarted with -m immediate",
  seconds: 0,
  away: "database",
  limits: { others: RECOVERS },
  async begin({ servers: { database } }) {
    await database.crash();
    return { repair: () => database.start() };
  },
};

const away: Fault = {
  name: "database-away",
  title: "PostgreSQL away for 10 s",
  seconds: 10,
  away: "database",
  named: "database",
  limits: { others: RECOVERS },
  async begin({ servers: { database } }) {
    await database.stop();
    return { repair: () => database.start() };
  },
};

export const DATABASE_FAULTS = [stopped, backendStopped, crashed, away];
