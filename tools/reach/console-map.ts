/** From places in the built console to the functions of its sources, by the source maps of the same build. */
import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { SourceMap } from "node:module";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { z } from "zod";
import { functionAt, listFunctions, type SourceFunction } from "./functions.ts";
import { isCounted } from "./records.ts";

/** In the code of a function the first place with a source is its name, a parameter or its beginning. */
const MAX_CHARACTERS = 60;

const sourceMap = z.looseObject({
  version: z.int(),
  file: z.string().default(""),
  sources: z.array(z.string()),
  sourcesContent: z.array(z.string()).default([]),
  names: z.array(z.string()),
  mappings: z.string(),
  sourceRoot: z.string().default(""),
});

export interface Place {
  path: string;
  start: number;
}

interface Asset {
  map: SourceMap;
  text: string;
  lineStarts: readonly number[];
}

export class ConsoleMap {
  readonly #project: string;
  readonly #assets = new Map<string, Asset>();
  readonly #functions = new Map<string, { lineStarts: readonly number[]; functions: SourceFunction[] }>();

  private constructor(project: string) {
    this.#project = project;
  }

  /** Builds the console into the folder. Its files are those that the service serves: maps change none of their names. */
  static async build(project: string, outDir: string): Promise<ConsoleMap> {
    process.env.NODE_ENV = "production";
    const root = join(project, "console");
    await build({ root, logLevel: "error", build: { outDir, emptyOutDir: true, sourcemap: "hidden" } });
    const made = new ConsoleMap(project);
    const assets = join(outDir, "assets");
    for (const name of await readdir(assets)) {
      if (!name.endsWith(".js")) continue;
      const payload = sourceMap.parse(JSON.parse(await readFile(join(assets, `${name}.map`), "utf8")));
      payload.sources = payload.sources.map((source) => resolve(assets, source));
      const text = await readFile(join(assets, name), "utf8");
      made.#assets.set(name, { map: new SourceMap(payload), text, lineStarts: findLineStarts(text) });
    }
    return made;
  }

  /** Undefined for what comes from packages. @param offset where a function of the built file begins */
  find(asset: string, offset: number): Place | undefined {
    const built = this.#assets.get(asset);
    if (!built) throw new Error(`the build has no ${asset}: the tests had another one`);
    // The word `function` comes from `export`, which is no part of the function.
    const [word = ""] =
      /^(?:async )?function\*?/.exec(built.text.slice(offset, offset + MAX_CHARACTERS)) ?? [];
    const line = built.lineStarts.findLastIndex((each) => each <= offset);
    const column = offset + word.length - (built.lineStarts[line] ?? 0);
    for (let further = 0; further < MAX_CHARACTERS; further += 1) {
      const entry = built.map.findEntry(line, column + further);
      if (!("originalSource" in entry) || entry.generatedLine !== line || entry.generatedColumn < column)
        continue;
      // Undefined for what the bundler itself adds.
      if (entry.originalSource === undefined) return undefined;
      return this.#findInSource(entry.originalSource, entry.originalLine, entry.originalColumn);
    }
    return undefined;
  }

  #findInSource(source: string, line: number, column: number): Place | undefined {
    const path = relative(this.#project, source.startsWith("file:") ? fileURLToPath(source) : source);
    if (!isCounted(path)) return undefined;
    const read = this.#functions.get(path) ?? this.#read(path);
    const found = functionAt(read.functions, (read.lineStarts[line] ?? 0) + column);
    return found && { path, start: found.start };
  }

  #read(path: string) {
    const text = readFileSync(join(this.#project, path), "utf8");
    const read = { lineStarts: findLineStarts(text), functions: listFunctions(path, text) };
    this.#functions.set(path, read);
    return read;
  }
}

const findLineStarts = (text: string): number[] => [
  0,
  ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1),
];
