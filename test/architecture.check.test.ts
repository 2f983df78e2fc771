/** What neither Biome (biome.json) nor dependency-cruiser (scripts/layers.ts) can hold of the structure of the source. */
import { describe, expect, it } from "vitest";
import { PURE } from "../scripts/module-homes.ts";
import { childOf, parseModule, readModules, type SourceModule, textOf } from "./support/modules.ts";
import { RIDDLES } from "./support/words.ts";

const source = readModules("src");
const shipped = [...source, ...readModules("migrations")];
const everything = [...shipped, ...readModules("test", "tools", "scripts")];
/** Without the texts of the demo's books, which are stories, and migrations, which are frozen. */
const written = [...source, ...readModules("test", "tools", "scripts")].filter(
  ({ path }) => !path.startsWith("tools/demo/catalogue/"),
);

/** Names what is wrong with a module. */
type Rule = (module: SourceModule) => string[];

/** Lines of the text that break a rule. */
const linesWith =
  (pattern: RegExp): Rule =>
  ({ path, text }) =>
    text.split("\n").flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : []));

const MAX_HANDLER_LINES = 5;

/** A route's handler calls one service; the lines between its braces count. */
const handlersAreShort: Rule = ({ path, nodes, lineAt }) =>
  nodes.flatMap((node) => {
    const body = childOf(childOf(node, "value"), "body", "BlockStatement");
    if (node.type !== "Property" || textOf(childOf(node, "key")) !== "handle" || !body) return [];
    const lines = lineAt(body.end) - lineAt(body.start) - 1;
    return lines > MAX_HANDLER_LINES ? [`${path}:${lineAt(node.start)}`] : [];
  });

/** Modules of Node's that reach outside by some of their names: outside of the adapters only the others are imported. */
const importsPureNames: Rule = ({ path, imports }) =>
  imports.flatMap(({ specifier, names, isTypeOnly, line }) => {
    const pure = PURE[specifier];
    const isAtHome = path.startsWith("src/adapters/") || HOMES_OF_NAMES[specifier]?.includes(path);
    if (!pure || isTypeOnly || isAtHome || names.every((name) => pure.test(name))) return [];
    return [`${path}:${line}`];
  });

const HOMES_OF_NAMES: Readonly<Record<string, readonly string[]>> = { "node:http": ["src/http/server.ts"] };

/** `new URL("./worker.ts", import.meta.url)` is an import that no tool sees: a thread's module is beside the module that starts it. */
const workersLieBeside: Rule = ({ path, nodes, lineAt }) =>
  nodes.flatMap((node) => {
    const [named] = Array.isArray(node.arguments) ? node.arguments : [];
    const isUrl = node.type === "NewExpression" && textOf(childOf(node, "callee")) === "URL";
    return isUrl && /^\.\..*\.ts$/.test(textOf(named) ?? "") ? [`${path}:${lineAt(node.start)}`] : [];
  });

const rules: [
  name: string,
  rule: Rule,
  files: readonly SourceModule[],
  bad: [string, string],
  good: [string, string],
][] = [
  [
    "nothing is suppressed",
    linesWith(/@ts-(ignore|expect-error|nocheck)|(biome|eslint)-(ignore|disable)/),
    everything,
    ["test/a.test.ts", `// biome-${"ignore"} lint/x: y`],
    ["src/a.ts", "// .gitignore"],
  ],
  [
    "nothing is declared to be assigned without being so",
    linesWith(/^\s*(let|readonly|#|private|public)[\w #]*!:/),
    everything,
    ["src/a.ts", `let x${"!"}: string;`],
    ["src/a.ts", "let x: string;"],
  ],
  [
    "words that CONTRIBUTING.md calls riddles aren't used",
    linesWith(RIDDLES),
    written,
    ["src/a.ts", `/** Who${"ever"} calls it. */`],
    ["src/a.ts", "/** The caller. */"],
  ],
  [
    "the environment is read by its full name, which Biome finds",
    linesWith(/\benv\b.*\}\s*=\s*process\b/),
    source,
    ["src/a.ts", "const { env } = process;"],
    ["src/a.ts", "const { pid } = child;"],
  ],
  [
    "a file begins with its purpose",
    ({ path, text }) => (/^\/(\*\*|\/) \S/.test(text) ? [] : [`${path}:1`]),
    source,
    ["src/a.ts", 'import { z } from "zod";'],
    ["src/a.ts", "/** Numbers. */\nexport const one = 1;"],
  ],
  [
    "handlers of routes are short",
    handlersAreShort,
    source,
    ["src/routes/a.routes.ts", `defineRoute({ handle: () => {\n${"f();\n".repeat(6)}} });`],
    ["src/routes/a.routes.ts", `defineRoute({ handle: () => {\n${"f();\n".repeat(5)}} });`],
  ],
  [
    "clock, chance and network aren't imported from Node's modules",
    importsPureNames,
    shipped,
    ["src/http/a.ts", 'import { randomUUID } from "node:crypto";'],
    ["src/lib/a.ts", 'import { isIP } from "node:net"; import { createHash } from "node:crypto";'],
  ],
  [
    "a thread's module is beside the module that starts it",
    workersLieBeside,
    source,
    ["src/db/a.ts", 'new URL("../adapters/worker.ts", import.meta.url)'],
    ["src/db/a.ts", 'new URL("./worker.ts", import.meta.url)'],
  ],
  [
    "statements name their columns, so that they stay prepared when a newer version adds one",
    linesWith(/\.(selectAll|returningAll)\(|\b(select|returning) \*/i),
    source,
    ["src/repositories/a.ts", 'db.selectFrom("books").selectAll().execute();'],
    ["src/repositories/a.ts", 'db.selectFrom("books").select(allOf("books")).execute();'],
  ],
  [
    "archiver reads no files itself: it leaves them open when the client goes",
    ({ path, text }) =>
      /from "archiver"/.test(text) && /\.(file|directory|glob)\(/.test(text) ? [`${path}:1`] : [],
    shipped,
    ["src/adapters/a.ts", 'import { ZipArchive } from "archiver"; zip.file("a.txt", {});'],
    ["src/adapters/a.ts", 'import { ZipArchive } from "archiver"; zip.append(stream, {});'],
  ],
];

describe.each(rules)("%s", (_, rule, files, bad, good) => {
  it("is observed", () => {
    expect(files.length).toBeGreaterThan(0);
    expect(files.flatMap(rule)).toEqual([]);
  });

  it("is violated by the bad sample and observed by the good one", () => {
    expect(rule(parseModule(...bad))).toHaveLength(1);
    expect(rule(parseModule(...good))).toEqual([]);
  });
});

const nouns = source.flatMap(({ path }) => /^src\/routes\/(.+)\.routes\.ts$/.exec(path)?.[1] ?? []);

it.each(nouns)("every noun has schemas and tests by the name of its routes: %s", (noun) => {
  const paths = everything.map(({ path }) => path);
  expect(paths).toContain(`src/schemas/${noun}.schemas.ts`);
  expect(paths.filter((path) => path.startsWith(`test/api/${noun}`))).not.toEqual([]);
});
