/** What the recording of functions and the mutants read from a source. */
import { describe, expect, it } from "vitest";
import { drawMutants, type Mutant, mutate } from "../../tools/mutants/draw.ts";
import { listSites } from "../../tools/mutants/sites.ts";
import { alignFunctions, functionAt, listFunctions } from "../../tools/reach/functions.ts";

const PATH = "src/example.ts";
const SOURCE = `
export class Shelf {
  readonly #books: string[] = [];
  static async open(size: 1 | 2): Promise<Shelf> {
    if (size > 1) log.warn("large", size);
    return new Shelf();
  }
  get first() { return this.#books[0]; }
  add = (book: string) => this.#books.push(book);
}
export const take = (shelf: Shelf, count: number) => shelf.list(count).map((book) => ({ book, size: () => 3 }));
export function overloaded(value: string): void;
export function overloaded(value: unknown) { if (value === 1) { run(value, "x"); } }
`;
/** As vitest wraps a module: a function around it, and one for each export. */
const MADE = `'use strict';async (__vite_ssr_exportName__)=>{{__vite_ssr_exportName__("take", () => { try { return take } catch {} });
class Shelf { #books = []; static async open(size) { if (size > 1) log.warn("large", size); return new Shelf(); }
get first() { return this.#books[0]; } add = (book) => this.#books.push(book); }
const take = (shelf, count) => shelf.list(count).map((book) => ({ book, size: () => 3 }));
function overloaded(value) { if (value === 1) { run(value, "x"); } }
}}`;

const NAMES = ["open", "first", "add", "take", "take/()", "take/()/size", "overloaded"];

describe("the functions of a source", () => {
  it("have the names of what holds them, and those around them", () => {
    expect(listFunctions(PATH, SOURCE).map(({ name }) => name)).toEqual(NAMES);
  });

  it("are found by any place within, the innermost first", () => {
    const functions = listFunctions(PATH, SOURCE);
    const at = (text: string) => functionAt(functions, SOURCE.indexOf(text))?.name;
    expect([at("static async"), at("get first"), at("({ book"), at("() => 3"), at("#books:")]).toEqual([
      "open",
      "first",
      "take/()",
      "take/()/size",
      undefined,
    ]);
  });

  it("are matched with those of what vitest makes of it", () => {
    const pairs = [...alignFunctions(PATH, MADE, SOURCE)];
    expect(pairs.map(([made]) => made.name.replace(/^\(\)\//, ""))).toEqual(NAMES);
    expect(pairs.map(([, original]) => original?.name)).toEqual(NAMES);
    expect(() => alignFunctions(PATH, MADE.replace("() => 3", "3"), SOURCE)).toThrow(
      "has 7 functions, and 6 as vitest runs it",
    );
  });
});

describe("mutants", () => {
  it("change values in functions, and no types", () => {
    const changes = listSites(PATH, SOURCE).map((site) => `${site.function}: ${site.before} → ${site.after}`);
    expect(changes).toEqual([
      "open: size > 1 → !(size > 1)",
      "open: size > 1 → size >= 1",
      "open: 1 → 2",
      'open: log.warn("large", size); → ;',
      'open: "large", size → size, "large"',
      "first: 0 → 1",
      "take/()/size: 3 → 4",
      "overloaded: value === 1 → !(value === 1)",
      "overloaded: value === 1 → value !== 1",
      "overloaded: 1 → 2",
      'overloaded: run(value, "x"); → ;',
      'overloaded: value, "x" → "x", value',
    ]);
  });

  it("change one place of the source", () => {
    const shared = { path: PATH, function: "open", before: "1", after: "2", occurrence: 0 };
    const mutant: Mutant = { ...shared, kind: "bound moved by one" };
    expect(mutate(mutant, SOURCE)).toBe(SOURCE.replace("size > 1", "size > 2"));
    expect(mutate({ ...mutant, occurrence: 1 }, SOURCE)).toBeUndefined();
  });

  it("are the same for a seed, and as many of each kind", () => {
    const sites = listSites(PATH, SOURCE);
    const drawn = drawMutants(36, 8, sites);
    expect(drawMutants(36, 8, sites)).toEqual(drawn);
    expect(drawMutants(37, 8, sites)).not.toEqual(drawn);
    expect([...Map.groupBy(drawn, ({ kind }) => kind).values()].map(({ length }) => length)).toEqual([
      2, 2, 2, 2,
    ]);
    expect(drawn.every((mutant) => mutate(mutant, SOURCE) !== undefined)).toBe(true);
  });
});
