/** What the drill tells on the command line. */
import type { Cycle, DrillRun } from "./cycles.ts";
import type { FaultsRun } from "./io-faults.ts";
import { sum } from "./scene.ts";

export function cycleLine({ number, loadMs, answered, readyMs, swept, compared, losses }: Cycle): string {
  const facts = [
    `killed after ${String(loadMs).padStart(4)} ms`,
    `${String(answered).padStart(3)} writes answered`,
    `ready in ${String(Math.round(readyMs)).padStart(4)} ms`,
    `${swept} left over`,
    `${compared} things looked at`,
  ];
  const verdict = losses.length === 0 ? "nothing lost" : `${losses.length} lost`;
  return `${String(number).padStart(4)}  ${facts.join(", ")}: ${verdict}`;
}

/** @param wanted how many cycles there were to be */
export function cyclesSummary(wanted: number, { cycles, done }: DrillRun): string[] {
  const total = (of: (cycle: Cycle) => number) => cycles.reduce((all, cycle) => all + of(cycle), 0);
  const most = (of: (cycle: Cycle) => number) => Math.max(...cycles.map(of)).toFixed(0);
  return [
    ...linesOf(done),
    `${cycles.length} of ${wanted} cycles, ${total(({ answered }) => answered)} writes answered, ` +
      `${total(({ losses }) => losses.length)} lost`,
    `ready within ${most(({ readyMs }) => readyMs)} ms, with up to ${most(({ cpuMs }) => cpuMs ?? Number.NaN)} ms ` +
      "of work on the processor",
    `${total(({ swept }) => swept)} left over by kills and removed, ${total(({ compared }) => compared)} things looked at`,
  ];
}

export const errorsSummary = ({ done, rejected, refusals, losses }: FaultsRun): string[] => [
  ...linesOf(done, rejected),
  `${sum(done)} writes answered, ${sum(rejected)} requests refused (${[...refusals].join(", ")}), ${losses.length} lost`,
];

const linesOf = (done: ReadonlyMap<string, number>, rejected?: ReadonlyMap<string, number>): string[] =>
  [...done]
    .sort()
    .map(
      ([kind, count]) =>
        `${kind.padEnd(50)} ${count}${rejected ? `, refused ${rejected.get(kind) ?? 0}` : ""}`,
    );
