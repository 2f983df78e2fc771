/** Compares a service on SQLite with one on PostgreSQL and S3: `npm run differential -- --seed 1 --minutes 10`. */
import { styleText } from "node:util";
import { createSeededCommand, parseWholeNumber, runCommand } from "../lib/command-line.ts";
import { type DifferentialOptions, runDifferential } from "./run.ts";

const DESCRIPTION = `Sends the same random requests to two services: one on SQLite and a folder, the other on PostgreSQL and an S3 store, and compares statuses, headers and bodies; ids, times and tokens are matched with each other. Ends at the first difference and prints it with both requests. Exit code 1 if there is one.`;
const MAX_TURNS = 999_999_999;

const command = createSeededCommand("npm run differential --", DESCRIPTION)
  .option("--minutes <n>", "how long", parseWholeNumber(1, 10_000), 2)
  .option(
    "--turns <n>",
    "how many turns at most; each sends every operation once, and a probe after each",
    parseWholeNumber(1, MAX_TURNS),
    MAX_TURNS,
  )
  .option(
    "--no-store",
    "both keep their files in a folder (also if neither Ceph's gateway nor S3_TEST_URL is there)",
  )
  .option("--no-database", "both use SQLite: then a difference is one of the store, or of this tool")
  .action(async (options: DifferentialOptions) => {
    console.log(`Seed ${options.seed}`);
    const { compared, seen, other, difference } = await runDifferential(options);
    const successes = [...seen].filter((pair) => / 2\d\d$/.test(pair)).length;
    console.log(`${seen.size} pairs of operation and status, ${successes} of them successes`);
    console.log(`${compared} requests to SQLite and a folder, and to ${other}`);
    if (difference === undefined) return;
    console.log(styleText("red", `They differ. ${difference}`));
    console.log(`\nAgain: npm run differential -- --seed ${options.seed}`);
    process.exitCode = 1;
  });

await runCommand(command);
