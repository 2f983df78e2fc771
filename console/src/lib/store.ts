/** A value that belongs to the window and not to one component, and those who are told when it changes. */
import { useSyncExternalStore } from "react";

export interface Store<Value> {
  read(): Value;
  write(value: Value): void;
  /** @returns a function that ends it */
  listen(listener: () => void): () => void;
}

export function createStore<Value>(initial: Value): Store<Value> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    read: () => value,
    write(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const useStore = <Value>({ listen, read }: Store<Value>): Value => useSyncExternalStore(listen, read);
