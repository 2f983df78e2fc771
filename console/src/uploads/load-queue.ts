/** The queue of this window, whose code is loaded with its first files. */

import { createStore, useStore } from "../lib/store.ts";
import { loadInTime } from "../ui/lazy-page.tsx";

const isLoaded = createStore(false);

/** Whether there can be files in it. */
export const useIsQueueLoaded = (): boolean => useStore(isLoaded);

/** @throws Problem if the code can't be loaded */
export async function loadQueue() {
  const queue = await loadInTime(() => import("./upload-store.ts"));
  isLoaded.write(true);
  return queue;
}
