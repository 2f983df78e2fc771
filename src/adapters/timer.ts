/** Work for later. */

/** Calls it off. */
export type Cancel = () => void;

/** Runs `work` once, after so many milliseconds: at most 24 days, beyond which Node's timers run at once. */
export type Later = (delayMs: number, work: () => void) => Cancel;

/** Doesn't keep a process alive that has nothing else to do. */
export const systemLater: Later = (delayMs, work) => {
  const timer = setTimeout(work, delayMs).unref();
  return () => clearTimeout(timer);
};
