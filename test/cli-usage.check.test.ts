/** How commands are called: help, and everything that no command knows. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { COMMANDS } from "../src/cli/commands.ts";
import { runCommand } from "../src/cli/run.ts";
import { appVersion } from "../src/version.ts";
import { PROJECT } from "./support/modules.ts";
import { CLI, runCli } from "./support/run-cli.ts";
import { ServiceProcess } from "./support/service-process.ts";
import { createTempFolder } from "./support/temp-folder.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Runs a command line that must end before any command does anything. */
async function call(...args: string[]) {
  const out: string[] = [];
  const errors: string[] = [];
  const into = (lines: string[]) => (text: string | Uint8Array) => lines.push(String(text)) > 0;
  vi.spyOn(process.stdout, "write").mockImplementation(into(out));
  vi.spyOn(process.stderr, "write").mockImplementation(into(errors));
  const code = await runCommand(args);
  return { code, out: out.join(""), errors: errors.join("") };
}

const names = COMMANDS.map(({ name }) => name);

// What runs the tests may have set one of them.
beforeEach(() => {
  for (const variable of ["FORCE_COLOR", "NO_COLOR"]) vi.stubEnv(variable, undefined);
});

describe("help", () => {
  it.each(
    names.flatMap((name) => [
      [name, "--help"],
      [name, "-h"],
      ["help", name],
    ]),
  )("of a command has its options and examples: %s %s", async (...args) => {
    const { code, out, errors } = await call(...args);
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
    expect(out).toMatch(/^Usage: bookdist [a-z|-]+\b/);
    expect(out).toMatch(/\nExamples:\n {2}bookdist .+\n {6}\w/);
    expect(out).toContain("-h, --help");
    expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it("lists all commands and the usage", async () => {
    for (const args of [["--help"], ["-h"], ["help"]]) {
      const { code, out } = await call(...args);
      expect(code).toBe(0);
      expect(names.filter((name) => !new RegExp(`\\n {2}${name}[ |]`).test(out))).toEqual([]);
      expect(out).toContain("npx bookdist <command>");
      expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    }
  });

  it("has a script of package.json for each command", () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync(join(PROJECT, "package.json"), "utf8")));
    const called = (name: string) => `node scripts/node.mjs src/cli.ts ${name}`;
    const own = COMMANDS.filter(({ name }) => name !== "openapi");
    expect(own.map(({ name, alias = name }) => scripts[alias])).toEqual(own.map(({ name }) => called(name)));
  });

  it("is in color on a terminal or with FORCE_COLOR, and not with NO_COLOR", async () => {
    const sequence = "\u001b[";
    expect((await call("backup", "--help")).out).not.toContain(sequence);
    vi.stubEnv("FORCE_COLOR", "1");
    const { out } = await call("backup", "--help");
    expect(out).toContain(`${sequence}1mExamples:`);
    expect(out).toContain(`${sequence}32m--keep <n>`);
    vi.stubEnv("FORCE_COLOR", undefined);
    vi.stubEnv("NO_COLOR", "1");
    expect((await call("backup", "--help")).out).not.toContain(sequence);
  });

  it("ends without an error when its reader has ended, as head does", async () => {
    const script = `'${process.execPath}' '${CLI}' openapi | { read -r line; echo "$line"; }`;
    const { stdout, stderr } = await promisify(execFile)("bash", ["-o", "pipefail", "-c", script]);
    expect({ stdout, stderr }).toEqual({ stdout: "{\n", stderr: "" });
  });

  it("has the version", async () => {
    for (const args of [["--version"], ["-V"]])
      expect(await call(...args)).toEqual({ code: 0, out: `${appVersion}\n`, errors: "" });
  });

  it("knows start as another name of serve", async () => {
    expect((await call("start", "--help")).out).toMatch(/^Usage: bookdist serve\|start \[options\]\n/);
  });
});

const refusals: [args: string[], errors: RegExp][] = [
  ...names.map((name): [string[], RegExp] => [
    [name, "--depe"],
    new RegExp(`^Unknown option '--depe'.*\\nUsage: bookdist ${name}\\b`),
  ]),
  ...["serve", "doctor", "check-data", "backup", "geoip", "openapi"].map((name): [string[], RegExp] => [
    [name, "more"],
    new RegExp(`^Too many arguments .*\\nUsage: bookdist ${name} `),
  ]),
  [["create-admin"], /^Missing required argument 'email'\.\nUsage: bookdist create-admin <email> \[name\]/],
  [["create-admin", "a", "b", "c"], /^Too many arguments .*\nUsage: bookdist create-admin/],
  [["reset-password"], /^Missing required argument 'email'\.\nUsage: bookdist reset-password <email>/],
  [["restore"], /^Missing required argument 'backup'\.\nUsage: bookdist restore <backup>/],
  [["restore", "one", "two"], /^Too many arguments .*\nUsage: bookdist restore <backup>/],
  [["backup", "--keep", "0"], /^Option '--keep <n>' argument '0' is invalid\. It must be a whole number/],
  [["backup", "--keep", "1e3"], /argument '1e3' is invalid\. It must be a whole number from 1 to 999999\.\n/],
  [["backup", "--out"], /^Option '--out <dir>' argument missing\.\nUsage: bookdist backup/],
  [["create-administrator"], /^Unknown command 'create-administrator'.*\nUsage: bookdist <command>/],
  [["--depe"], /^Unknown option '--depe'.*\nUsage: bookdist <command>/],
];

describe("invalid usage is rejected with one line and the usage, exit code 64:", () => {
  it.each(refusals)("%j", async (args, expected) => {
    const { code, out, errors } = await call(...args);
    expect({ code, out }).toEqual({ code: 64, out: "" });
    expect(errors).toMatch(expected);
    expect(errors.trimEnd().split("\n")).toHaveLength(2);
  });

  it("no command at all shows the help", async () => {
    const { code, out, errors } = await call();
    expect({ code, out }).toEqual({ code: 64, out: "" });
    expect(errors).toContain("Commands:");
  });
});

it("as processes, the server and the commands have the same output", async () => {
  const cwd = createTempFolder();
  const server = new URL("../src/server.ts", import.meta.url).pathname;
  expect(await runCli({ args: ["backup", "--depe"], cwd })).toMatchObject({ code: 64, out: "" });
  const started = new ServiceProcess({ DATA_DIR: join(cwd, "data") }, { script: [server, "--depe"], cwd });
  expect(await started.ended).toMatchObject({
    code: 64,
    errors: "Unknown option '--depe'.\nUsage: bookdist serve [options]; --help explains it.\n",
  });
});
