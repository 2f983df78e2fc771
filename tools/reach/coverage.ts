/** Which functions of `src` and `console/src` the tests reach: `npm run coverage -- /tmp/coverage main slow`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Argument } from "commander";
import { createCommand, runCommand } from "../lib/command-line.ts";
import { PROJECT, REACH_FILE, type ReachedFunction, readReach } from "./reach.ts";
import { SUITES, VITEST } from "./suites.ts";

const DESCRIPTION = `Runs suites of tests and records which functions each of their files reaches, in all processes, threads and pages. Then prints what all suites recorded in the folder reach; names functions that none does. What each test file reaches is written to reach.json there.`;

const TREES = ["src/", "console/src/"];

const command = createCommand("npm run coverage --", DESCRIPTION)
  .argument("<folder>", "of the recording, of one commit: more suites can be added")
  .addArgument(new Argument("[suites...]", "to run").choices(Object.keys(SUITES)))
  .option(
    "--only <texts...>",
    "test files with one of these texts in their path, such as those that failed by slowness",
  )
  .action(async (given: string, suites: string[], { only = [] }: { only?: string[] }) => {
    const folder = resolve(given);
    for (const suite of suites) await runSuite(suite, only, folder);
    const functions = await readReach(folder);
    await writeFile(join(folder, REACH_FILE), JSON.stringify(functions));
    console.log(reportLines(functions).join("\n"));
  });

/** Failed tests are shown and end nothing: what ran is recorded. */
async function runSuite(suite: string, only: readonly string[], folder: string): Promise<void> {
  await mkdir(join(folder, suite), { recursive: true });
  const [program = ""] = SUITES[suite] ?? [];
  const limits = program === VITEST ? ["--testTimeout=300000", "--hookTimeout=300000"] : [];
  const env = {
    ...process.env,
    COVERAGE_FOLDER: join(folder, suite),
    // V8 counts less precisely in code from a cache.
    NODE_DISABLE_COMPILE_CACHE: "1",
  };
  const args = [...(SUITES[suite] ?? []), ...only, ...limits];
  await once(spawn(process.execPath, args, { cwd: PROJECT, env, stdio: "inherit" }), "close");
}

function reportLines(functions: readonly ReachedFunction[]): string[] {
  const suites = Object.keys(SUITES).filter((suite) => functions.some(({ tests }) => tests[suite]));
  const row = (name: string, isReached: (each: ReachedFunction) => boolean): string => {
    const counts = TREES.map(
      (tree) => functions.filter((each) => each.path.startsWith(tree) && isReached(each)).length,
    );
    return `| ${name} | ${counts.join(" | ")} |`;
  };
  const rest = functions.filter(({ tests }) => Object.keys(tests).length === 0);
  return [
    `| Functions | ${TREES.map((tree) => `\`${tree.slice(0, -1)}\``).join(" | ")} |`,
    "|---|---|---|",
    row("all", () => true),
    ...suites.map((suite) => row(`reached by ${suite}`, ({ tests }) => tests[suite] !== undefined)),
    row("reached by all together", ({ tests }) => Object.keys(tests).length > 0),
    "",
    "Reached by none:",
    ...rest.map(({ path, line, name }) => `${path}:${line} ${name}`),
  ];
}

await runCommand(command);
