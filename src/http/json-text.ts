/** JSON as a client may send it: UTF-8, and no name twice in an object. */

/** What is wrong with a text that should be JSON, in words that are safe to show. */
export class JsonFault extends Error {}

/** No request of ours goes half as deep. */
const MAX_DEPTH = 32;

/**
 * @param levelsAround how deep in a larger text it stands: such a part has no byte order mark of its own
 * @throws JsonFault
 */
export function parseJson(bytes: Uint8Array, { levelsAround = 0 } = {}): unknown {
  const text = decode(bytes, levelsAround === 0 ? wholeText : partOfText);
  try {
    refuseDepthAndRepetition(text, MAX_DEPTH - levelsAround);
    return JSON.parse(text);
  } catch (error) {
    throw error instanceof JsonFault ? error : new JsonFault("It breaks off or breaks the rules of JSON.");
  }
}

const wholeText = new TextDecoder("utf-8", { fatal: true });
const partOfText = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Bytes that aren't UTF-8 would otherwise turn into question marks without anybody's notice. */
function decode(bytes: Uint8Array, decoder: TextDecoder): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new JsonFault("It is not UTF-8.");
  }
}

/**
 * A string, with the colon that makes it a name; what opens or closes an object or a list; a quote without its other.
 * The last ends the scan at once: every quote behind it would be looked through to the end again.
 */
const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*")\s*(:?)|[{[]|[}\]]|"/g;

/**
 * Parsers differ in which of two equal names they take (RFC 8259, 4), so that a filter before us could let through what
 * we then read otherwise.
 */
function refuseDepthAndRepetition(text: string, maxDepth: number): void {
  const open: Set<string>[] = [];
  for (const [token, string, colon] of text.matchAll(TOKEN)) {
    if (token === "{" || token === "[") {
      if (open.push(new Set()) > maxDepth) throw new JsonFault("It is nested too deeply.");
    } else if (token === '"') throw new JsonFault("It breaks off in a string.");
    else if (string === undefined) open.pop();
    else if (colon) add(String(JSON.parse(string)), open.at(-1));
  }
}

function add(name: string, names: Set<string> | undefined): void {
  if (names?.has(name)) throw new JsonFault(`It gives ${JSON.stringify(name.slice(0, 100))} twice.`);
  names?.add(name);
}
