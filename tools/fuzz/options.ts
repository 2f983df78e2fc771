// The options of the fuzz's command line.
import { parseArgs } from "node:util";
import { wholeNumber } from "../lib/options.ts";

export interface FuzzOptions {
  requests: number;
  seed: number;
}

export const USAGE = `npm run fuzz -- [options]

Starts the service on an empty temporary folder and sends it requests that are made from
its own OpenAPI document: good ones, nearly good ones, hostile ones. Every answer is held
against the document. Exit status 1 when something was found.

  --requests <n>  how many, 50000 by default; at least 100 for each operation see everything
  --seed <n>      the same number, the same requests; without it, any
  --help          this text`;

const MAX_NUMBER = 999_999_999;
const DEFAULT_REQUESTS = "50000";

/** @throws Error with one clear line for an unknown option or an impossible number */
export function readOptions(args: readonly string[], anySeed: number): FuzzOptions | "help" {
  const { values } = parseArgs({
    args: [...args],
    options: {
      requests: { type: "string", default: DEFAULT_REQUESTS },
      seed: { type: "string", default: String(anySeed) },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return "help";
  return {
    requests: wholeNumber("--requests", values.requests, 0, MAX_NUMBER),
    seed: wholeNumber("--seed", values.seed, 0, MAX_NUMBER),
  };
}
