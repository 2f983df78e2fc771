/** What of `src` and `console/src` the recorded tests reach. */
import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { ConsoleMap } from "./console-map.ts";
import { functionAt, listFunctions, type SourceFunction } from "./functions.ts";
import { addStart, isCounted, listRan, record, type Starts } from "./records.ts";

export const PROJECT = fileURLToPath(new URL("../..", import.meta.url));

const reachedFunction = z.object({
  path: z.string(),
  name: z.string(),
  line: z.int(),
  start: z.int(),
  end: z.int(),
  /** The test files that reach it, by suite. */
  tests: z.record(z.string(), z.array(z.string())),
});
export type ReachedFunction = z.infer<typeof reachedFunction>;

/** The result of `npm run coverage`, in the folder of the recording. */
export const REACH_FILE = "reach.json";

export const readReachFile = (folder: string): ReachedFunction[] =>
  z.array(reachedFunction).parse(JSON.parse(readFileSync(join(folder, REACH_FILE), "utf8")));

/** Written by V8 for a process or thread. */
const dump = z.object({
  result: z.array(
    z.object({
      url: z.string(),
      functions: z.array(z.object({ ranges: z.array(z.object({ startOffset: z.int(), count: z.int() })) })),
    }),
  ),
});

/** All functions of both trees, not reached yet. */
function listAllFunctions(): ReachedFunction[] {
  return globSync(["src/**/*.ts", "console/src/**/*.{ts,tsx}"], { cwd: PROJECT })
    .filter(isCounted)
    .sort()
    .flatMap((path) => {
      const text = readFileSync(join(PROJECT, path), "utf8");
      const lineAt = (offset: number): number => text.slice(0, offset).split("\n").length;
      return listFunctions(path, text).map((each) => ({
        ...each,
        path,
        line: lineAt(each.start),
        tests: {},
      }));
    });
}

/** @param folder of a recording: a folder for each suite, in it one for each test file */
export async function readReach(folder: string): Promise<ReachedFunction[]> {
  const functions = listAllFunctions();
  const byFile = Map.groupBy(functions, ({ path }) => path);
  const built = join(folder, "console");
  const assets = globSync("*/*/*.assets.json", { cwd: folder }).length > 0;
  const consoleMap = assets ? await ConsoleMap.build(PROJECT, built) : undefined;
  for (const place of globSync("*/test!*", { cwd: folder })) {
    const [suite = "", testFile = ""] = place.replaceAll("!", "/").split(/\/(.*)/);
    for (const [path, starts] of readTestFile(join(folder, place), byFile, consoleMap))
      for (const start of starts) {
        const reached = byFile.get(path)?.find((each) => each.start === start);
        if (!reached) throw new Error(`${path} has no function at ${start}: it changed since the recording`);
        reached.tests[suite] = [...(reached.tests[suite] ?? []), testFile];
      }
  }
  return functions;
}

function readTestFile(
  folder: string,
  functions: ReadonlyMap<string, readonly SourceFunction[]>,
  consoleMap: ConsoleMap | undefined,
): Starts {
  const starts: Starts = new Map();
  for (const name of globSync("dumps/*.json", { cwd: folder }))
    addDump(starts, join(folder, name), functions);
  for (const name of globSync("*.json", { cwd: folder })) {
    const isAssets = name.endsWith(".assets.json");
    const read = record.parse(JSON.parse(readFileSync(join(folder, name), "utf8")));
    for (const [path, offsets] of Object.entries(read))
      for (const offset of offsets) {
        const place = isAssets ? consoleMap?.find(path, offset) : { path, start: offset };
        if (place) addStart(starts, place.path, place.start);
      }
  }
  return starts;
}

/** Node strips types without moving anything. A process that was killed while it wrote leaves a part of a dump. */
function addDump(
  starts: Starts,
  file: string,
  functions: ReadonlyMap<string, readonly SourceFunction[]>,
): void {
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) return;
    throw error;
  }
  for (const { url, functions: ofScript } of dump.parse(read).result) {
    const path = url.startsWith("file:") ? relative(PROJECT, fileURLToPath(url)) : "";
    if (!isCounted(path)) continue;
    for (const offset of listRan(ofScript)) {
      const found = functionAt(functions.get(path) ?? [], offset);
      if (found) addStart(starts, path, found.start);
    }
  }
}
