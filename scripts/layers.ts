/** Checks by dependency-cruiser which module imports which: layers, circles, and where packages belong. `npm run layers` */
import { fileURLToPath } from "node:url";
import { Visitor } from "@swc/core/Visitor.js";
import { cruise, type IRegularForbiddenRuleType } from "dependency-cruiser";
import { MODULE_HOMES, PURE } from "./module-homes.ts";

/** swc's visitor throws at `await using`, which it parses. It holds no import. */
const visitStatement = Visitor.prototype.visitStatement;
Visitor.prototype.visitStatement = function visit(statement) {
  return String(statement.type) === "UsingDeclaration" ? statement : visitStatement.call(this, statement);
};

/** Fewer mean that the parser reads no TypeScript: then nothing is checked. */
const MIN_MODULES = 200;
const FOLDERS = ["src", "widget", "console/src", "migrations", "test", "tools", "scripts"];

/** Top to bottom: a file imports from its own layer and those below. */
const LAYERS = [
  // `server` and `cli` first look at the version of Node and only then load `serve` and the commands.
  ["src/server.ts", "src/serve.ts", "src/cli.ts", "src/cli/"],
  ["src/app.ts", "src/container.ts"],
  ["src/routes/"],
  ["src/http/", "src/openapi/"],
  ["src/operation/"],
  ["src/services/"],
  ["src/repositories/", "src/adapters/"],
  ["src/db/"],
  ["src/library/"],
  [
    "src/config.ts",
    "src/environment.ts",
    "src/version.ts",
    "src/node-version.ts",
    "src/errors.ts",
    "src/schemas/",
    "src/lib/",
  ],
];

/** The rooms of the console, top to bottom: a noun, as `books/`, is between the frame and what all nouns share. */
const CONSOLE = "console/src/";
const ABOVE_NOUNS = ["main.tsx", "app.tsx", "styles.ts", "frame/"].map((place) => CONSOLE + place);
const BELOW_NOUNS = ["dates/", "lists/", "session/", "forms/", "ui/", "messages/", "lib/", "api/"].map(
  (place) => CONSOLE + place,
);

const escapeRegExp = (text: string): string => text.replace(/[.+*?^$()[\]{}|\\]/g, "\\$&");

/** A place that ends in a slash is a folder. */
const pattern = (places: readonly string[]): string =>
  `^(?:${places.map((place) => escapeRegExp(place) + (place.endsWith("/") ? "" : "$")).join("|")})`;

const forbid = (rule: Omit<IRegularForbiddenRuleType, "severity">): IRegularForbiddenRuleType => ({
  severity: "error",
  ...rule,
});

const layerRules = LAYERS.slice(1).map((layer, index) =>
  forbid({
    name: `imports from a higher layer than ${layer.join(", ")}`,
    from: { path: pattern(layer) },
    to: { path: pattern(LAYERS.slice(0, index + 1).flat()) },
  }),
);

const consoleRules = [
  forbid({
    name: "a page of the console imports the frame around it",
    from: { path: `^${CONSOLE}`, pathNot: pattern(ABOVE_NOUNS) },
    to: { path: pattern(ABOVE_NOUNS) },
  }),
  ...BELOW_NOUNS.map((room, index) =>
    forbid({
      name: `imports from a higher room of the console than ${room}`,
      from: { path: pattern([room]) },
      to: { path: `^${CONSOLE}`, pathNot: pattern(BELOW_NOUNS.slice(index)) },
    }),
  ),
  forbid({
    name: "the console is a client of the API",
    from: { path: `^${CONSOLE}` },
    to: { path: "^(?:src|test|tools|scripts|migrations|widget)/" },
  }),
];

const structure = [
  forbid({ name: "a circle", from: {}, to: { circular: true } }),
  forbid({ name: "belongs to no layer", from: { path: "^src/", pathNot: pattern(LAYERS.flat()) }, to: {} }),
  forbid({
    name: "leaves src",
    from: { path: "^src/" },
    to: { path: "^(?:test|tools|scripts|migrations|widget)/" },
  }),
  // The service joins its files: scripts of browsers, and types.
  forbid({
    name: "the element needs more than itself",
    from: { path: "^widget/" },
    to: { pathNot: "^widget/|^src/lib/choose-language\\.ts$", dependencyTypesNot: ["type-only"] },
  }),
  forbid({
    name: "only tests import tests",
    from: { path: "^(?:tools|scripts)/" },
    to: { path: "^test/" },
  }),
  forbid({
    name: "lib imports only itself",
    from: { path: "^src/lib/" },
    to: {
      pathNot:
        "^src/lib/|^node_modules/(?:lru-cache|csv-stringify|fastest-levenshtein|@zootools/email-spell-checker)/",
      dependencyTypesNot: ["core"],
    },
  }),
  forbid({
    name: "a migration is frozen",
    from: { path: "^migrations/" },
    to: { path: "^(?:src|test|tools|migrations)/", pathNot: "^migrations/support/" },
  }),
];

const shipped = "^(?:src|migrations)/";

/** A type of Node's touches nothing; the types of a package tie a file to the package. */
const homeRules = Object.entries(MODULE_HOMES)
  .filter(([name]) => !(name in PURE))
  .map(([name, homes]) => {
    const from = { path: shipped, pathNot: pattern(homes) };
    const isNodes = name.startsWith("node:");
    const to = isNodes
      ? {
          path: `^(?:node:)?${escapeRegExp(name.slice("node:".length))}$`,
          dependencyTypesNot: ["type-only" as const],
        }
      : { path: `^node_modules/(?:@types/)?${escapeRegExp(packageOf(name))}/` };
    return forbid({ name: `${name} is imported outside of ${homes.join(", ")}`, from, to });
  });

function packageOf(name: string): string {
  return name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/");
}

const known = Object.keys(MODULE_HOMES);
const unknownRules = [
  forbid({
    name: "a package without a home",
    from: { path: shipped },
    to: {
      path: "^node_modules/",
      pathNot: `^node_modules/(?:@types/)?(?:${known.map(packageOf).map(escapeRegExp).join("|")})/`,
    },
  }),
  forbid({
    name: "a module of Node's without a home",
    from: { path: shipped },
    to: {
      dependencyTypes: ["core"],
      dependencyTypesNot: ["type-only"],
      pathNot: `^(?:node:)?(?:${[...known, ...Object.keys(PURE)].map((name) => escapeRegExp(name.replace("node:", ""))).join("|")})$`,
    },
  }),
  forbid({ name: "can't be found", from: { path: shipped }, to: { couldNotResolve: true } }),
];

const { output } = await cruise(
  FOLDERS,
  {
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(?:^|/)(?:generated)/|^test/clients/" },
    baseDir: fileURLToPath(new URL("..", import.meta.url)),
    validate: true,
    ruleSet: { forbidden: [...structure, ...layerRules, ...consoleRules, ...homeRules, ...unknownRules] },
  },
  {
    extensions: [".ts", ".tsx", ".mjs", ".js", ".json"],
    exportsFields: ["exports"],
    conditionNames: ["import", "require", "node", "default", "types"],
  },
);
if (typeof output === "string") throw new Error(output);
const { totalCruised, violations } = output.summary;
for (const { from, to, rule } of violations) console.error(`${from} imports ${to}: ${rule.name}`);
console.log(`${totalCruised} modules, ${violations.length} violations`);
if (totalCruised < MIN_MODULES)
  console.error(`Only ${totalCruised} modules were read: at least ${MIN_MODULES} are due`);
process.exitCode = violations.length === 0 && totalCruised >= MIN_MODULES ? 0 : 1;
