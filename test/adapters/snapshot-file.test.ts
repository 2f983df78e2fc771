import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readSnapshot, writeSnapshot } from "../../src/adapters/files/snapshot-file.ts";
import { tempFolder } from "../support/temp-folder.ts";

const newPath = (): string => join(tempFolder(), "of/figures");

interface State {
  header: Record<string, unknown>;
  columns: (Uint8Array | Uint16Array | Uint32Array | Float64Array)[];
}

const state: fc.Arbitrary<State> = fc.record({
  header: fc.dictionary(fc.string({ unit: "binary" }), fc.oneof(fc.string({ unit: "binary" }), fc.integer())),
  columns: fc.array(
    fc.oneof(
      fc.uint8Array(),
      fc.uint16Array(),
      fc.uint32Array(),
      fc.float64Array({ noNaN: true }),
      // A part of a larger list.
      fc.uint16Array({ minLength: 3 }).map((list) => list.subarray(1, -1)),
      fc.constant(new Uint32Array(new SharedArrayBuffer(8, { maxByteLength: 16 }))),
    ),
    { maxLength: 4 },
  ),
});

/** Reads columns as long as those that were written. */
function read(path: string, columns: State["columns"]): State {
  return readSnapshot(path, (header) => ({
    header: Object(header),
    columns: columns.map((column) => column.slice().fill(0)),
  }));
}

const rejects = (path: string, columns: State["columns"]): boolean => {
  try {
    read(path, columns);
    return false;
  } catch {
    return true;
  }
};

const example: State = {
  header: { name: "all", rows: 2 },
  columns: [Uint32Array.of(7, 8), Uint16Array.of(9, 10, 11)],
};

describe("a snapshot", () => {
  it("comes back as it was written, whatever it holds", () => {
    const path = newPath();
    fc.assert(
      fc.property(state, ({ header, columns }) => {
        writeSnapshot(path, header, columns);
        const found = read(path, columns);
        expect(JSON.stringify(found.header)).toBe(JSON.stringify(header));
        expect(found.columns.map((column) => [...column])).toEqual(columns.map((column) => [...column]));
      }),
      { numRuns: 50 },
    );
  });

  it("comes back when it is longer than what is written at once", () => {
    const path = newPath();
    const column = new Uint8Array(16 * 1024 * 1024 + 3).fill(7, 1000);
    writeSnapshot(path, {}, [column, column]);
    for (const found of read(path, [column, column]).columns)
      expect(Buffer.from(found.buffer).equals(column)).toBe(true);
  });

  it("is for its owner only, and leaves nothing beside it", () => {
    const path = newPath();
    writeSnapshot(path, example.header, example.columns);
    writeSnapshot(path, example.header, example.columns);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(readdirSync(dirname(path))).toEqual(["figures"]);
  });
});

describe("a snapshot is refused", () => {
  it("when it isn't there, or is another kind of file", () => {
    const path = newPath();
    expect(() => read(path, [])).toThrow("ENOENT");
    mkdirSync(path, { recursive: true });
    expect(() => read(path, [])).toThrow("EISDIR");
  });

  it("when it has been cut off, wherever that was", () => {
    const path = newPath();
    writeSnapshot(path, example.header, example.columns);
    const whole = readFileSync(path);
    for (let length = 0; length < whole.length; length += 1) {
      writeFileSync(path, whole.subarray(0, length));
      expect(rejects(path, example.columns)).toBe(true);
    }
  });

  it("when any of its bytes has changed", () => {
    const path = newPath();
    writeSnapshot(path, example.header, example.columns);
    const whole = readFileSync(path);
    for (const [index, byte] of whole.entries()) {
      const damaged = Buffer.from(whole);
      damaged[index] = byte ^ (1 << (index % 8));
      writeFileSync(path, damaged);
      expect(rejects(path, example.columns)).toBe(true);
    }
  });

  it("when its reader makes nothing of its header", () => {
    const path = newPath();
    writeSnapshot(path, example.header, example.columns);
    const foreign = () => {
      throw new Error("another version");
    };
    expect(() => readSnapshot(path, foreign)).toThrow("another version");
  });
});

describe("a snapshot that can't be written", () => {
  it("leaves the former one as it was, and the next one takes its place", () => {
    const path = newPath();
    writeSnapshot(path, example.header, example.columns);
    // The disk is full when more has been written than a buffer holds.
    symlinkSync("/dev/full", `${path}.part`);
    expect(() => writeSnapshot(path, { name: "next" }, [])).toThrow("ENOSPC");
    expect(read(path, example.columns)).toEqual(example);
    expect(readdirSync(dirname(path))).toEqual(["figures"]);
    writeSnapshot(path, { name: "next" }, []);
    expect(read(path, []).header).toEqual({ name: "next" });
  });

  it("because there is no folder for it, says so", () => {
    const path = newPath();
    writeFileSync(dirname(path), "");
    expect(() => writeSnapshot(path, {}, [])).toThrow(/ENOTDIR|EEXIST/);
  });
});
