/** Requests that wait: for a busy or restarting server, or until somebody is logged in again. */
import { announceEnd, waitForSession } from "../session/session-end.ts";
import { repeat } from "./runner.ts";

export const world = {
  waitForSession() {
    announceEnd();
    return waitForSession();
  },
  sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
};

/** @throws what the last attempt failed with */
export const repeatPatiently = <T>(request: () => Promise<T>): Promise<T> =>
  repeat(request, world, () => undefined);
