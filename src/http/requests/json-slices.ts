/** JSON that is too long to be read at one go: its list is gone through element by element, with turns for others. */
import { turns } from "../../lib/turns.ts";
import { parseJson } from "./json-text.ts";

/**
 * Reads what parseJson reads, when what makes the text long is a list in its outermost object. In the place of that
 * list's elements stand functions that read them, so that many of them need not be in memory at the same time: a large
 * heap is what garbage collection holds everybody up for. Each has been read once and can be.
 * @param maxElements how many elements the caller takes; of more, one is read, by which the list is seen to be too long
 * @throws JsonFault, JsonPieceTooLong
 */
export async function parseJsonInSlices(bytes: Uint8Array, maxElements: number): Promise<unknown> {
  const lists: (() => unknown)[][] = [];
  const frame: Uint8Array[] = [];
  let frameBytes = 0;
  let room = maxElements + 1;
  const nextTurn = turns();
  for (const { kind, start, end } of piecesOf(bytes)) {
    const piece = bytes.subarray(start, end);
    if (kind !== "element") {
      frame.push(piece);
      frameBytes += piece.length;
    } else if (room-- > 0) {
      parseJson(piece, { levelsAround: 2 });
      lists.at(-1)?.push(() => JSON.parse(utf8.decode(piece)));
    }
    // In the place of its elements a list has its number.
    if (kind === "opening") frame.push(Buffer.from(String(lists.push([]) - 1)));
    if (frameBytes > MAX_PIECE_BYTES) throw new JsonPieceTooLong();
    const turn = nextTurn();
    if (turn) await turn;
  }
  return filled(parseJson(Buffer.concat(frame)), lists);
}

const utf8 = new TextDecoder();

/** Each list in the outermost object, or list, is one whose elements were read by themselves. */
function filled(frame: unknown, lists: readonly unknown[][]): unknown {
  if (typeof frame !== "object" || frame === null) return frame;
  const withElements = (value: unknown) => (Array.isArray(value) ? lists[Number(value[0])] : value);
  if (Array.isArray(frame)) return frame.map(withElements);
  return Object.fromEntries(Object.entries(frame).map(([name, value]) => [name, withElements(value)]));
}

// Cuts a JSON text into pieces that can be read by themselves: each element of a list in the outermost object, and
// the rest.

/** What is read at one go: as much as other bodies may have in all. */
export const MAX_PIECE_BYTES = 1024 * 1024;

/** A piece is longer than what is read at one go. */
export class JsonPieceTooLong extends Error {}

export interface JsonPiece {
  /** `opening` goes up to a list's bracket and stands before its elements; `rest` comes last. */
  kind: "opening" | "element" | "rest";
  start: number;
  end: number;
}

/**
 * The pieces, in their order and with nothing but the elements' commas between them. Whether they are JSON isn't looked
 * at: the whole is when each element is, and what is left when every list has one element.
 * @throws JsonPieceTooLong
 */
function* piecesOf(bytes: Uint8Array): Generator<JsonPiece, void> {
  let depth = 0;
  let start = 0;
  for (let at = nextMark(bytes, 0, start); at < bytes.length; at = nextMark(bytes, at + 1, start)) {
    depth += stepAt(bytes, at);
    if (depth !== 2 || bytes[at] !== LIST_START) continue;
    yield { kind: "opening", start, end: at + 1 };
    start = yield* elementsOf(bytes, at + 1);
    // The list's end is looked at once more.
    at = start - 1;
  }
  yield { kind: "rest", start, end: bytes.length };
}

/** @returns where the list ends */
function* elementsOf(bytes: Uint8Array, listStart: number): Generator<JsonPiece, number> {
  for (let start = listStart; ; ) {
    const end = endOfElement(bytes, start);
    const isLast = bytes[end] !== COMMA;
    const isEmptyList = isLast && start === listStart && isBlank(bytes.subarray(start, end));
    if (!isEmptyList) yield { kind: "element", start, end };
    if (isLast) return end;
    start = end + 1;
  }
}

/** Where the comma behind an element stands, or the end of its list. */
function endOfElement(bytes: Uint8Array, start: number): number {
  let depth = 0;
  let at = nextMark(bytes, start, start);
  for (; at < bytes.length; at = nextMark(bytes, at + 1, start)) {
    const step = stepAt(bytes, at);
    if (depth === 0 && step <= 0) return at;
    depth += step;
  }
  return at;
}

const [LIST_START, LIST_END, OBJECT_START, OBJECT_END] = Buffer.from("[]{}");
const [COMMA, QUOTE, BACKSLASH] = Buffer.from(',"\\');

/** How much deeper it is behind a bracket. */
function stepAt(bytes: Uint8Array, at: number): -1 | 0 | 1 {
  const mark = bytes[at];
  if (mark === LIST_START || mark === OBJECT_START) return 1;
  return mark === LIST_END || mark === OBJECT_END ? -1 : 0;
}

/** Where the next bracket or comma stands that isn't in a string; the text's end when there is none. */
function nextMark(bytes: Uint8Array, from: number, pieceStart: number): number {
  const limit = Math.min(bytes.length, pieceStart + MAX_PIECE_BYTES + 1);
  for (let at = from; at < limit; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at + 1, limit);
    else if (byte === COMMA || stepAt(bytes, at) !== 0) return at;
  }
  if (limit < bytes.length) throw new JsonPieceTooLong();
  return limit;
}

function endOfString(bytes: Uint8Array, from: number, limit: number): number {
  for (let at = from; at < limit; at += 1) {
    if (bytes[at] === BACKSLASH) at += 1;
    else if (bytes[at] === QUOTE) return at;
  }
  return limit;
}

/** Space, tab and line breaks (RFC 8259, 2). */
const isBlank = (bytes: Uint8Array): boolean =>
  bytes.every((byte) => " \t\n\r".includes(String.fromCharCode(byte)));
