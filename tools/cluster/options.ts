/** The options of the cluster drill's command line. */
import { join } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { createSeededCommand, parseWholeNumber } from "../lib/command-line.ts";
import { QUIET_SLACK } from "./gaps.ts";
import { PHASES, PHASES_OF_CI } from "./phases.ts";

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

const DESCRIPTION = `Runs instances behind HAProxy on a PostgreSQL server and a Ceph gateway of its own, breaks one thing after the other under load, and looks whether anything was lost, and how long each instance and the balancer stood still. With S3_TEST_URL (in the form of STORAGE_URL, with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY) it uses that store instead, and doesn't stop it.`;

const PHASES_HELP = `
Phases, of which those with a * run by default, in five minutes:
${PHASES.map(({ name, title }) => `  ${PHASES_OF_CI.includes(name) ? "*" : " "} ${name.padEnd(27)} ${title}`).join("\n")}`;

const ALL_PHASES = PHASES.map(({ name }) => name);
const THIS_TREE = join(import.meta.dirname, "../..");

export const createClusterCommand = (): Command =>
  createSeededCommand("npm run cluster --", DESCRIPTION)
    .addOption(
      new Option("--phases <names>", "one or more, separated by commas")
        .argParser(parsePhases)
        .default(PHASES_OF_CI, "those in five minutes"),
    )
    .addOption(new Option("--all", "all phases").implies({ phases: ALL_PHASES }))
    .option("--minutes <n>", "how long instances are killed", parseWholeNumber(1, 10_000), 10)
    .option("--instances <n>", "from 2 to 20", parseWholeNumber(2, 20), 3)
    .option(
      "--slack <n>",
      "by how much a standstill may be longer than on a machine that does nothing else; half of the load per processor if that is more",
      parseWholeNumber(1, 10),
      QUIET_SLACK,
    )
    .addOption(
      new Option("--tree <folder>", "the checkout whose server runs, with its node_modules").default(
        THIS_TREE,
        "this one",
      ),
    )
    .addHelpText("after", PHASES_HELP);

function parsePhases(text: string): readonly string[] {
  const names = text.split(",");
  const unknown = names.find((name) => !ALL_PHASES.includes(name));
  if (unknown === undefined) return names;
  throw new InvalidArgumentError(`There is no "${unknown}"; see --help.`);
}
