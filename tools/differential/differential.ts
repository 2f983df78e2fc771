/** Compares a service on SQLite with one on PostgreSQL and S3: `npm run differential -- --seed 1 --minutes 10`. */
import { randomInt } from "node:crypto";
import { styleText } from "node:util";
import { type DifferentialOptions, readOptions, USAGE } from "./options.ts";
import { runDifferential } from "./run.ts";

const EXIT_USAGE = 64;
const SEEDS = 1_000_000;

const options = optionsOrError();
if (options === "help") console.log(USAGE);
else if (options instanceof Error) {
  console.error(options.message);
  process.exitCode = EXIT_USAGE;
} else {
  console.log(`Seed ${options.seed}`);
  const { compared, seen, other, difference } = await runDifferential(options);
  const successes = [...seen].filter((pair) => / 2\d\d$/.test(pair)).length;
  console.log(`${seen.size} pairs of operation and status, ${successes} of them successes`);
  console.log(`${compared} requests to SQLite and a folder, and to ${other}`);
  if (difference !== undefined) {
    console.log(styleText("red", `They differ. ${difference}`));
    console.log(`\nAgain: npm run differential -- --seed ${options.seed}`);
    process.exitCode = 1;
  }
}

function optionsOrError(): DifferentialOptions | "help" | Error {
  try {
    return readOptions(process.argv.slice(2), randomInt(SEEDS));
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
