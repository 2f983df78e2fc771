/** Finds the processes that a process has started, on Linux. */
import { readdirSync, readFileSync } from "node:fs";

/** The ids of the child processes whose command line contains a text. */
export function childProcesses(text: string, parent = process.pid): number[] {
  const tasks = readdirSync(`/proc/${parent}/task`);
  const pids = tasks.flatMap((task) => fileOf(`${parent}/task/${task}/children`).split(" ").filter(Boolean));
  return pids.map(Number).filter((pid) => fileOf(`${pid}/cmdline`).includes(text));
}

/** In bytes; 0 for a process that has ended. */
export const residentBytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(fileOf(`${pid}/status`))?.[1] ?? 0) * 1024;

/** The processor time that a process has taken, in hundredths of a second. */
export function cpuTicks(pid: number): number {
  const fields = fileOf(`${pid}/stat`).split(") ")[1]?.split(" ") ?? [];
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}

/** The variables of the environment that a process has been started with. */
export const environmentOf = (pid: number): string[] => fileOf(`${pid}/environ`).split("\0").filter(Boolean);

/** Empty if the process has ended. */
function fileOf(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, "utf8");
  } catch {
    return "";
  }
}
