import { describe, expect, it } from "vitest";
import { readOptions } from "../../tools/demo/options.ts";

describe("readOptions", () => {
  it("takes any free port and stays up by default", () => {
    expect(readOptions([])).toEqual({ once: false, port: 0 });
  });

  it("reads what is given", () => {
    expect(readOptions(["--once", "--port", "8080"])).toEqual({ once: true, port: 8080 });
    expect(readOptions(["--port=65534"])).toEqual({ once: false, port: 65_534 });
    expect(readOptions(["--help"])).toBe("help");
  });

  it.each(["", "70000", "65535", "-1", "1e3", "http"])("rejects the port %j", (port) => {
    expect(() => readOptions([`--port=${port}`])).toThrow(RangeError);
  });

  it("rejects what it doesn't know", () => {
    expect(() => readOptions(["--twice"])).toThrow("--twice");
    expect(() => readOptions(["stray"])).toThrow("stray");
  });
});
