/** Moves a part of an open file into an answer: one buffer is read while the former one is being flushed. */

import type { FileHandle } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { giveBackSendBuffer, giveUpSendBuffer, takeSendBuffer } from "./send-file-buffers.ts";

/** What became of an answer: the bytes of body handed to the system, and whether that was all of it. */
export interface Sent {
  bytesSent: number;
  completed: boolean;
}

/** Byte positions, both inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/** A buffer with `length` bytes of the file in it. */
interface Chunk {
  buffer: Buffer;
  length: number;
}

/**
 * Sends exactly the bytes of `range` and ends the answer. `begin` is called once the first bytes are there, to set
 * status and headers. Resolves early when the client leaves. Rejects when the file can't be read or ends before
 * the range does; the answer is then left open, and must not be ended as if it were whole.
 */
export async function transfer(
  handle: FileHandle,
  res: ServerResponse,
  range: ByteRange,
  begin: () => void,
): Promise<Sent> {
  let position = range.start;
  let chunk = await readChunk(handle, position, range.end);
  begin();
  for (;;) {
    position += chunk.length;
    if (position > range.end) return await sendLast(res, chunk, position - range.start);
    const reading = readChunk(handle, position, range.end);
    // A read that fails while the client still takes the former bytes is reported when its turn comes.
    reading.catch(() => {});
    const flushed = await flush(res, chunk);
    if (!flushed) return await giveUp(reading, position - range.start - chunk.length);
    chunk = await reading;
  }
}

async function sendLast(res: ServerResponse, chunk: Chunk, total: number): Promise<Sent> {
  const flushing = flush(res, chunk);
  // In the same turn as the write, so that a small file leaves in one packet with its headers.
  res.end();
  const completed = await flushing;
  return { bytesSent: completed ? total : total - chunk.length, completed };
}

/** The client has left: the buffer under way is free once the read has ended, well or not. */
async function giveUp(reading: Promise<Chunk>, bytesSent: number): Promise<Sent> {
  await reading.then(
    (chunk) => giveBackSendBuffer(chunk.buffer),
    () => {},
  );
  return { bytesSent, completed: false };
}

async function readChunk(handle: FileHandle, from: number, end: number): Promise<Chunk> {
  const buffer = takeSendBuffer();
  try {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, end - from + 1), from);
    if (bytesRead === 0) throw new Error(`The file ends at byte ${from}, before byte ${end} of the range.`);
    return { buffer, length: bytesRead };
  } catch (error) {
    giveBackSendBuffer(buffer);
    throw error;
  }
}

/**
 * True when the system has taken the bytes, false when the client left first. The buffer is given back by node's
 * own callback and by nothing else: when that never comes, node may still use the bytes.
 */
function flush(res: ServerResponse, { buffer, length }: Chunk): Promise<boolean> {
  return new Promise((resolve) => {
    const clientLeft = () => {
      giveUpSendBuffer(buffer);
      resolve(false);
    };
    res.once("close", clientLeft);
    res.write(buffer.subarray(0, length), (error) => {
      res.off("close", clientLeft);
      giveBackSendBuffer(buffer);
      resolve(error === null || error === undefined);
    });
  });
}
