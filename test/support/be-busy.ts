/** Holds the event loop, as long work without turns does. */
export function beBusy(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}
