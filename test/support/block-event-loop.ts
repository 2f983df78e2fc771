/** Blocks the event loop, as long work does that never yields. */
export function blockEventLoop(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}
