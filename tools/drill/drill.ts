/** The crash drill on the command line: `npm run drill -- --cycles 100 --seed 1`. Exit code 1 when anything was lost. */
import { loadavg } from "node:os";
import { styleText } from "node:util";
import { createSeededCommand, parseWholeNumber, runCommand } from "../lib/command-line.ts";
import { sum } from "../recorder/ledger.ts";
import { type DeliveriesRun, runDeliveries } from "./deliveries.ts";
import { type DiskErrorsRun, hasFiu, runDiskErrors } from "./disk-errors.ts";
import { type Cycle, type DrillRun, isLate, runDrill } from "./kills.ts";

const MAX_COUNT = 1_000_000;
/** More of them aren't printed. */
const MAX_LOSSES = 20;

interface DrillOptions {
  cycles: number;
  diskErrors?: number;
  deliveries?: number;
  letters: number;
  postgres: boolean;
  seed: number;
}

const command = createSeededCommand(
  "npm run drill --",
  "Kills a real server under load again and again, and looks whether anything that it acknowledged is lost.",
)
  .option("--cycles <n>", "how often", parseWholeNumber(1, MAX_COUNT), 100)
  .option(
    "--disk-errors <n>",
    "instead, lets the disk fail at random until n requests had a response (Debian: fiu-utils)",
    parseWholeNumber(1, MAX_COUNT),
  )
  .option(
    "--deliveries <n>",
    "instead, sends n forms, and breaks what sends and what receives their events and letters",
    parseWholeNumber(1, MAX_COUNT),
  )
  .option("--letters <n>", "to how many readers", parseWholeNumber(1, MAX_COUNT), 2000)
  .option("--postgres", "two instances on PostgreSQL deliver, not one on SQLite", false)
  .action(async (options: DrillOptions) => {
    const { seed, diskErrors } = options;
    if (diskErrors !== undefined && !hasFiu())
      command.error("There is no fiu-run here: it is in Debian's fiu-utils");
    const losses = await run(options);
    for (const loss of losses) console.log(styleText("red", loss));
    const load = loadavg().map((each) => each.toFixed(2));
    console.log(`seed ${seed}, load average ${load.join(", ")}`);
    process.exitCode = losses.length === 0 ? 0 : 1;
  });

function run(options: DrillOptions): Promise<string[]> {
  const { seed, diskErrors, deliveries } = options;
  if (deliveries !== undefined) return breakDeliveries(deliveries, options);
  return diskErrors === undefined ? killOften(options) : failOften(diskErrors, seed);
}

async function breakDeliveries(events: number, { letters, postgres, seed }: DrillOptions): Promise<string[]> {
  const report = (line: string) => void (process.stdout.isTTY && console.log(line));
  const made = await runDeliveries({ events, letters, postgres, seed, report });
  for (const line of summarizeDeliveries(made)) console.log(line);
  return made.losses.slice(0, MAX_LOSSES);
}

async function killOften({ cycles, seed }: DrillOptions): Promise<string[]> {
  const onCycle = (cycle: Cycle) => {
    if (process.stdout.isTTY || cycle.losses.length > 0) console.log(formatCycle(cycle));
  };
  const run = await runDrill({ cycles, seed, onCycle });
  for (const line of summarizeCycles(cycles, run)) console.log(line);
  const late = run.cycles.filter(isLate).length;
  return [
    ...run.cycles.flatMap(({ losses }) => losses.map((loss) => `lost: ${loss}`)),
    ...(late > 0 ? [`${late} starts took too much work`] : []),
  ];
}

async function failOften(requests: number, seed: number): Promise<string[]> {
  const run = await runDiskErrors(requests, seed);
  for (const line of summarizeErrors(run)) console.log(line);
  return run.losses.length === 0 ? [] : [...run.lines, ...run.losses.map((loss) => `lost: ${loss}`)];
}

function formatCycle({ number, loadMs, acknowledged, readyMs, swept, compared, losses }: Cycle): string {
  const facts = [
    `killed after ${String(loadMs).padStart(4)} ms`,
    `${String(acknowledged).padStart(3)} writes acknowledged`,
    `ready in ${String(Math.round(readyMs)).padStart(4)} ms`,
    `${swept} left over`,
    `${compared} things compared`,
  ];
  const verdict = losses.length === 0 ? "nothing lost" : `${losses.length} lost`;
  return `${String(number).padStart(4)}  ${facts.join(", ")}: ${verdict}`;
}

/** @param wanted how many cycles there were to be */
function summarizeCycles(wanted: number, { cycles, done }: DrillRun): string[] {
  const total = (of: (cycle: Cycle) => number) => cycles.reduce((all, cycle) => all + of(cycle), 0);
  const most = (of: (cycle: Cycle) => number) => Math.max(...cycles.map(of)).toFixed(0);
  return [
    ...formatCounts(done),
    `${cycles.length} of ${wanted} cycles, ${total(({ acknowledged }) => acknowledged)} writes acknowledged, ` +
      `${total(({ losses }) => losses.length)} lost`,
    `ready within ${most(({ readyMs }) => readyMs)} ms, with up to ${most(({ cpuMs }) => cpuMs ?? Number.NaN)} ms ` +
      "of work on the processor",
    `${total(({ swept }) => swept)} left over by kills and removed, ${total(({ compared }) => compared)} things compared`,
  ];
}

const summarizeErrors = ({ done, rejected, refusals, losses }: DiskErrorsRun): string[] => [
  ...formatCounts(done, rejected),
  `${sum(done)} writes acknowledged, ${sum(rejected)} requests rejected (${[...refusals].join(", ")}), ${losses.length} lost`,
];

const summarizeDeliveries = ({ accepted, unknown, faults, lastMs, ...run }: DeliveriesRun): string[] => [
  ...formatCounts(faults),
  `${accepted} forms accepted, ${unknown} without a response`,
  ...(["events", "letters"] as const).map(
    (kind) => `${run[kind].arrived} ${kind} arrived, ${run[kind].repeated} of them more than once`,
  ),
  `the last ${Math.round(lastMs / 1000)} s after the last form, ${run.losses.length} lost or invented`,
];

const formatCounts = (done: ReadonlyMap<string, number>, rejected?: ReadonlyMap<string, number>): string[] =>
  [...done]
    .sort()
    .map(
      ([kind, count]) =>
        `${kind.padEnd(50)} ${count}${rejected ? `, rejected ${rejected.get(kind) ?? 0}` : ""}`,
    );

await runCommand(command);
