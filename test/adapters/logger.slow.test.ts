import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTempFolder } from "../support/temp-folder.ts";

/** A script that runs `body` with a `log`. */
function scriptOf(body: string, { level = "info", pretty = false } = {}): string {
  const script = join(createTempFolder(), "script.mjs");
  const module = new URL("../../src/adapters/logger.ts", import.meta.url).href;
  const log = `createLogger(${JSON.stringify(level)}, { pretty: ${pretty} })`;
  writeFileSync(
    script,
    `import { createLogger } from ${JSON.stringify(module)};\nconst log = ${log};\n${body}`,
  );
  return script;
}

/** What a process writes to standard output when it runs `body` with a `log`. */
const written = (body: string, options?: { level?: string; pretty?: boolean }): string =>
  execFileSync(process.execPath, [scriptOf(body, options)], { encoding: "utf8" });

const linesOf = (body: string, options?: { level: string }): Record<string, unknown>[] =>
  written(body, options)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("the log", () => {
  it("has one line of JSON for each event, with level and time, without host name and process id", () => {
    const [line, ...others] = linesOf(
      `log.info({ route: "/api/books", n: 1 }, "hello"); log.debug("not shown");`,
    );
    expect(others).toEqual([]);
    expect(line).toEqual({
      level: "info",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      route: "/api/books",
      n: 1,
      msg: "hello",
    });
  });

  it("can't be split by injected line breaks", () => {
    const lines = linesOf(
      String.raw`log.info({ name: "a\r\n{\"level\":\"fatal\"}\u2028\u0000" }, "b\nc"); log.warn("next");`,
    );
    expect(lines).toEqual([
      expect.objectContaining({ level: "info", name: 'a\r\n{"level":"fatal"}\u2028\u0000', msg: "b\nc" }),
      expect.objectContaining({ level: "warn", msg: "next" }),
    ]);
  });

  it("contains no secrets, regardless of their position in the object", () => {
    const output = written(`
      const secrets = { token: "S3CR3T", Cookie: "S3CR3T", "set-cookie": ["S3CR3T"], authorization: "S3CR3T" };
      const typed = { password: "S3CR3T", currentPassword: "S3CR3T", newPassword: "S3CR3T", key: "S3CR3T" };
      log.info({ ...secrets, ...typed, secret: "S3CR3T", kept: 1 }, "at the top");
      log.info({ a: { ...secrets, b: { c: [{ ...typed, kept: 2 }] } } }, "deeper");
      log.info({ headers: { "x-any": "S3CR3T" }, body: "S3CR3T", query: { q: "S3CR3T" }, params: { token: "S3CR3T" } }, "whole");
      const error = Object.assign(new Error("outer"), { config: { headers: "S3CR3T" }, code: "E_OUTER" });
      error.cause = Object.assign(new Error("inner"), { request: "S3CR3T" });
      log.error({ err: error }, "as err");
      log.error({ reason: error }, "by another name");
      log.error(error);
      let deep = { token: "S3CR3T" };
      for (let depth = 0; depth < 50; depth++) deep = { deep, token: "S3CR3T" };
      log.info(deep, "very deep");
      const loop = { token: "S3CR3T" };
      loop.loop = loop;
      log.info({ loop, kept: 3 }, "without end");`);
    expect(output).not.toContain("S3CR3T");
    expect(output.match(/\[redacted\]/g)?.length).toBeGreaterThan(20);
    expect(output).toContain('"kept":1');
    expect(output).toContain('"kept":2');
    expect(output).toContain('"kept":3');
    const errors = output.split("\n").filter((line) => line.includes("E_OUTER"));
    expect(errors).toHaveLength(3);
    for (const line of errors) {
      expect(line).toMatch(/"type":"Error","message":"outer","code":"E_OUTER","stack":"Error: outer/);
      expect(line).toMatch(/"cause":{"type":"Error","message":"inner"/);
    }
  });

  it("describes thrown values that aren't errors, and causes of errors", () => {
    const lines = linesOf(`
      log.error({ err: "a text" }, "1");
      log.error({ err: undefined, other: null }, "2");
      log.error({ err: new Error("x", { cause: "a text" }), at: new Date(0) }, "3");`);
    expect(lines).toMatchObject([
      { err: "a text" },
      { other: null },
      { err: { message: "x", cause: { type: "string", message: "a text" } }, at: "1970-01-01T00:00:00.000Z" },
    ]);
  });

  it("contains what its level permits", () => {
    const body = `for (const level of ["trace", "debug", "info", "warn", "error"]) log[level](level);`;
    expect(linesOf(body, { level: "warn" }).map(({ level }) => level)).toEqual(["warn", "error"]);
    expect(linesOf(body, { level: "trace" })).toHaveLength(5);
    expect(written(body, { level: "silent" })).toBe("");
  });

  it("writes all lines of one event-loop turn at once, and not later", () => {
    const body = `
      const { default: fs } = await import("node:fs");
      const { writeSync } = fs;
      const writes = [];
      fs.writeSync = (fd, text, ...more) => {
        writes.push(text.split("\\n").length - 1);
        return writeSync(fd, text, ...more);
      };
      for (const n of [1, 2, 3]) log.info({ n }, "said");
      await null;
      log.info({ n: 4 }, "said");
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      log.info({ writes }, "counted");`;
    const lines = linesOf(body);
    expect(lines.map(({ n }) => n)).toEqual([1, 2, 3, 4, undefined]);
    expect(lines.at(-1)).toMatchObject({ writes: [4] });
  });

  it("is complete when the process exits or crashes in the same turn, and buffers a bounded part", () => {
    const many = "for (let n = 0; n < 2000; n++) log.info({ n }, 'x'.repeat(100));";
    expect(linesOf(`${many} process.exit(0);`)).toHaveLength(2000);
    const broken = `process.on("uncaughtException", () => process.exit(0)); log.info("last"); throw new Error("x");`;
    expect(linesOf(broken)).toEqual([expect.objectContaining({ msg: "last" })]);
    const held = `${many} process.getBuiltinModule("node:fs").writeSync(1, "here\\n");`;
    expect(written(held).split("\n").indexOf("here")).toBeGreaterThan(1000);
  });

  it.skipIf(!existsSync("/dev/full"))("on a full disk ends nothing, and buffers a bounded part", () => {
    const script = scriptOf(`
      for (let n = 0; n < 300; n++) {
        log.info({ n }, "x".repeat(1_000_000));
        await new Promise(setImmediate);
      }
      process.stderr.write("still here");`);
    const full = openSync("/dev/full", "w");
    onTestFinished(() => closeSync(full));
    const args = ["--max-old-space-size=128", script];
    const { status, stderr } = spawnSync(process.execPath, args, { stdio: ["ignore", full, "pipe"] });
    expect([status, stderr.toString()]).toEqual([0, "still here"]);
  });

  it("is readable on a terminal, to the last line", () => {
    const output = written(`log.info({ status: 200 }, "request"); log.warn("stopped");`, { pretty: true });
    expect(output).toMatch(
      /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: request \{"status":200\}\n\[.{12}\] WARN: stopped\n$/,
    );
  });
});
