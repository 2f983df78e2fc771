/** The fuzz of the interface: `npm run fuzz -- --requests 50000 --seed 1`. Exit code 1 when something was found. */
import { createSeededCommand, parseWholeNumber, runCommand } from "../lib/command-line.ts";
import { reportLines } from "./report.ts";
import { runFuzz } from "./run.ts";
import type { FuzzOptions } from "./turns.ts";

const DESCRIPTION = `Starts the service on an empty temporary folder and sends it requests that are made from its own OpenAPI document: valid, nearly valid and hostile ones. Every response is compared with the document.`;
const MAX_REQUESTS = 999_999_999;

const command = createSeededCommand("npm run fuzz --", DESCRIPTION)
  .option(
    "--requests <n>",
    "how many; at least 100 for each operation see everything",
    parseWholeNumber(0, MAX_REQUESTS),
    50_000,
  )
  .action(async (options: FuzzOptions) => {
    console.log(`${options.requests} requests, seed ${options.seed}`);
    const startedAt = performance.now();
    const outcome = await runFuzz(options, (sent) => {
      if (process.stdout.isTTY) process.stdout.write(`\r${sent} of ${options.requests}`);
    });
    const seconds = (performance.now() - startedAt) / 1000;
    const { lines, isGood } = reportLines(outcome);
    console.log([`\rin ${seconds.toFixed(0)} s`, ...lines].join("\n"));
    process.exitCode = isGood ? 0 : 1;
  });

await runCommand(command);
