/** Where a source file can be changed in one of four ways that a test should notice. */
import { functionAt, isNode, listFunctions, parse, type SyntaxNode, visit } from "../reach/functions.ts";

export const KINDS = ["condition turned", "bound moved by one", "line out", "argument swapped"] as const;
export type Kind = (typeof KINDS)[number];

export interface Site {
  path: string;
  function: string;
  kind: Kind;
  start: number;
  before: string;
  after: string;
}

const TURNED = new Map([
  ["===", "!=="],
  ["!==", "==="],
]);
const MOVED = new Map([
  ["<", "<="],
  ["<=", "<"],
  [">", ">="],
  [">=", ">"],
]);
const TESTING = /^(?:IfStatement|ConditionalExpression|WhileStatement|DoWhileStatement)$/;
const STATEMENT = /^(?:ExpressionStatement|ThrowStatement|ContinueStatement|BreakStatement)$/;
/** They leave the type of an expression and not its value: what is within is code. */
const TYPED = /^TS(?:As|Satisfies|NonNull)Expression$/;
/** What such a call is given is left as it is: no test can be expected to compare the words of the log. */
const LOG = /\blog(?:ger)?\??\.(?:debug|info|warn|error)$/i;

/** All within functions. */
export function listSites(path: string, source: string): Site[] {
  const functions = listFunctions(path, source);
  const sites: Site[] = [];
  const textOf = ({ start, end }: SyntaxNode): string => source.slice(start, end);
  visit(parse(path, source), [], (node, parents) => {
    const around = functionAt(functions, node.start);
    if (!around || parents.some((parent) => isOutside(parent, textOf))) return;
    for (const { kind, target, after } of listChanges(node, textOf))
      sites.push({ path, function: around.name, kind, start: target.start, before: textOf(target), after });
  });
  return sites;
}

/** Types, and calls of the log. */
function isOutside(node: SyntaxNode, textOf: (node: SyntaxNode) => string): boolean {
  if (node.type.startsWith("TS")) return !TYPED.test(node.type);
  return node.type === "CallExpression" && isNode(node.callee) && LOG.test(textOf(node.callee));
}

interface Change {
  kind: Kind;
  target: Pick<SyntaxNode, "type" | "start" | "end">;
  after: string;
}

function* listChanges(node: SyntaxNode, textOf: (node: SyntaxNode) => string): Generator<Change> {
  if (TESTING.test(node.type) && isNode(node.test))
    yield { kind: "condition turned", target: node.test, after: `!(${textOf(node.test)})` };
  if (node.type === "BinaryExpression" && isNode(node.left) && isNode(node.right)) {
    const { operator, left, right } = node;
    const join = (other: string): string => `${textOf(left)} ${other} ${textOf(right)}`;
    const turned = TURNED.get(String(operator));
    if (turned !== undefined) yield { kind: "condition turned", target: node, after: join(turned) };
    const moved = MOVED.get(String(operator));
    if (moved !== undefined) yield { kind: "bound moved by one", target: node, after: join(moved) };
  }
  if (node.type === "Literal" && typeof node.value === "number")
    yield { kind: "bound moved by one", target: node, after: String(node.value + 1) };
  if (STATEMENT.test(node.type) && !node.directive) yield { kind: "line out", target: node, after: ";" };
  if (/^(?:Call|New)Expression$/.test(node.type)) yield* listSwaps(node, textOf);
}

function* listSwaps(node: SyntaxNode, textOf: (node: SyntaxNode) => string): Generator<Change> {
  const args = Array.isArray(node.arguments) ? node.arguments.filter(isNode) : [];
  for (const [index, first] of args.entries()) {
    const second = args[index + 1];
    if (!second || [first, second].some(({ type }) => type === "SpreadElement")) continue;
    if (textOf(first) === textOf(second)) continue;
    const target = { ...first, end: second.end };
    const between = textOf({ ...first, start: first.end, end: second.start });
    yield { kind: "argument swapped", target, after: `${textOf(second)}${between}${textOf(first)}` };
  }
}
