/** What a process asked of the system, in order, as strace has written it down. */
import { spawnSync } from "node:child_process";

export interface SystemCall {
  thread: string;
  name: string;
  /** With the paths of descriptors, as `-y` shows them. */
  text: string;
  /** The lines on which it began and ended. */
  began: number;
  ended: number;
}

export const STRACE = "/usr/bin/strace";

/** Also an installed one may be forbidden, as in some containers. */
export const canTrace = (): boolean => spawnSync(STRACE, ["-o", "/dev/null", "true"]).status === 0;

/**
 * Traces what makes things durable and what answers. The tracer is a grandchild (`-D`), so that signals reach the traced
 * process itself.
 */
export const createStraceArgs = (output: string, command: readonly string[]): string[] => [
  "-D",
  "-f",
  "-y",
  "--seccomp-bpf",
  "-s",
  "120",
  "-o",
  output,
  "-e",
  "signal=none",
  "-e",
  "trace=write,writev,pwrite64,pwritev,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat",
  "-e",
  "status=successful,unfinished,detached",
  ...command,
];

export const isSync = ({ name }: SystemCall): boolean => name === "fsync" || name === "fdatasync";
export const isWrite = ({ name }: SystemCall): boolean => /^p?writev?(?:64)?$/.test(name);
export const ofDatabase = ({ text }: SystemCall): boolean => /^\d+<[^>]+\.sqlite>/.test(text);
export const ofWal = ({ text }: SystemCall): boolean => /^\d+<[^>]+\.sqlite-wal>/.test(text);

const LINE = /^(?<thread>\d+) +(?:<\.\.\. (?<resumed>\w+) resumed>|(?<name>\w+)\()(?<text>.*)$/;
const UNFINISHED = / <unfinished \.\.\.>$/;

/** Calls that overlap others are written on two lines: both are found again. */
export function parseTrace(trace: string): SystemCall[] {
  const calls: SystemCall[] = [];
  const open = new Map<string, SystemCall>();
  for (const [index, line] of trace.split("\n").entries()) {
    const { thread = "", resumed, name, text = "" } = LINE.exec(line)?.groups ?? {};
    if (resumed !== undefined) {
      const call = open.get(`${thread} ${resumed}`);
      if (call) call.ended = index;
    } else if (name !== undefined) {
      const call = {
        thread,
        name,
        text,
        began: index,
        ended: UNFINISHED.test(text) ? Number.POSITIVE_INFINITY : index,
      };
      open.set(`${thread} ${name}`, call);
      calls.push(call);
    }
  }
  return calls;
}
