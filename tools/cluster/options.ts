/** The options of the cluster drill's command line. */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { wholeNumber } from "../lib/options.ts";
import { isPhase, PHASES, PHASES_OF_CI } from "./phases.ts";

export interface ClusterOptions {
  phases: readonly string[];
  /** How long instances are killed. */
  minutes: number;
  instances: number;
  /** By which limits of time are multiplied. */
  slack: number;
  seed: number;
  /** The checkout whose server runs. */
  tree: string;
}

export const USAGE = `npm run cluster -- [options]

Runs instances behind HAProxy on a PostgreSQL server and a Ceph gateway of its own, breaks one thing after the other under
load, and looks whether anything was lost, and how long each instance and the balancer stood still. With S3_TEST_URL (in
the form of STORAGE_URL, with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY) it uses that store instead, and doesn't stop it.

  --phases <names>  one or more, separated by commas; unless told, those in five minutes, which have a *
  --all             all phases
  --minutes <n>     how long instances are killed; 10 unless told
  --instances <n>   from 2 to 20; 3 unless told
  --slack <n>       by how much a standstill may be longer than on a machine that does nothing else; 2 unless told
  --seed <n>        what chance is made of; a new one unless told
  --tree <folder>   the checkout whose server runs, with its node_modules; this one unless told
  --help            this text

Phases:
${PHASES.map(({ name, title }) => `  ${PHASES_OF_CI.includes(name) ? "*" : " "} ${name.padEnd(27)} ${title}`).join("\n")}`;

const MAX_SEED = 2_147_483_646;
const THIS_TREE = join(import.meta.dirname, "../..");

/** @throws Error with one clear line for an unknown option or phase, or an impossible number */
export function readOptions(args: string[], newSeed: () => number): ClusterOptions | "help" {
  const { values } = parseArgs({
    args,
    options: {
      phases: { type: "string", default: PHASES_OF_CI.join(",") },
      all: { type: "boolean", default: false },
      minutes: { type: "string", default: "10" },
      instances: { type: "string", default: "3" },
      slack: { type: "string", default: "2" },
      seed: { type: "string" },
      tree: { type: "string", default: THIS_TREE },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return "help";
  const phases = values.all ? PHASES.map(({ name }) => name) : values.phases.split(",");
  const unknown = phases.find((name) => !isPhase(name));
  if (unknown !== undefined) throw new RangeError(`--phases: there is no "${unknown}"; see --help`);
  return {
    phases,
    minutes: wholeNumber("--minutes", values.minutes, 1, 10_000),
    instances: wholeNumber("--instances", values.instances, 2, 20),
    slack: wholeNumber("--slack", values.slack, 1, 10),
    seed: values.seed === undefined ? newSeed() : wholeNumber("--seed", values.seed, 1, MAX_SEED),
    tree: values.tree,
  };
}
