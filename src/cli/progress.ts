/** Draws the progress of a long operation on the terminal: a bar, the rate, and the time that is left. */
import type { Progress } from "../operation/progress.ts";

const EVERY_MS = 100;
const BAR = 30;
const CLEAR_LINE = "\r\u001b[K";
/** Before this time, the rate says little. */
const SETTLED_MS = 1000;

/** What of a stream the progress needs. */
interface Output {
  isTTY: boolean;
  write(text: string): boolean;
}

/** Reports nothing if standard error isn't a terminal. */
export function createProgress(output: Output): Progress & Disposable {
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    if (timer) output.write(CLEAR_LINE);
    clearInterval(timer);
    timer = undefined;
  };
  return {
    begin(doing, total, done) {
      end();
      if (!output.isTTY) return;
      const [startedAt, before] = [performance.now(), done()];
      const draw = () => {
        const speed = formatSpeed({ total, done: done(), before, passedMs: performance.now() - startedAt });
        output.write(`${CLEAR_LINE}${formatLine(doing, total, done())}${speed}`);
      };
      draw();
      timer = setInterval(draw, EVERY_MS).unref();
    },
    end,
    [Symbol.dispose]: end,
  };
}

function formatLine(doing: string, total: number, done: number): string {
  if (total === 0) return `${doing} …`;
  const filled = Math.round((BAR * Math.min(done, total)) / total);
  return `${doing} ${"█".repeat(filled)}${"░".repeat(BAR - filled)} ${done} of ${total}`;
}

interface Passed {
  total: number;
  done: number;
  /** What was done before the operation began, by an earlier one. */
  before: number;
  passedMs: number;
}

/** `, 1234/s, 0:42 left`; empty until it is known. */
function formatSpeed({ total, done, before, passedMs }: Passed): string {
  const perMs = (done - before) / passedMs;
  if (passedMs < SETTLED_MS || perMs <= 0 || done >= total) return "";
  const seconds = Math.ceil((total - done) / perMs / 1000);
  const left = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return `, ${Math.round(perMs * 1000)}/s, ${left} left`;
}
