/** Occupies all concurrent password comparisons and their queue. */
import { AppError } from "../../src/errors.ts";
import type { TestApp } from "./app.ts";

/** More than are compared and wait at once. */
const MORE_THAN_FIT = 30;
/** Far more than anybody gets while a test runs, so that the loop ends even if nothing is compared at all. */
const MAX_TRIES = 100_000;
const STRANGER = { email: "stranger@example.org", password: "not the pass phrase" };
const CLIENT = { address: "192.0.2.1", userAgent: "", referrer: "", requestId: "a-request" };

/**
 * Runs `work` while not one more password can be compared. However long a comparison takes: the moment it is over, the
 * place that became free is taken again, before the event loop comes to anything else, such as a request.
 */
export async function whileLoginsAreBusy<T>(app: TestApp, work: () => Promise<T>): Promise<T> {
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

/** Tries to log in to an unknown account. False if the queue was full. */
async function isServed({ container }: TestApp): Promise<boolean> {
  try {
    await container.services.auth.login(STRANGER, CLIENT);
    throw new Error("Nobody has logged in");
  } catch (error) {
    if (error instanceof AppError && error.code === "wrong_credentials") return true;
    if (error instanceof AppError && error.code === "login_busy") return false;
    throw error;
  }
}
