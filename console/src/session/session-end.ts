/** Whether the session has ended while a page was open: any response with 401 says so. */
import { createStore, useStore } from "../shell/store.ts";

const hasEnded = createStore(false);

export const announceEnd = (): void => hasEnded.write(true);
export const forgetEnd = (): void => hasEnded.write(false);

/** Until somebody has logged in again. */
export function waitForSession(): Promise<void> {
  if (!hasEnded.read()) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const unsubscribe = hasEnded.listen(() => {
    if (hasEnded.read()) return;
    unsubscribe();
    resolve();
  });
  return promise;
}

export const useSessionEnd = (): boolean => useStore(hasEnded);

/** Other tabs of the same browser have the same session. */
const tabs = new BroadcastChannel("console.session");

export const announceLogIn = (): void => tabs.postMessage("logged in");

/** Calls back when another tab has logged in. */
export function listenForLogIn(callBack: () => void): () => void {
  tabs.addEventListener("message", callBack);
  return () => tabs.removeEventListener("message", callBack);
}
