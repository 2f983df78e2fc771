/** The project's own source files, parsed: what the checks of its structure are made of. */
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAst } from "vitest/node";

export const PROJECT = fileURLToPath(new URL("../..", import.meta.url));

/** A node of the syntax tree (ESTree with TypeScript's additions). */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

export interface Import {
  specifier: string;
  /** What is taken at run time: names, `default`, or `*` for the whole module. */
  names: readonly string[];
  /** Gone once the types are stripped. */
  isTypeOnly: boolean;
  line: number;
}

export interface SourceModule {
  /** Relative to the project, with forward slashes. */
  path: string;
  text: string;
  /** Every node, each before those inside it. Comments aren't nodes. */
  nodes: readonly SyntaxNode[];
  imports: readonly Import[];
  lineAt(position: number): number;
}

/** All TypeScript files below the folders, but for those of packages and generated ones. */
export function readModules(...folders: readonly string[]): SourceModule[] {
  return folders.flatMap((folder) =>
    readdirSync(join(PROJECT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !/(^|[\\/])(node_modules|generated)[\\/]/.test(name))
      .map((name) => posix.join(folder, name.replaceAll("\\", "/")))
      .sort()
      .map((path) => parseModule(path, readFileSync(join(PROJECT, path), "utf8"))),
  );
}

export function parseModule(path: string, text: string): SourceModule {
  const nodes = [...iterateNodes(parseAst(text, { lang: "ts" }, path))];
  const lineAt = (position: number): number => text.slice(0, position).split("\n").length;
  const imports = nodes.flatMap((node) => importOf(node, lineAt) ?? []);
  return { path, text, nodes, imports, lineAt };
}

/** The package of a bare specifier, `undefined` for relative ones and Node's own. */
export const packageOf = ({ specifier }: Import): string | undefined =>
  /^[.#]|^node:/.test(specifier) ? undefined : /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0];

export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

/** A field that is a node, of the given type where one is given. */
export function childOf(node: SyntaxNode | undefined, field: string, type?: string): SyntaxNode | undefined {
  const child = node?.[field];
  return isNode(child) && (type === undefined || child.type === type) ? child : undefined;
}

export const childrenOf = (node: SyntaxNode, field: string): SyntaxNode[] => {
  const children = node[field];
  return Array.isArray(children) ? children.filter(isNode) : [];
};

/** The name of an identifier, the text of a string. */
export const textOf = (node: SyntaxNode | undefined): string | undefined => {
  const text = node?.type === "Identifier" ? node.name : node?.type === "Literal" ? node.value : undefined;
  return typeof text === "string" ? text : undefined;
};

function* iterateNodes(root: unknown): Generator<SyntaxNode> {
  if (Array.isArray(root)) for (const item of root) yield* iterateNodes(item);
  else if (isNode(root)) {
    yield root;
    for (const field of Object.values(root)) yield* iterateNodes(field);
  }
}

function importOf(node: SyntaxNode, lineAt: (position: number) => number): Import | undefined {
  const specifier = textOf(childOf(node, "source")) ?? workerOf(node);
  if (specifier === undefined || !IMPORTING.has(node.type)) return undefined;
  const named = childrenOf(node, "specifiers");
  const used = named.filter(({ importKind, exportKind }) => importKind !== "type" && exportKind !== "type");
  const isTypeOnly =
    node.importKind === "type" ||
    node.exportKind === "type" ||
    node.type === "TSImportType" ||
    (named.length > 0 && used.length === 0);
  return { specifier, names: isTypeOnly ? [] : namesOf(node, used), isTypeOnly, line: lineAt(node.start) };
}

function namesOf(node: SyntaxNode, specifiers: readonly SyntaxNode[]): string[] {
  if (/^(ImportExpression|ExportAllDeclaration)$/.test(node.type)) return ["*"];
  return specifiers.map((specifier) => {
    if (specifier.type === "ImportNamespaceSpecifier") return "*";
    if (specifier.type === "ImportDefaultSpecifier") return "default";
    return textOf(childOf(specifier, "imported") ?? childOf(specifier, "local")) ?? "*";
  });
}

const IMPORTING = new Set([
  "ImportDeclaration",
  "ExportAllDeclaration",
  "ExportNamedDeclaration",
  "ImportExpression",
  "TSImportType",
  "NewExpression",
]);

/** A worker's module is named by `new URL("./worker.ts", import.meta.url)`. */
function workerOf(node: SyntaxNode): string | undefined {
  if (node.type !== "NewExpression" || textOf(childOf(node, "callee")) !== "URL") return undefined;
  const named = textOf(childrenOf(node, "arguments")[0]);
  return named !== undefined && /^\..*\.ts$/.test(named) ? named : undefined;
}
