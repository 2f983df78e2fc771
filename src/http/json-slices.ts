/** JSON that is too long to be read at one go: its list is gone through element by element, with turns for others. */
import { turns } from "../lib/turns.ts";
import { JsonPieceTooLong, MAX_PIECE_BYTES, piecesOf } from "./json-pieces.ts";
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
