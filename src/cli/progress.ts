/** How far a long command is, on one line of a terminal that is written again and again. */
import type { Progress } from "../services/backup/progress.ts";

const EVERY_MS = 100;
const BAR = 30;
const CLEAR_LINE = "\r\u001b[K";

/** Silent when standard error isn't a terminal: a log has no use for it. */
export function progressOn(output: NodeJS.WriteStream): Progress {
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
      const draw = () => output.write(`${CLEAR_LINE}${lineOf(doing, total, done())}`);
      draw();
      timer = setInterval(draw, EVERY_MS).unref();
    },
    end,
  };
}

function lineOf(doing: string, total: number, done: number): string {
  if (total === 0) return `${doing} …`;
  const filled = Math.round((BAR * Math.min(done, total)) / total);
  return `${doing} ${"█".repeat(filled)}${"░".repeat(BAR - filled)} ${done} of ${total}`;
}
