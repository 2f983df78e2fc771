/** An answer as JSON: a long list is written in pieces, with turns for others in between. */
import { batchesOf } from "../lib/batches.ts";
import { turns } from "../lib/turns.ts";

/** Elements that are written at one go: of the largest that are sent, a few milliseconds' work. */
const PIECE = 500;

/** The bytes of JSON.stringify. Only lists right inside the outermost object are long: that is how all our lists go out. */
export async function jsonBytes(value: unknown): Promise<Buffer> {
  if (typeof value !== "object" || value === null || !Object.values(value).some(isLong))
    return Buffer.from(JSON.stringify(value));
  const pieces: Buffer[] = [];
  const nextTurn = turns();
  for (const text of textsOf(value)) {
    pieces.push(Buffer.from(text));
    await nextTurn();
  }
  return Buffer.concat(pieces);
}

const isLong = (field: unknown): field is unknown[] => Array.isArray(field) && field.length > PIECE;

function* textsOf(value: object): Generator<string> {
  let before = "{";
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    before = ",";
    if (isLong(field)) yield* textsOfList(field);
    else yield JSON.stringify(field);
  }
  yield "}";
}

function* textsOfList(list: readonly unknown[]): Generator<string> {
  let before = "[";
  for (const piece of batchesOf(list, PIECE)) {
    yield before + JSON.stringify(piece).slice(1, -1);
    before = ",";
  }
  yield "]";
}
