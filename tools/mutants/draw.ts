/** The mutants: drawn by a die, then kept in a file, so that the same ones can be tried after the tests changed. */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { createSeededRandom } from "../lib/seeded-random.ts";
import { PROJECT } from "../reach/reach.ts";
import { isCounted } from "../reach/records.ts";
import { KINDS, listSites, type Site } from "./sites.ts";

const FILE = join(import.meta.dirname, "mutants.jsonl");

const mutant = z.object({
  path: z.string(),
  function: z.string(),
  kind: z.enum(KINDS),
  before: z.string(),
  after: z.string(),
  /** Of the places in functions of this name that can be changed in this way and read the same: which, from 0. */
  occurrence: z.int(),
  /** What the last run found; undefined before it. */
  result: z
    .discriminatedUnion("outcome", [
      z.object({
        outcome: z.literal("killed"),
        suite: z.string(),
        file: z.string(),
        test: z.string(),
        error: z.string(),
      }),
      /** How many test files reach the function and have passed; `isCut` if the time was over before the last. */
      z.object({ outcome: z.literal("survived"), passed: z.int(), isCut: z.boolean() }),
      /** The source has no such place any more. */
      z.object({ outcome: z.literal("gone") }),
    ])
    .optional(),
  /** By hand: why nothing can notice it, or what notices a survivor. */
  note: z.string().optional(),
});
export type Mutant = z.infer<typeof mutant>;

/** Each is a line of its own, so that a run changes a line for each result. */
export const readMutants = (): Mutant[] =>
  readFileSync(FILE, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => mutant.parse(JSON.parse(line)));

/** Beside other runs that try others. */
export function keepResult(index: number, result: Mutant["result"]): void {
  const mutants = readMutants();
  writeMutants(mutants.map((each, place) => (place === index ? { ...each, result } : each)));
}

export const writeMutants = (mutants: readonly Mutant[]): void =>
  writeFileSync(FILE, mutants.map((each) => `${JSON.stringify(each)}\n`).join(""));

const nameFunction = (site: Pick<Site, "path" | "function">): string => `${site.path} ${site.function}`;

const isAlike = (one: Omit<Site, "start">, other: Site): boolean =>
  nameFunction(one) === nameFunction(other) &&
  one.kind === other.kind &&
  one.before === other.before &&
  one.after === other.after;

/** Of both trees. */
export const listAllSites = (): Site[] =>
  globSync(["src/**/*.ts", "console/src/**/*.{ts,tsx}"], { cwd: PROJECT })
    .filter(isCounted)
    .sort()
    .flatMap((path) => listSites(path, readFileSync(join(PROJECT, path), "utf8")));

/** As many of each kind: of all functions with such a place one, of its places one. */
export function drawMutants(seed: number, count: number, sites: readonly Site[]): Mutant[] {
  const random = createSeededRandom(seed);
  const drawn = new Set<Site>();
  while (drawn.size < count) {
    const kind = KINDS[drawn.size % KINDS.length];
    const functions = [
      ...Map.groupBy(
        sites.filter((site) => site.kind === kind),
        nameFunction,
      ).values(),
    ];
    const ofFunction = functions[random(functions.length)] ?? [];
    const site = ofFunction[random(ofFunction.length)];
    if (site) drawn.add(site);
  }
  return [...drawn].map((site) => {
    const { start: _, ...rest } = site;
    return { ...rest, occurrence: sites.filter((each) => isAlike(site, each)).indexOf(site) };
  });
}

/** The source with the change; undefined if the place is gone. */
export function mutate(mutant: Mutant, source: string): string | undefined {
  const alike = listSites(mutant.path, source).filter((site) => isAlike(mutant, site));
  const site = alike[mutant.occurrence];
  return site && source.slice(0, site.start) + site.after + source.slice(site.start + site.before.length);
}
