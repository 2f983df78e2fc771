/** Where a log of a test goes. */
import { Writable } from "node:stream";

/** Adds each line, parsed, to `lines`. */
export const createLineSink = (lines: Record<string, unknown>[]): Writable =>
  new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()));
      done();
    },
  });
