/** Occupies all concurrent password comparisons and their queue. */
import { AppError } from "../../src/errors.ts";
import type { TestApp } from "./app.ts";

/** More than are compared and wait at once. */
const MORE_THAN_FIT = 30;
/** Far more than anybody gets while a test runs, so that the loop ends even if nothing is compared at all. */
const MAX_TRIES = 100_000;

/**
 * Runs `work` while not one more password can be compared. However long a comparison takes: the moment it is over, the
 * place that became free is taken again, before the event loop comes to anything else, such as a request.
 */
export async function runWhileLoginsAreBusy<T>(app: TestApp, work: () => Promise<T>): Promise<T> {
  let isOver = false;
  const full = Promise.withResolvers<void>();
  const attempts = Array.from({ length: MORE_THAN_FIT }, async () => {
    for (let tries = 0; !isOver && tries < MAX_TRIES && (await isServed(app)); tries++);
    full.resolve();
  });
  await full.promise;
  try {
    return await work();
  } finally {
    isOver = true;
    await Promise.all(attempts);
  }
}

/** Compares a password. False if the queue was full. */
async function isServed({ container }: TestApp): Promise<boolean> {
  try {
    await container.hasher.verify("not the pass phrase", undefined);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "login_busy") return false;
    throw error;
  }
}
