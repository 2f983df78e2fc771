/** Holds all places for comparing passwords, and all places in the queue for them. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { TestApp } from "./app.ts";

/** More than are compared and wait at once. */
const MORE_THAN_FIT = 30;
const STRANGER = { email: "stranger@example.org", password: "not the pass phrase" };

/** Runs `work` while not one more password can be compared: in every turn of the event loop the queue is filled up. */
export async function whileLoginsAreBusy<T>(app: TestApp, work: () => Promise<T>): Promise<T> {
  const { auth } = app.container.services;
  const client = { address: "192.0.2.1", userAgent: "", referrer: "" };
  const attempts: Promise<unknown>[] = [];
  let isOver = false;
  const result = work().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const surplus = Array.from({ length: MORE_THAN_FIT }, () => auth.login(STRANGER, client));
    attempts.push(...surplus.map((attempt) => attempt.catch(() => undefined)));
    await nextTurn();
  }
  await Promise.all(attempts);
  return await result;
}
