/** Whether the session has ended while a page was open: any response with 401 says so. */
import { useSyncExternalStore } from "react";

let hasEnded = false;
const listeners = new Set<() => void>();

function set(value: boolean): void {
  hasEnded = value;
  for (const listener of listeners) listener();
}

export const announceEnd = (): void => set(true);
export const forgetEnd = (): void => set(false);

/** Until somebody has logged in again. */
export function waitForSession(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const listener = () => {
    if (hasEnded) return;
    listeners.delete(listener);
    resolve();
  };
  listeners.add(listener);
  listener();
  return promise;
}

export const useSessionEnd = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => hasEnded,
  );

/** Other tabs of the same browser have the same session. */
const tabs = new BroadcastChannel("console.session");

export const announceLogIn = (): void => tabs.postMessage("logged in");

/** Calls back when another tab has logged in. */
export function listenForLogIn(callBack: () => void): () => void {
  tabs.addEventListener("message", callBack);
  return () => tabs.removeEventListener("message", callBack);
}
