/** The options of the differential run's command line. */
import { parseArgs } from "node:util";
import { wholeNumber } from "../lib/options.ts";

export interface DifferentialOptions {
  seed: number;
  /** The run ends after these, or after so many turns, whatever comes first. */
  minutes: number;
  /** Each sends every operation once. */
  turns: number;
  database: boolean;
  store: boolean;
}

export const USAGE = `npm run differential -- [options]

Sends the same random requests to two services: one on SQLite and a folder, the other on PostgreSQL and an S3 store,
and compares statuses, headers and bodies; ids, times and tokens are matched with each other. Ends at the first
difference and prints it with both requests. Exit status 1 if there is one.

  --seed <n>      the same number, the same requests; without it, any
  --minutes <n>   how long, 2 by default
  --turns <n>     how many turns at most; each sends every operation once, and a probe after each
  --no-store      both keep their files in a folder (also if neither Ceph's gateway nor S3_TEST_URL is there)
  --no-database   both use SQLite: then a difference is one of the store, or of this tool
  --help          this text`;

const MAX_NUMBER = 999_999_999;

/** @throws Error with one clear line for an unknown option or an impossible number */
export function readOptions(args: readonly string[], anySeed: number): DifferentialOptions | "help" {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      seed: { type: "string", default: String(anySeed) },
      minutes: { type: "string", default: "2" },
      turns: { type: "string", default: String(MAX_NUMBER) },
      store: { type: "boolean", default: true },
      database: { type: "boolean", default: true },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return "help";
  return {
    seed: wholeNumber("--seed", values.seed, 0, MAX_NUMBER),
    minutes: wholeNumber("--minutes", values.minutes, 1, 10_000),
    turns: wholeNumber("--turns", values.turns, 1, MAX_NUMBER),
    store: values.store,
    database: values.database,
  };
}
