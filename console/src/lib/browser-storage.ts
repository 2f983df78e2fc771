/** Texts that the browser keeps. One that is told to keep nothing lets the console go on without them. */
import { createStore, useStore } from "./store.ts";

export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** How many changes there were. */
const changes = createStore(0);
const announce = () => changes.write(changes.read() + 1);

// Of other tabs.
window.addEventListener("storage", announce);

/** @param text undefined: none @returns whether the browser keeps it */
export function writeStored(key: string, text: string | undefined): boolean {
  try {
    if (text === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    return false;
  }
  announce();
  return true;
}

/** What the browser has, also after another tab has changed it. */
export function useStored(key: string): string | null {
  useStore(changes);
  return readStored(key);
}
