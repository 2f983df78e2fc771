/** The functions of a source file, by its syntax. */
import { parseSync } from "vite";

export interface SourceFunction {
  /** With the functions around it, such as `createApp/listen`; a method begins at its modifiers. */
  name: string;
  start: number;
  end: number;
}

/** A node of the syntax tree (ESTree with TypeScript's additions). */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

const FUNCTION = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;
/** What gives a function its name; `key` or `id` or `left` holds it. */
const NAMING = /^(?:VariableDeclarator|MethodDefinition|PropertyDefinition|Property|AssignmentExpression)$/;
/** In what vitest makes of a module: what it wraps around it, and a function for each export. */
const OF_VITEST = "__vite_ssr_exportName__";

/** Visits each node before those inside it. @param parents from the outermost */
export function visit(
  node: SyntaxNode,
  parents: readonly SyntaxNode[],
  see: (node: SyntaxNode, parents: readonly SyntaxNode[]) => void,
): void {
  see(node, parents);
  const inside = [...parents, node];
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, inside, see);
}

/** @throws Error when it can't be parsed */
export function parse(path: string, source: string): SyntaxNode {
  const { errors, program } = parseSync(path, source);
  const [error] = errors;
  if (error) throw new Error(`${path}: ${error.message}`);
  if (!isNode(program)) throw new Error(`${path} has no syntax tree`);
  return program;
}

/** In the order of the source. */
export function listFunctions(path: string, source: string): SourceFunction[] {
  const functions: SourceFunction[] = [];
  visit(parse(path, source), [], (node, parents) => {
    if (!FUNCTION.test(node.type) || !isNode(node.body)) return;
    const parent = parents.at(-1);
    if (parent?.type === "CallExpression" && isNode(parent.callee) && parent.callee.name === OF_VITEST)
      return;
    const isMethod =
      parent?.type === "MethodDefinition" || (parent?.method ?? parent?.kind === "get") === true;
    const { start } = isMethod && parent ? parent : node;
    const outer = functions.findLast((each) => each.start <= start && node.end <= each.end);
    const name = nameOf(node, parent, source);
    functions.push({ name: outer ? `${outer.name}/${name}` : name, start, end: node.end });
  });
  return functions;
}

function nameOf(node: SyntaxNode, parent: SyntaxNode | undefined, source: string): string {
  const naming = parent && NAMING.test(parent.type) ? (parent.key ?? parent.id ?? parent.left) : undefined;
  const named = [node.id, naming].find(isNode);
  return named ? source.slice(named.start, named.end).replace(/[:\s][\s\S]*$/, "") : "()";
}

/** The innermost function around a place. */
export const functionAt = (
  functions: readonly SourceFunction[],
  offset: number,
): SourceFunction | undefined => functions.findLast(({ start, end }) => start <= offset && offset < end);

/**
 * The functions of what vitest made of a source file, each with the one of the file: stripping types changes no order.
 * @throws Error when there are more of the one than of the other
 */
export function alignFunctions(path: string, made: string, source: string) {
  const [wrapper, ...inner] = listFunctions(`${path}.js`, made);
  const originals = listFunctions(path, source);
  if (!wrapper || inner.length !== originals.length)
    throw new Error(`${path} has ${originals.length} functions, and ${inner.length} as vitest runs it`);
  return new Map(inner.map((each, index) => [each, originals[index]]));
}
