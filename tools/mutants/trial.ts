/** Tries a mutant: in a copy of the project, by the test files that reach its function, until one fails. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT, type ReachedFunction } from "../reach/reach.ts";
import { SUITES } from "../reach/suites.ts";
import { type Mutant, mutate } from "./draw.ts";
import { type Failure, findFailingStep, findFailure } from "./test-run.ts";

/** Most mutants that a test notices are noticed by the first few files: then vitest needn't start again often. */
const BATCHES = [3, 12, 60, Number.POSITIVE_INFINITY];

type Result = NonNullable<Mutant["result"]>;

interface Trial {
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
  const until = performance.now() + limitMs;
  let passed = 0;
  try {
    for (const batch of listBatches(trial)) {
      if (performance.now() > until) return { outcome: "survived", passed, isCut: true };
      const failure = await findNoticing(tree, { place, source, mutated, known: mutant.result }, batch);
      if (failure) return { outcome: "killed", suite: batch.suite, ...failure };
      passed += batch.files.length;
    }
    writeFileSync(place, mutated);
    const step = await findFailingStep(tree);
    return step
      ? { outcome: "killed", suite: "check", ...step }
      : { outcome: "survived", passed, isCut: false };
  } finally {
    writeFileSync(place, source);
  }
}

interface Change {
  place: string;
  source: string;
  mutated: string;
  /** What the last run found. */
  known: Mutant["result"];
}

/**
 * A test that also fails without the change, by the slowness of the machine, has noticed nothing. One that says what it
 * said of the same change in an earlier run needs no such comparison.
 */
async function findNoticing(tree: string, { place, source, mutated, known }: Change, batch: Batch) {
  let files = batch.files;
  while (files.length > 0) {
    writeFileSync(place, mutated);
    const failure: Failure | undefined = await findFailure(batch.suite, files, tree);
    if (!failure) return undefined;
    if (isAsKnown(failure, known)) return failure;
    writeFileSync(place, source);
    if (!(await findFailure(batch.suite, [failure.file], tree))) return failure;
    files = files.filter((file) => file !== failure.file);
  }
  return undefined;
}

const isAsKnown = ({ file, test, error }: Failure, known: Mutant["result"]): boolean =>
  known?.outcome === "killed" && known.file === file && known.test === test && known.error === error;

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
  for (const suite of Object.keys(SUITES)) {
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
