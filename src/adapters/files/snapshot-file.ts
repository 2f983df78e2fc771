/** A large state on the disk, whole or not at all: its header in JSON, columns of numbers, and a checksum. */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";

/** Columns share one layout of memory on all systems that the service runs on: the lowest byte comes first. */
type Column = NodeJS.ArrayBufferView;

const NUMBER_BYTES = 4;
/** Systems write and read up to 2 GiB at once; nothing needs so much. */
const PIECE_BYTES = 16 * 1024 * 1024;

/** Where it is written to at first; a kill leaves it there until the next reading. */
const partOf = (path: string): string => `${path}.part`;

/** Writes a snapshot; it takes the place of the former one when it is on the disk. */
export function writeSnapshot(path: string, header: object, columns: readonly Column[]): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const part = partOf(path);
  try {
    writePart(part, header, columns);
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

function writePart(path: string, header: object, columns: readonly Column[]): void {
  const file = openSync(path, "w", 0o600);
  try {
    const text = Buffer.from(JSON.stringify(header));
    const pieces = [numberAsBytes(text.length), text, ...columns].flatMap(piecesOf);
    let checksum = 0;
    for (const piece of pieces) {
      checksum = crc32(piece, checksum);
      writeWhole(file, piece);
    }
    writeWhole(file, numberAsBytes(checksum));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Reads a snapshot into the columns of the state that `stateFor` makes for its header. @returns that state
 * @throws when there is none, or it isn't whole
 */
export function readSnapshot<State extends { columns: readonly Column[] }>(
  path: string,
  stateFor: (header: unknown) => State,
): State {
  rmSync(partOf(path), { force: true });
  const file = openSync(path, "r");
  let checksum = 0;
  const read = <C extends Column>(column: C): C => {
    for (const piece of piecesOf(column)) {
      readWhole(file, piece);
      checksum = crc32(piece, checksum);
    }
    return column;
  };
  try {
    const length = read(Buffer.alloc(NUMBER_BYTES)).readUInt32LE();
    if (length > fstatSync(file).size) throw new Error("The snapshot is cut off");
    const header: unknown = JSON.parse(read(Buffer.alloc(length)).toString());
    const state = stateFor(header);
    for (const column of state.columns) read(column);
    const expected = checksum;
    if (read(Buffer.alloc(NUMBER_BYTES)).readUInt32LE() !== expected) {
      throw new Error("The snapshot is damaged");
    }
    return state;
  } finally {
    closeSync(file);
  }
}

function numberAsBytes(number: number): Buffer {
  const bytes = Buffer.alloc(NUMBER_BYTES);
  bytes.writeUInt32LE(number);
  return bytes;
}

function piecesOf({ buffer, byteOffset, byteLength }: Column): Uint8Array[] {
  const pieces = Array.from(
    { length: Math.ceil(byteLength / PIECE_BYTES) },
    (_, index) => index * PIECE_BYTES,
  );
  return pieces.map((start) => {
    const length = Math.min(PIECE_BYTES, byteLength - start);
    return new Uint8Array(buffer, byteOffset + start, length);
  });
}

function writeWhole(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(file, bytes, written);
  }
}

function readWhole(file: number, bytes: Uint8Array): void {
  for (let filled = 0; filled < bytes.length; ) {
    const count = readSync(file, bytes, filled, bytes.length - filled, null);
    if (count === 0) throw new Error("The snapshot is cut off");
    filled += count;
  }
}
