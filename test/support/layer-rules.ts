/** The layers and the sizes: which module may know which, and how long it may be. */
import {
  childOf,
  dependenciesOf,
  errorAt,
  liesIn,
  type SourceModule,
  type SyntaxNode,
  textOf,
} from "./modules.ts";

/** Names the faults of a module, each as `path:line what is wrong`. */
export type Rule = (module: SourceModule) => string[];

/** Top to bottom: a file imports from its own layer and those below. */
const LAYERS: readonly (readonly string[])[] = [
  // `server` and `cli` first look at the version of Node and only then load `serve` and the commands.
  ["src/server.ts", "src/serve.ts", "src/cli.ts", "src/cli/"],
  ["src/app.ts", "src/container.ts"],
  ["src/routes/"],
  ["src/http/", "src/openapi/"],
  ["src/services/", "src/backup/"],
  ["src/repositories/", "src/adapters/"],
  ["src/db/"],
  ["src/config.ts", "src/version.ts", "src/node-version.ts", "src/errors.ts", "src/schemas/", "src/lib/"],
];

const layerOf = (path: string): number => LAYERS.findIndex((places) => liesIn(path, places));

export const importsDownwards: Rule = (module) => {
  const own = layerOf(module.path);
  if (own < 0) return [`${module.path}:1 belongs to no layer`];
  const dependencies = dependenciesOf(module);
  return dependencies.flatMap(({ path, line }) =>
    layerOf(path) < own ? [`${module.path}:${line} must not import ${path}`] : [],
  );
};

/** The helpers of `lib` know nothing but each other, whatever else is in their layer. */
export const libKnowsOnlyItself: Rule = ({ path, imports }) =>
  imports
    .filter(
      ({ specifier }) =>
        path.startsWith("src/lib/") && !/^(\.\/|node:|lru-cache$|csv-stringify\/)/.test(specifier),
    )
    .map(({ specifier, line }) => `${path}:${line} must not import ${specifier}`);

/** A migration is frozen: what it imported would change under it. */
export const migrationIsFrozen: Rule = ({ path, imports }) =>
  imports
    .filter(({ specifier }) => path.startsWith("migrations/") && specifier.startsWith("."))
    .map(({ specifier, line }) => `${path}:${line} must not import ${specifier}`);

/** The shortest circle through each module that is in one. A circle of types is a circle too. */
export function circlesAmong(modules: readonly SourceModule[]): string[] {
  const graph = new Map(
    modules.map((module) => [module.path, dependenciesOf(module).map(({ path }) => path)]),
  );
  const circles = new Map<string, string>();
  for (const start of graph.keys()) {
    const circle = shortestWayBack(start, graph);
    if (!circle) continue;
    const members = circle.toSorted().join();
    circles.set(members, circles.get(members) ?? [...circle, start].join(" > "));
  }
  return [...circles.values()];
}

function shortestWayBack(start: string, graph: ReadonlyMap<string, readonly string[]>) {
  const seen = new Set<string>();
  const ways = [[start]];
  for (let way = ways.shift(); way; way = ways.shift()) {
    for (const next of graph.get(way.at(-1) ?? "") ?? []) {
      if (next === start) return way;
      if (!seen.has(next)) ways.push([...way, next]);
      seen.add(next);
    }
  }
  return undefined;
}

/** The first that fits holds. */
const MOST_LINES: readonly (readonly [string, number])[] = [
  ["src/", 350],
  ["test/", 500],
];
const MOST_FUNCTION_LINES = 40;
const MOST_HANDLER_LINES = 5;

export const fileIsShort: Rule = (module) => {
  const [, most] = MOST_LINES.find(([folder]) => module.path.startsWith(folder)) ?? ["", Infinity];
  const lines = module.text.trimEnd().split("\n").length;
  return lines <= most ? [] : [`${module.path}:1 has ${lines} lines, ${most} are the most`];
};

export const functionsAreShort: Rule = (module) =>
  module.nodes.flatMap((node) => {
    if (!/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) return [];
    const lines = linesOf(module, node);
    const error = `is a function of ${lines} lines, ${MOST_FUNCTION_LINES} are the most`;
    return lines > MOST_FUNCTION_LINES ? [errorAt(module, node, error)] : [];
  });

/** A route's handler calls one service; the lines between its braces count. */
export const handlersAreShort: Rule = (module) =>
  module.nodes.flatMap((node) => {
    const body = childOf(childOf(node, "value"), "body", "BlockStatement");
    if (node.type !== "Property" || textOf(childOf(node, "key")) !== "handle" || !body) return [];
    const lines = linesOf(module, body) - 2;
    const error = `is a handler of ${lines} lines, ${MOST_HANDLER_LINES} are the most`;
    return lines > MOST_HANDLER_LINES ? [errorAt(module, node, error)] : [];
  });

const linesOf = ({ lineAt }: SourceModule, { start, end }: SyntaxNode): number =>
  lineAt(end) - lineAt(start) + 1;

export const beginsWithItsPurpose: Rule = ({ path, text }) =>
  /^\/(\*\*|\/) \S/.test(text) ? [] : [`${path}:1 doesn't begin with its purpose`];
