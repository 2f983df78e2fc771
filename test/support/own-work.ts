/** Work of the test itself, whose time doesn't depend on what else the machine does. */

/** @returns the processor time that this thread took, in milliseconds */
export function measureWork(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
