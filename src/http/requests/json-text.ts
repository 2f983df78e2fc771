/** JSON as a client may send it: UTF-8, and no name twice in an object. */

/** What is wrong with a text that should be JSON, in words that are safe to show. */
export class JsonError extends Error {}

/** No request of ours goes half as deep. */
const MAX_DEPTH = 32;
/** Nor has one so many names in an object: a hundred thousand would take longer than all else that is done for it. */
const MAX_NAMES = 10_000;

/**
 * @param levelsAround how deep in a larger text it stands: such a part has no byte order mark of its own
 * @throws JsonFault
 */
export function parseJson(bytes: Uint8Array, { levelsAround = 0 } = {}): unknown {
  const text = decode(bytes, levelsAround === 0 ? wholeText : partOfText);
  try {
    rejectDepthAndRepetition(text, MAX_DEPTH - levelsAround);
    return JSON.parse(text);
  } catch (error) {
    throw error instanceof JsonError ? error : new JsonError("It breaks off or breaks the rules of JSON.");
  }
}

const wholeText = new TextDecoder("utf-8", { fatal: true });
const partOfText = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Bytes that aren't UTF-8 would otherwise turn into question marks without anybody's notice. */
function decode(bytes: Uint8Array, decoder: TextDecoder): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new JsonError("It is not UTF-8.");
  }
}

const [QUOTE, BACKSLASH, COLON] = codesOf('"\\:');
const [LIST_START, LIST_END, OBJECT_START, OBJECT_END] = codesOf("[]{}");
const BLANKS = new Set(codesOf(" \t\n\r"));

function codesOf(signs: string): number[] {
  return Array.from(signs, (sign) => sign.charCodeAt(0));
}

/**
 * Parsers differ in which of two equal names they take (RFC 8259, 4), so that a filter before us could let through what
 * we then read otherwise. Goes through the text once, sign by sign: matching tokens took ten times as long.
 */
function rejectDepthAndRepetition(text: string, maxDepth: number): void {
  /** The names of each object that is open; undefined as long as it has none, as in a list. */
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === OBJECT_START || code === LIST_START) {
      if (open.push(undefined) > maxDepth) throw new JsonError("It is nested too deeply.");
    } else if (code === OBJECT_END || code === LIST_END) open.pop();
    else if (code === QUOTE) {
      const end = endOfString(text, at + 1);
      if (isBeforeColon(text, end + 1)) addName(text.slice(at, end + 1), open);
      at = end;
    }
  }
}

/** Where its closing quote stands. */
function endOfString(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  throw new JsonError("It breaks off in a string.");
}

function isBeforeColon(text: string, from: number): boolean {
  let at = from;
  while (BLANKS.has(text.charCodeAt(at))) at += 1;
  return text.charCodeAt(at) === COLON;
}

/** @param quoted the name as it is written */
function addName(quoted: string, open: (Set<string> | undefined)[]): void {
  const name = quoted.includes("\\") ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
  const names = open.pop() ?? new Set();
  if (names.has(name)) throw new JsonError(`It gives ${JSON.stringify(name.slice(0, 100))} twice.`);
  if (names.size === MAX_NAMES) throw new JsonError(`An object has more than ${MAX_NAMES} names.`);
  open.push(names.add(name));
}
