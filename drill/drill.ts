/** The crash drill on the command line: `npm run drill -- --cycles 100 --seed 1`. Exit code 1 when anything was lost. */
import { randomInt } from "node:crypto";
import { loadavg } from "node:os";
import { styleText } from "node:util";
import { type Cycle, MOST_READY_MS, runDrill } from "./cycles.ts";
import { type DrillOptions, readOptions, USAGE } from "./options.ts";

const EXIT_USAGE = 64;

try {
  const options = readOptions(process.argv.slice(2), () => randomInt(1, 2 ** 31 - 2));
  if (options === "help") console.log(USAGE);
  else process.exitCode = await drill(options);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = EXIT_USAGE;
}

async function drill(options: DrillOptions): Promise<0 | 1> {
  const onCycle = (cycle: Cycle) => {
    if (process.stdout.isTTY || cycle.losses.length > 0) console.log(lineOf(cycle));
  };
  const done = await runDrill({ ...options, onCycle });
  const losses = done.flatMap((cycle) => cycle.losses);
  for (const line of summaryOf(options, done)) console.log(line);
  for (const loss of losses) console.log(styleText("red", `lost: ${loss}`));
  const late = done.filter(({ readyMs }) => readyMs > MOST_READY_MS).length;
  if (late > 0) console.log(styleText("red", `${late} times ready only after more than ${MOST_READY_MS} ms`));
  return losses.length + late === 0 ? 0 : 1;
}

function lineOf({ number, loadMs, answered, readyMs, swept, compared, losses }: Cycle): string {
  const facts = [
    `killed after ${String(loadMs).padStart(3)} ms`,
    `${String(answered).padStart(3)} writes answered`,
    `ready in ${String(Math.round(readyMs)).padStart(4)} ms`,
    `${swept} left over`,
    `${compared} things looked at`,
  ];
  const verdict = losses.length === 0 ? "nothing lost" : `${losses.length} lost`;
  return `${String(number).padStart(4)}  ${facts.join(", ")}: ${verdict}`;
}

function summaryOf({ cycles, seed }: DrillOptions, done: readonly Cycle[]): string[] {
  const sum = (of: (cycle: Cycle) => number) => done.reduce((total, cycle) => total + of(cycle), 0);
  const slowest = Math.max(...done.map(({ readyMs }) => readyMs));
  return [
    `seed ${seed}: ${done.length} of ${cycles} cycles, ${sum(({ answered }) => answered)} writes answered, ` +
      `${sum(({ losses }) => losses.length)} lost`,
    `ready within ${slowest.toFixed(0)} ms, ${sum(({ swept }) => swept)} left over by kills and removed, ` +
      `${sum(({ compared }) => compared)} things looked at`,
    `load average ${loadavg()
      .map((load) => load.toFixed(2))
      .join(", ")}`,
  ];
}
