/** The crash drill on the command line: `npm run drill -- --cycles 100 --seed 1`. Exit code 1 when anything was lost. */
import { randomInt } from "node:crypto";
import { loadavg } from "node:os";
import { styleText } from "node:util";
import { type Cycle, MAX_READY_MS, runDrill } from "./cycles.ts";
import { hasFiu, runIoFaults } from "./io-faults.ts";
import { type DrillOptions, readOptions, USAGE } from "./options.ts";
import { cycleLine, cyclesSummary, errorsSummary } from "./report.ts";

const EXIT_USAGE = 64;

const options = optionsOrError();
if (options === "help") console.log(USAGE);
else if (options instanceof Error) {
  console.error(options.message);
  process.exitCode = EXIT_USAGE;
} else {
  const losses = options.diskErrors === undefined ? await killOften(options) : await failOften(options);
  for (const loss of losses) console.log(styleText("red", loss));
  console.log(
    `seed ${options.seed}, load average ${loadavg()
      .map((load) => load.toFixed(2))
      .join(", ")}`,
  );
  process.exitCode = losses.length === 0 ? 0 : 1;
}

function optionsOrError(): DrillOptions | "help" | Error {
  try {
    const given = readOptions(process.argv.slice(2), () => randomInt(1, 2 ** 31 - 2));
    if (given === "help" || given.diskErrors === undefined || hasFiu()) return given;
    return new Error("There is no fiu-run here: it is in Debian's fiu-utils");
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function killOften({ cycles, seed }: DrillOptions): Promise<string[]> {
  const onCycle = (cycle: Cycle) => {
    if (process.stdout.isTTY || cycle.losses.length > 0) console.log(cycleLine(cycle));
  };
  const run = await runDrill({ cycles, seed, onCycle });
  for (const line of cyclesSummary(cycles, run)) console.log(line);
  const late = run.cycles.filter(({ readyMs }) => readyMs > MAX_READY_MS).length;
  return [
    ...run.cycles.flatMap(({ losses }) => losses.map((loss) => `lost: ${loss}`)),
    ...(late > 0 ? [`${late} times ready only after more than ${MAX_READY_MS} ms`] : []),
  ];
}

async function failOften({ diskErrors = 1, seed }: DrillOptions): Promise<string[]> {
  const run = await runIoFaults({ requests: diskErrors, seed });
  for (const line of errorsSummary(run)) console.log(line);
  return run.losses.length === 0 ? [] : [...run.lines, ...run.losses.map((loss) => `lost: ${loss}`)];
}
