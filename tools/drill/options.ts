/** The options of the drill's command line. */
import { parseArgs } from "node:util";
import { wholeNumber } from "../lib/options.ts";

export interface DrillOptions {
  cycles: number;
  /** In place of the cycles: until so many requests were answered on a disk that fails at random. */
  diskErrors: number | undefined;
  /** What chance is made of: the same seed makes the same requests, as far as time allows. */
  seed: number;
}

export const USAGE = `npm run drill -- [options]

Kills a real server under load again and again, and looks whether anything that it answered is lost.

  --cycles <n>       how often; 100 unless told
  --disk-errors <n>  instead, lets the disk fail at random until n requests were answered (Debian: fiu-utils)
  --seed <n>         what chance is made of, from 1 to 2147483646; a new one unless told
  --help             this text`;

const MAX_COUNT = 1_000_000;
const MAX_SEED = 2_147_483_646;

/** @throws Error with one clear line for an unknown option or an impossible number */
export function readOptions(args: string[], newSeed: () => number): DrillOptions | "help" {
  const { values } = parseArgs({
    args,
    options: {
      cycles: { type: "string", default: "100" },
      "disk-errors": { type: "string" },
      seed: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return "help";
  const seed = values.seed === undefined ? newSeed() : wholeNumber("--seed", values.seed, 1, MAX_SEED);
  const errors = values["disk-errors"];
  const diskErrors = errors === undefined ? undefined : wholeNumber("--disk-errors", errors, 1, MAX_COUNT);
  return { cycles: wholeNumber("--cycles", values.cycles, 1, MAX_COUNT), diskErrors, seed };
}
