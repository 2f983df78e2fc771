/** The memory through which files are sent. */
import { expect, it } from "vitest";
import {
  giveBackSendBuffer,
  giveUpSendBuffer,
  SEND_BUFFER_BYTES,
  takeSendBuffer,
} from "../../src/http/responses/send-file.ts";

const MEBIBYTE = 1024 * 1024;

const take = (count: number): Buffer[] => Array.from({ length: count }, takeSendBuffer);

const bytesOf = (buffers: readonly Buffer[]): number => buffers.reduce((sum, { length }) => sum + length, 0);

it("thousands of readers who read nothing don't fill the memory", () => {
  const few = take(200);
  const thousands = take(3800);
  expect(bytesOf(few)).toBe(200 * SEND_BUFFER_BYTES);
  expect(bytesOf([...few, ...thousands])).toBeLessThan(230 * MEBIBYTE);
  for (const buffer of [...few, ...thousands]) giveBackSendBuffer(buffer);
});

it.each([
  ["given back", giveBackSendBuffer],
  ["given up", giveUpSendBuffer],
])("are large again once those are %s", (_, leave) => {
  const readers = take(1000);
  expect(takeSendBuffer().length).toBeLessThan(SEND_BUFFER_BYTES);
  for (const buffer of readers) leave(buffer);
  const next = takeSendBuffer();
  expect(next).toHaveLength(SEND_BUFFER_BYTES);
  giveBackSendBuffer(next);
});

it("are used again, the last one first, but by one at a time", () => {
  const [one, other] = [takeSendBuffer(), takeSendBuffer()];
  expect(one).not.toBe(other);
  giveBackSendBuffer(one);
  giveUpSendBuffer(other);
  const more = take(100);
  expect(more).not.toContain(other);
  giveBackSendBuffer(other);
  expect(takeSendBuffer()).toBe(other);
  for (const buffer of [other, ...more]) giveUpSendBuffer(buffer);
});
