/** The memory through which files are sent. */
import { afterEach, expect, it } from "vitest";
import {
  giveBackSendBuffer,
  giveUpSendBuffer,
  SEND_BUFFER_BYTES,
  takeSendBuffer,
} from "../../src/http/send-file-buffers.ts";

const MEBIBYTE = 1024 * 1024;
const taken = new Set<Buffer>();

function take(count: number): Buffer[] {
  const buffers = Array.from({ length: count }, takeSendBuffer);
  for (const buffer of buffers) taken.add(buffer);
  return buffers;
}

const bytesOf = (buffers: readonly Buffer[]): number => buffers.reduce((sum, { length }) => sum + length, 0);

afterEach(() => {
  for (const buffer of taken) giveBackSendBuffer(buffer);
  taken.clear();
});

it("T29 thousands of readers who take nothing don't fill the memory", () => {
  expect(bytesOf(take(200))).toBe(200 * SEND_BUFFER_BYTES);
  expect(bytesOf(take(3800))).toBeLessThan(230 * MEBIBYTE);
});

it("is quick again for the next reader once those have left, however they left", () => {
  for (const leave of [giveBackSendBuffer, giveUpSendBuffer]) {
    const readers = take(1000);
    expect(takeSendBuffer().length).toBeLessThan(SEND_BUFFER_BYTES);
    for (const buffer of readers) leave(buffer);
    const [next] = take(1);
    expect(next).toHaveLength(SEND_BUFFER_BYTES);
  }
});

it("is the last one that was given back, and nobody else's meanwhile", () => {
  const [one, other] = take(2);
  expect(one).not.toBe(other);
  for (const buffer of [one, other]) if (buffer) giveBackSendBuffer(buffer);
  expect(takeSendBuffer()).toBe(other);
  expect(takeSendBuffer()).toBe(one);
});

it("isn't given to two when it was given up and then given back", () => {
  const [buffer] = take(1);
  if (!buffer) throw new Error("There was no buffer");
  giveUpSendBuffer(buffer);
  giveBackSendBuffer(buffer);
  expect(take(100)).not.toContain(buffer);
});
