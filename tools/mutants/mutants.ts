/** Whether the tests notice changes of the code: `npm run mutants -- run /tmp/coverage`. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { createSeededCommand, parseWholeNumber, runCommand } from "../lib/command-line.ts";
import { PROJECT, readReachFile } from "../reach/reach.ts";
import { drawMutants, keepResult, listAllSites, type Mutant, readMutants, writeMutants } from "./draw.ts";
import { tryMutant } from "./trial.ts";

const DESCRIPTION = `Changes functions of src and console/src, one at a time: turns a condition, moves a bound by one, takes a line out, swaps arguments. Each such mutant, of those in tools/mutants/mutants.jsonl, is tried by the test files that reach its function, until one fails.`;

interface RunOptions {
  tree: string;
  minutes: number;
  only?: string;
}

const command = createSeededCommand("npm run mutants --", DESCRIPTION);

command
  .command("draw")
  .description("draws others, and forgets what was found")
  .argument("<count>", "how many", parseWholeNumber(1, 10_000))
  .action((count: number) =>
    writeMutants(drawMutants(command.getOptionValue("seed"), count, listAllSites())),
  );

command
  .command("run")
  .argument("<folder>", "of a recording by npm run coverage, with reach.json")
  .option("--tree <folder>", "of the copy of the last commit that is changed", "/tmp/mutants")
  .option("--minutes <n>", "after which one is tried by no further files", parseWholeNumber(1, 600), 20)
  .option("--only <numbers>", "some of them, such as 3,17")
  .action(async (folder: string, { tree, minutes, only }: RunOptions) => {
    cloneProject(resolve(tree));
    const functions = readReachFile(folder);
    const files = functions.flatMap(({ tests }) => Object.values(tests).flat());
    const reached = new Map([...Map.groupBy(files, (file) => file)].map(([file, all]) => [file, all.length]));
    const mutants = readMutants();
    const chosen = only?.split(",").map(Number);
    for (const [index, mutant] of mutants.entries()) {
      if (chosen && !chosen.includes(index + 1)) continue;
      const trial = { mutant, functions, reached, tree: resolve(tree), limitMs: minutes * 60_000 };
      mutant.result = await tryMutant(trial);
      console.log(tableRow(mutant, index));
      keepResult(index, mutant.result);
    }
    console.log(summary(mutants));
  });

command
  .command("table")
  .description("prints what the last run found")
  .action(() => {
    const mutants = readMutants();
    const head = ["| | File and function | Change | Outcome |", "|---|---|---|---|"];
    console.log([...head, ...mutants.map(tableRow), "", summary(mutants)].join("\n"));
  });

/** The packages as links: a copy would take a minute. */
function cloneProject(tree: string): void {
  if (existsSync(tree)) return;
  execFileSync("git", ["clone", "--quiet", PROJECT, tree]);
  for (const packages of ["node_modules", "console/node_modules"])
    if (existsSync(join(PROJECT, packages)))
      execFileSync("cp", ["--archive", "--link", join(PROJECT, packages), join(tree, packages)]);
}

const code = (text: string): string => {
  const line = text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|");
  return `\`\`${line.length > 60 ? `${line.slice(0, 60)}…` : line}\`\``;
};

function tableRow(mutant: Mutant, index: number): string {
  const { path, kind, before, after, note } = mutant;
  const change =
    kind === "line out" ? `${kind}: ${code(before)}` : `${kind}: ${code(before)} → ${code(after)}`;
  const outcome = [describe(mutant), note].filter((each) => each !== undefined).join("; ");
  return `| ${index + 1} | ${path} \`${mutant.function}\` | ${change} | ${outcome} |`;
}

function describe({ result }: Mutant): string | undefined {
  if (!result) return "not tried";
  if (result.outcome === "killed")
    return result.file.replace(/^test\//, "").replace(/\.(?:test|spec)\.ts$/, "");
  if (result.outcome === "gone") return "**gone**";
  return `**survives** ${result.passed} files${result.isCut ? ", cut" : ""}`;
}

function summary(mutants: readonly Mutant[]): string {
  const outcomes = Map.groupBy(mutants, ({ result }) =>
    result?.outcome === "killed" ? `killed by ${result.suite}` : (result?.outcome ?? "not tried"),
  );
  return [...outcomes].map(([outcome, { length }]) => `${outcome}: ${length}`).join(", ");
}

await runCommand(command);
