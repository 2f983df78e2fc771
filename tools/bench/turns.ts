/** The turns of the event loop, by the processor time of its thread, which other processes don't lengthen. */

/** In milliseconds. */
export function readThreadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** A timer ticks once in a turn: the processor time between two ticks is that of a turn, or of a few short ones. */
export function watchTurns() {
  let [longest, seen] = [0, readThreadTime()];
  return {
    tick() {
      const now = readThreadTime();
      longest = Math.max(longest, now - seen);
      seen = now;
    },
    longest: () => longest,
    reset() {
      [longest, seen] = [0, readThreadTime()];
    },
  };
}
