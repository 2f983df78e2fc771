/** Finds the processes that a process has started, on Linux. */
import { readdirSync, readFileSync } from "node:fs";

/** The ids of the child processes whose command line contains a text. */
export function findChildProcesses(text: string, parent = process.pid): number[] {
  const tasks = readdirSync(`/proc/${parent}/task`);
  const pids = tasks.flatMap((task) =>
    readProcFile(`${parent}/task/${task}/children`).split(" ").filter(Boolean),
  );
  return pids.map(Number).filter((pid) => readProcFile(`${pid}/cmdline`).includes(text));
}

/** In bytes; 0 for a process that has ended. */
export const readResidentBytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readProcFile(`${pid}/status`))?.[1] ?? 0) * 1024;

/** The processor time that a process has taken, in hundredths of a second. */
export function readCpuTicks(pid: number): number {
  const fields = readProcFile(`${pid}/stat`).split(") ")[1]?.split(" ") ?? [];
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}

/** The variables of the environment that a process has been started with. */
export const readEnvironment = (pid: number): string[] =>
  readProcFile(`${pid}/environ`).split("\0").filter(Boolean);

/** Empty if the process has ended. */
function readProcFile(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, "utf8");
  } catch {
    return "";
  }
}

/** The most memory that one of the processes has until `end`. */
export function watchMemory(find: () => number[]): { end(): number } {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, ...find().map(readResidentBytes));
  }, 10);
  return {
    end() {
      clearInterval(timer);
      return peak;
    },
  };
}
