/** Runs test files, or the steps of the check that aren't tests, in a copy of the project, and reads what fails. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { z } from "zod";
import { SUITES, VITEST } from "../reach/suites.ts";

export interface Failure {
  file: string;
  test: string;
  error: string;
}

/** Beyond that, test files hang, on a machine that does much else, too. */
const START_LIMIT_MS = 240_000;
const FILE_LIMIT_MS = 120_000;
const REPORT = "report.json";

/** What of `npm run check` reads the code; its form is left out, which a mutant seldom keeps. */
const TSC = "node_modules/typescript/bin/tsc";
const STEPS: Readonly<Record<string, readonly string[]>> = {
  types: [TSC, "--noEmit"],
  "types of the console": [TSC, "--noEmit", "--project", "console"],
  layers: ["scripts/layers.ts"],
  openapi: ["scripts/openapi.ts", "--check"],
};

const vitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(""),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          fullName: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

const playwrightSuite = z.object({
  file: z.string(),
  specs: z.array(
    z.object({
      title: z.string(),
      ok: z.boolean(),
      tests: z.array(
        z.object({
          results: z.array(z.object({ errors: z.array(z.object({ message: z.string().optional() })) })),
        }),
      ),
    }),
  ),
  get suites() {
    return z.array(playwrightSuite).optional();
  },
});
type PlaywrightSuite = z.infer<typeof playwrightSuite>;
const playwrightReport = z.object({ suites: z.array(playwrightSuite) });

/** The first of these files that fails; undefined if all pass. A file that hangs fails. */
export async function findFailure(
  suite: string,
  files: readonly string[],
  tree: string,
): Promise<Failure | undefined> {
  const output = join(tree, REPORT);
  rmSync(output, { force: true });
  const [program = ""] = SUITES[suite] ?? [];
  const isVitest = program === VITEST;
  const args = isVitest
    ? [program, "run", "--project", suite, ...files, "--bail=1", "--maxWorkers=1", ...vitestOptions(output)]
    : [program, "test", ...files, "-x", "--workers=1", "--reporter=json"];
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: output };
  const code = await run(args, { cwd: tree, env }, START_LIMIT_MS + files.length * FILE_LIMIT_MS);
  if (code === 0) return undefined;
  const [file = ""] = files;
  if (code === undefined)
    return files.length === 1 ? { file, test: "", error: "hangs" } : findAlone(suite, files, tree);
  const found = isVitest ? readVitest(output, tree) : readPlaywright(output);
  return found ?? { file, test: "", error: `the tests ended with ${code}` };
}

const vitestOptions = (output: string): string[] => [
  "--testTimeout=120000",
  "--hookTimeout=120000",
  "--reporter=json",
  `--outputFile=${output}`,
];

/** Of files that hang together nothing is known. */
async function findAlone(
  suite: string,
  files: readonly string[],
  tree: string,
): Promise<Failure | undefined> {
  for (const file of files) {
    const failure = await findFailure(suite, [file], tree);
    if (failure) return failure;
  }
  return undefined;
}

/** The first step that fails. */
export async function findFailingStep(tree: string): Promise<Failure | undefined> {
  for (const [step, args] of Object.entries(STEPS)) {
    const code = await run(args, { cwd: tree, env: process.env }, START_LIMIT_MS);
    if (code !== 0) return { file: step, test: "", error: `${step} of npm run check` };
  }
  return undefined;
}

/** @returns the exit code; undefined if the time was over */
async function run(
  args: readonly string[],
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
  limitMs: number,
): Promise<number | undefined> {
  const child = spawn(process.execPath, args, { cwd, env, stdio: "ignore", detached: true });
  const limit = AbortSignal.timeout(limitMs);
  const stop = () => child.pid !== undefined && process.kill(-child.pid, "SIGKILL");
  limit.addEventListener("abort", stop);
  const [code]: (number | null)[] = await once(child, "close");
  limit.removeEventListener("abort", stop);
  if (limit.aborted) return undefined;
  if (typeof code !== "number") throw new Error("The tests were killed");
  return code;
}

function readVitest(output: string, tree: string): Failure | undefined {
  const read = vitestReport.safeParse(readReport(output));
  for (const { name, status, message, assertionResults } of read.data?.testResults ?? []) {
    const file = relative(tree, name);
    const failed = assertionResults.find((each) => each.status === "failed");
    if (failed) return { file, test: failed.fullName, error: firstLine(failed.failureMessages?.[0]) };
    if (status === "failed") return { file, test: "", error: firstLine(message) };
  }
  return undefined;
}

function readPlaywright(output: string): Failure | undefined {
  const read = playwrightReport.safeParse(readReport(output));
  for (const { file, title, ok, tests } of listSpecs(read.data?.suites ?? [])) {
    if (ok) continue;
    const [error] = tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors));
    return { file: `test/browser/${file}`, test: title, error: firstLine(error?.message) };
  }
  return undefined;
}

const listSpecs = (
  suites: readonly PlaywrightSuite[],
): (PlaywrightSuite["specs"][number] & { file: string })[] =>
  suites.flatMap(({ file, specs, suites: inner }) => [
    ...specs.map((spec) => ({ ...spec, file })),
    ...listSpecs(inner ?? []),
  ]);

function readReport(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

const firstLine = (text = ""): string =>
  stripVTControlCharacters(text).split("\n", 1)[0]?.slice(0, 200) ?? "";
