// The fuzz of the interface: `npm run fuzz -- --requests 50000 --seed 1`.
import { randomInt } from "node:crypto";
import { styleText } from "node:util";
import { readOptions, USAGE } from "./options.ts";
import { reportLines } from "./report.ts";
import { runFuzz } from "./run.ts";

const SEEDS = 1_000_000;

async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args, randomInt(SEEDS));
  if (options === "help") {
    console.log(USAGE);
    return 0;
  }
  console.log(`${options.requests} requests, seed ${options.seed}`);
  const startedAt = performance.now();
  const outcome = await runFuzz(options, (sent) => {
    if (process.stdout.isTTY) process.stdout.write(`\r${sent} of ${options.requests}`);
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const { lines, isGood } = reportLines(outcome);
  console.log([`\rin ${seconds.toFixed(0)} s`, ...lines].join("\n"));
  return isGood ? 0 : 1;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(styleText("red", String(error), { stream: process.stderr }));
  process.exitCode = 1;
}
