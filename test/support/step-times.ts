/** A reporter for the last step of `.ci/run`, see .ci/run-steps.sh: prints how long each step took, above vitest's summary. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Reporter } from "vitest/node";

export default class StepTimes implements Reporter {
  onTestRunEnd(): void {
    const {
      STEP_TIMES: folder = "",
      STEPS_BEGAN: start,
      LAST_STEP: last = "",
      LAST_STEP_BEGAN: begin,
    } = process.env;
    const times = join(folder, "times");
    const before = existsSync(times) ? readFileSync(times, "utf8") : "";
    const seconds = Math.round(Date.now() / 1000) - Number(start);
    process.stdout.write(
      `\n${before}${formatTime(last, seconds - Number(begin))}${formatTime("all", seconds)}`,
    );
    writeFileSync(join(folder, "printed"), "");
  }
}

const formatTime = (step: string, seconds: number) => `${step.padEnd(18)} ${String(seconds).padStart(5)} s\n`;
