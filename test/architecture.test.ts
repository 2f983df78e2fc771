/** The structure of the source: layers, circles, sizes, and what may be used where. Every rule is shown a bad sample too. */
import { describe, expect, it } from "vitest";
import {
  beginsWithItsPurpose,
  circlesAmong,
  fileIsShort,
  functionsAreShort,
  handlersAreShort,
  importsDownwards,
  libKnowsOnlyItself,
  migrationIsFrozen,
  type Rule,
} from "./support/layer-rules.ts";
import { parseModule, readModules } from "./support/modules.ts";
import {
  importsAtHome,
  keepsTypesHonest,
  leaksNoFiles,
  suppressesNothing,
  usesNamesAtHome,
} from "./support/use-rules.ts";

const source = readModules("src");
const shipped = [...source, ...readModules("migrations")];
const everything = [...shipped, ...readModules("test", "tools", "scripts")];

const nouns = source.flatMap(({ path }) => /^src\/routes\/(.+)\.routes\.ts$/.exec(path)?.[1] ?? []);

/** Casts that are right, and why. */
const ARGUED_CASTS = {
  // The type of a query's rows is the query's own claim, as with every driver of Kysely.
  "src/db/workers/report-thread.ts": 1,
};

/** Looks at the clock that are right outside of the adapters, and why. */
const ARGUED_NAMES = [
  // Only a part of a file's name, that of the copy kept before a migration.
  "src/db/migrator.ts Date.now",
];

/** A lone fault in a file of otherwise good code, and the words with which the rule names it. */
type Sample = [path: string, code: string, error: string];

const lines = (count: number): string => "f();\n".repeat(count);
const shortFunction = `export function f() {\n${lines(38)}}\n`;
const longFunction = `export function f() {\n${lines(39)}}\n`;
const route = (count: number): string => `defineRoute({ handle: () => {\n${lines(count)}} });`;

const rules: [name: string, rule: Rule, files: typeof everything, bad: Sample[], good: [string, string][]][] =
  [
    [
      "a file imports only from its own layer and those below",
      importsDownwards,
      source,
      [
        [
          "src/services/a.ts",
          'import type { R } from "../routes/index.ts";',
          ":1 must not import src/routes/index.ts",
        ],
        ["src/lib/a.ts", '\nexport * from "../config/../db/b.ts";', ":2 must not import src/db/b.ts"],
        [
          "src/db/a.ts",
          'new URL("../adapters/worker.ts", import.meta.url)',
          ":1 must not import src/adapters/worker.ts",
        ],
        ["src/http/a.ts", 'await import("../../tools/b.ts");', ":1 must not import tools/b.ts"],
        ["src/utils/a.ts", "", ":1 belongs to no layer"],
      ],
      [["src/services/a.ts", 'import "./b.ts"; import "../db/c.ts"; // import "../app.ts"']],
    ],
    [
      "lib is pure",
      libKnowsOnlyItself,
      source,
      [
        ["src/lib/a.ts", 'import { z } from "zod";', ":1 must not import zod"],
        ["src/lib/a.ts", 'import { gone } from "../errors.ts";', ":1 must not import ../errors.ts"],
      ],
      [["src/lib/a.ts", 'import { isIP } from "node:net"; import "./b.ts";']],
    ],
    [
      "a migration imports nothing of the project",
      migrationIsFrozen,
      shipped,
      [
        [
          "migrations/0002-a.ts",
          'import type { S } from "../src/db/schema.ts";',
          ":1 must not import ../src/db/schema.ts",
        ],
      ],
      [["migrations/0002-a.ts", 'import { sql } from "kysely";']],
    ],
    [
      "files are short",
      fileIsShort,
      everything,
      [
        ["src/services/a.service.ts", lines(351), ":1 has 351 lines, 350 are the most"],
        ["test/api/a.test.ts", lines(501), ":1 has 501 lines, 500 are the most"],
      ],
      [
        ["src/services/a.service.ts", lines(350)],
        ["test/api/a.test.ts", lines(500)],
      ],
    ],
    [
      "functions are short",
      functionsAreShort,
      source,
      [
        ["src/a.ts", longFunction, ":1 is a function of 41 lines, 40 are the most"],
        [
          "src/a.ts",
          `class A {\n  #f() {\n${lines(39)}}\n}`,
          ":2 is a function of 41 lines, 40 are the most",
        ],
        ["src/a.ts", `g(() => {\n${lines(39)}});`, ":1 is a function of 41 lines, 40 are the most"],
      ],
      [["src/a.ts", shortFunction]],
    ],
    [
      "handlers of routes are short",
      handlersAreShort,
      source,
      [["src/routes/a.routes.ts", route(6), ":1 is a handler of 6 lines, 5 are the most"]],
      [["src/routes/a.routes.ts", route(5)]],
    ],
    [
      "a file begins with its purpose",
      beginsWithItsPurpose,
      source,
      [["src/a.ts", 'import { z } from "zod";', ":1 doesn't begin with its purpose"]],
      [["src/a.ts", "/** Numbers. */\nexport const one = 1;"]],
    ],
    [
      "the compiler is never told to look away",
      keepsTypesHonest(ARGUED_CASTS),
      everything,
      [
        ["src/a.ts", "export const f = (x: any) => x;", ":1 is any"],
        ["src/a.ts", "export const f = (x?: string) => x!.length;", ":1 is a non-null !"],
        ["src/a.ts", "\nlet x!: string;", ":2 is a non-null !"],
        ["src/a.ts", "export const f = (x: unknown) => x as string;", ":1 is a cast"],
        ["src/a.ts", "export const f = (x: unknown) => <string>x;", ":1 is a cast"],
        [
          "src/db/workers/report-thread.ts",
          "export const f = (x: unknown) => [x as string, x as number];",
          ":1 has 2 casts, 1 are argued",
        ],
      ],
      [
        ["src/a.ts", 'export const a = ["any!"] as const; // x as any'],
        ["src/db/workers/report-thread.ts", "export const f = (x: unknown) => x as string;"],
      ],
    ],
    [
      "nothing is suppressed",
      suppressesNothing,
      everything,
      [
        ["src/a.ts", `\n// @ts-${"ignore"}`, `:2 has @ts-${"ignore"}`],
        ["test/a.test.ts", `// biome-${"ignore"} lint/x: y`, `:1 has biome-${"ignore"}`],
      ],
      [["src/a.ts", "// .gitignore"]],
    ],
    [
      "environment, clock, chance and network have their place",
      usesNamesAtHome(ARGUED_NAMES),
      source,
      [
        ["src/http/a.ts", "export const a = process.env.PORT;", ":1 must not use process.env"],
        ["src/adapters/a.ts", "const { env } = process;", ":1 must not use process.env"],
        ["src/services/a.ts", "export const a = Date.now();", ":1 must not use Date.now"],
        ["src/services/a.ts", "export const a = new Date();", ":1 must not use Date.now"],
        ["src/lib/a.ts", "export const a = Date();", ":1 must not use Date.now"],
        ["src/lib/a.ts", "export const a = Math.random();", ":1 must not use Math.random"],
        ["src/services/a.ts", "export const a = crypto.randomUUID();", ":1 must not use crypto.randomUUID"],
        ["src/services/a.ts", 'await fetch("https://example.org");', ":1 must not use fetch"],
        ["src/services/a.ts", 'console.log("here");', ":1 must not use console.log"],
      ],
      [
        ["src/lib/a.ts", "export const f = (ms: number) => new Date(ms); // Date.now()"],
        ["src/adapters/system.ts", "export const now = () => Date.now();"],
        ["src/config.ts", "export const read = (variables = process.env) => variables;"],
      ],
    ],
    [
      "packages and Node's modules are imported where they belong",
      importsAtHome,
      shipped,
      [
        [
          "src/services/a.ts",
          'import { open } from "node:fs/promises";',
          ":1 must not import node:fs/promises",
        ],
        ["src/lib/a.ts", 'import { createConnection } from "node:net";', ":1 must not import node:net"],
        ["src/lib/a.ts", 'import * as crypto from "node:crypto";', ":1 must not import node:crypto"],
        ["src/http/a.ts", 'import { randomUUID } from "node:crypto";', ":1 must not import node:crypto"],
        ["src/http/a.ts", 'import process from "node:process";', ":1 must not import node:process"],
        ["src/services/a.ts", 'import type { Request } from "express";', ":1 must not import express"],
        ["src/http/a.ts", 'import jwt from "jsonwebtoken";', ":1 must not import jsonwebtoken"],
        [
          "src/routes/a.ts",
          'const { sql } = await import("kysely/helpers/sqlite");',
          ":1 must not import kysely/helpers/sqlite",
        ],
        ["src/adapters/a.ts", 'import _ from "lodash";', ":1 must not import lodash"],
      ],
      [
        ["src/services/a.ts", 'import type { FileHandle } from "node:fs/promises"; import { z } from "zod";'],
        [
          "src/adapters/a.ts",
          'import { open } from "node:fs/promises"; import { randomInt } from "node:crypto";',
        ],
        ["src/lib/a.ts", 'import { isIP } from "node:net"; import { createHash } from "node:crypto";'],
      ],
    ],
    [
      "nothing leaves a file open when the client goes",
      leaksNoFiles,
      shipped,
      [
        ["src/http/a.ts", "stream.pipe(res);", ":1 pipes into an answer"],
        [
          "src/adapters/a.ts",
          'import { ZipArchive } from "archiver";\nzip.file("a.txt", {});',
          ":2 lets archiver open files by file()",
        ],
      ],
      [
        ["src/config.ts", "z.string().pipe(z.number());"],
        ["src/adapters/a.ts", 'import { ZipArchive } from "archiver";\nzip.append(stream, {});'],
      ],
    ],
  ];

describe.each(rules)("%s", (_, rule, files, bad, good) => {
  it("holds", () => {
    expect(files.length).toBeGreaterThan(0);
    expect(files.flatMap(rule)).toEqual([]);
  });

  it("is broken by the bad samples", () => {
    const found = bad.map(([path, code]) => rule(parseModule(path, code)));
    expect(found).toEqual(bad.map(([path, , error]) => [`${path}${error}`]));
  });

  it("is kept by the good samples", () => {
    expect(good.flatMap(([path, code]) => rule(parseModule(path, code)))).toEqual([]);
  });
});

it("has no exception that nothing needs any more", () => {
  const exceptions = source.flatMap(usesNamesAtHome()).map((error) => error.replace(/:\d+ must not use/, ""));
  expect([...new Set(exceptions)].sort()).toEqual([...ARGUED_NAMES].sort());
});

it.each(nouns)("has schemas and tests by the name of its routes: %s", (noun) => {
  const paths = everything.map(({ path }) => path);
  expect(paths).toContain(`src/schemas/${noun}.schemas.ts`);
  expect(paths.filter((path) => path.startsWith(`test/api/${noun}`))).not.toEqual([]);
});

describe("no module depends on itself through others", () => {
  const chain = (...names: string[]) =>
    names.map((name, index) => {
      const next = names[(index + 1) % names.length];
      return parseModule(`src/lib/${name}.ts`, `import type { A } from "./${next}.ts";`);
    });

  it("holds", () => {
    expect(circlesAmong(everything)).toEqual([]);
  });

  it("finds every circle once, types included", () => {
    const free = parseModule("src/lib/free.ts", 'import "./a.ts";');
    const self = parseModule("src/lib/self.ts", 'export * from "./self.ts";');
    expect(circlesAmong([free, ...chain("a", "b", "c"), ...chain("d", "e"), self])).toEqual([
      "src/lib/a.ts > src/lib/b.ts > src/lib/c.ts > src/lib/a.ts",
      "src/lib/d.ts > src/lib/e.ts > src/lib/d.ts",
      "src/lib/self.ts > src/lib/self.ts",
    ]);
  });
});
