/** Whether the session has ended while a page was open: any response with 401 says so. */
import type { Waits } from "../api/retry.ts";
import { createStore, useStore } from "../lib/store.ts";

/** What was interrupted by it: only reading, which goes on by itself, or a change that has to be made again. */
export type Interrupted = "reading" | "change";

const interrupted = createStore<Interrupted | undefined>(undefined);

export const announceEnd = (what: Interrupted = "reading"): void =>
  interrupted.write(interrupted.read() === "change" ? "change" : what);
export const forgetEnd = (): void => interrupted.write(undefined);

/** Until someone has logged in again. */
function waitForSession(): Promise<void> {
  if (!interrupted.read()) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const unsubscribe = interrupted.listen(() => {
    if (interrupted.read()) return;
    unsubscribe();
    resolve();
  });
  return promise;
}

/** What repeated requests of this window wait for. */
export const waits: Waits = {
  waitForSession() {
    announceEnd();
    return waitForSession();
  },
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/** Undefined: it hasn't ended. */
export const useSessionEnd = (): Interrupted | undefined => useStore(interrupted);

/** Other tabs of the same browser have the same session. */
const tabs = new BroadcastChannel("console.session");

export const announceLogIn = (): void => tabs.postMessage("logged in");

/** Calls back when another tab has logged in. */
export function listenForLogIn(callBack: () => void): () => void {
  tabs.addEventListener("message", callBack);
  return () => tabs.removeEventListener("message", callBack);
}
