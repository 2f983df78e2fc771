/** Tries a mutant: in a copy of the project, by the test files that reach its function, until one fails. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { PROJECT, type ReachedFunction } from "../reach/reach.ts";
import { SUITES, VITEST } from "../reach/suites.ts";
import { type Mutant, mutate } from "./draw.ts";

/** Most mutants that a test notices are noticed by the first few files: then vitest needn't start again often. */
const BATCHES = [3, 12, 60, Number.POSITIVE_INFINITY];
const REPORT = "report.json";

type Result = NonNullable<Mutant["result"]>;

const report = z.object({
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

export interface Trial {
  mutant: Mutant;
  functions: readonly ReachedFunction[];
  /** How many functions a test file reaches. */
  reached: ReadonlyMap<string, number>;
  /** A clone of the project with its packages. */
  tree: string;
  limitMs: number;
}

export async function tryMutant(trial: Trial): Promise<Result> {
  const { mutant, tree, limitMs } = trial;
  const source = readFileSync(join(PROJECT, mutant.path), "utf8");
  const mutated = mutate(mutant, source);
  if (mutated === undefined) return { outcome: "gone" };
  const place = join(tree, mutant.path);
  writeFileSync(place, mutated);
  const limit = AbortSignal.timeout(limitMs);
  let passed = 0;
  try {
    for (const { suite, files } of listBatches(trial)) {
      const failure = await findNoticing(trial, { suite, files }, source, limit);
      if (failure) return { outcome: "killed", suite, ...failure };
      if (limit.aborted) return { outcome: "survived", passed, isCut: true };
      passed += files.length;
    }
    return { outcome: "survived", passed, isCut: false };
  } finally {
    writeFileSync(place, source);
  }
}

/** A test that also fails without the change, by the slowness of the machine, has noticed nothing. */
async function findNoticing(
  { mutant, tree, limitMs }: Trial,
  batch: Batch,
  source: string,
  limit: AbortSignal,
) {
  const place = join(tree, mutant.path);
  const mutated = readFileSync(place, "utf8");
  let files = batch.files;
  while (files.length > 0) {
    const failure = await findFailure(batch.suite, files, tree, limit);
    if (!failure) return undefined;
    writeFileSync(place, source);
    const control = await findFailure(batch.suite, [failure.file], tree, AbortSignal.timeout(limitMs));
    if (!control) return failure;
    writeFileSync(place, mutated);
    files = files.filter((file) => file !== failure.file);
  }
  return undefined;
}

interface Batch {
  suite: string;
  files: string[];
}

/** The one that killed it last time first; then suite by suite. */
function* listBatches({ mutant, functions, reached }: Trial): Generator<Batch> {
  const { path, result } = mutant;
  const reaching = functions.filter((each) => each.path === path && each.name === mutant.function);
  const killer = result?.outcome === "killed" ? result : undefined;
  if (killer) yield { suite: killer.suite, files: [killer.file] };
  for (const [suite, [program]] of Object.entries(SUITES)) {
    if (program !== VITEST) continue;
    const files = [...new Set(reaching.flatMap(({ tests }) => tests[suite] ?? []))].filter(
      (file) => file !== killer?.file,
    );
    const least = (file: string): number => reached.get(file) ?? 0;
    files.sort((a, b) => countShared(path, b) - countShared(path, a) || least(a) - least(b));
    for (const size of BATCHES) {
      const batch = files.splice(0, size);
      if (batch.length > 0) yield { suite, files: batch };
    }
  }
}

/** How many words of a source's path are in the path of a test, such as `channels`. */
function countShared(path: string, test: string): number {
  const words = (text: string) => new Set(text.match(/[a-z0-9]{3,}/g)?.map((word) => word.replace(/s$/, "")));
  return words(path).intersection(words(test)).size;
}

/** Undefined if all pass, or the time is over. */
async function findFailure(suite: string, files: readonly string[], tree: string, limit: AbortSignal) {
  const output = join(tree, REPORT);
  rmSync(output, { force: true });
  const [program = ""] = SUITES[suite] ?? [];
  const args = [program, "run", "--project", suite, ...files, "--bail=1", "--maxWorkers=1"];
  const limits = [
    "--testTimeout=120000",
    "--hookTimeout=120000",
    "--reporter=json",
    `--outputFile=${output}`,
  ];
  const child = spawn(process.execPath, [...args, ...limits], { cwd: tree, stdio: "ignore", detached: true });
  const stop = () => child.pid !== undefined && process.kill(-child.pid, "SIGKILL");
  limit.addEventListener("abort", stop);
  const [code] = await once(child, "close");
  limit.removeEventListener("abort", stop);
  if (code === 0 || limit.aborted) return undefined;
  if (code === null) throw new Error("vitest was killed");
  for (const { name, status, message, assertionResults } of readReport(output)) {
    const file = name.slice(tree.length + 1);
    const failed = assertionResults.find((each) => each.status === "failed");
    if (failed) return { file, test: failed.fullName, error: firstLine(failed.failureMessages?.[0]) };
    if (status === "failed") return { file, test: "", error: firstLine(message) };
  }
  return { file: files[0] ?? "", test: "", error: `vitest ended with ${code}` };
}

function readReport(path: string) {
  try {
    return report.parse(JSON.parse(readFileSync(path, "utf8"))).testResults;
  } catch {
    return [];
  }
}

const firstLine = (text = ""): string => text.split("\n", 1)[0]?.slice(0, 200) ?? "";
