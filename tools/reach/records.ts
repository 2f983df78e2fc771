/** The files of a recording: a folder for each test file, with what ran while it did. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** By path of a source file, where its functions begin that ran. */
export type Starts = Map<string, Set<number>>;

export const record = z.record(z.string(), z.array(z.int()));

/** The two trees whose functions count. @param path relative to the project */
export const isCounted = (path: string): boolean => /^(?:console\/)?src\/.*(?<!\.d)\.tsx?$/.test(path);

/** @param testFile relative to the project */
export const folderOf = (testFile: string): string =>
  join(process.env.COVERAGE_FOLDER ?? "", testFile.replaceAll("/", "!"));

export function addStart(starts: Starts, path: string, start: number): void {
  const ofFile = starts.get(path);
  if (ofFile) ofFile.add(start);
  else starts.set(path, new Set([start]));
}

/** Where the functions begin that ran, as V8 counts them. */
export const listRan = (
  functions: readonly { ranges: readonly { startOffset: number; count: number }[] }[],
): number[] =>
  functions.flatMap(({ ranges: [whole] }) => (whole && whole.count > 0 ? [whole.startOffset] : []));

/** @param kind of what the paths name: source files, or files of the built console */
export function writeRecord(folder: string, starts: Starts, kind: "sources" | "assets"): void {
  mkdirSync(folder, { recursive: true });
  const lines = Object.fromEntries([...starts].map(([path, ofFile]) => [path, [...ofFile]]));
  writeFileSync(join(folder, `${crypto.randomUUID()}.${kind}.json`), JSON.stringify(lines));
}
