/** How commands are called: help, and everything that no command knows. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { COMMANDS } from "../src/cli/commands.ts";
import { runCommand } from "../src/cli/run.ts";
import { PROJECT } from "./support/modules.ts";
import { runCli } from "./support/run-cli.ts";
import { ServiceProcess } from "./support/service-process.ts";
import { tempFolder } from "./support/temp-folder.ts";

afterEach(() => void vi.restoreAllMocks());

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
    expect(out).toMatch(/^Usage: npm (start|run [a-z-]+)\b/);
    expect(out).toMatch(/\nExamples:\n {2}npm .+\n {6}\w/);
    expect(out).toContain("-h, --help");
    expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it("lists all commands", async () => {
    for (const args of [["--help"], ["-h"], ["help"]]) {
      const { code, out } = await call(...args);
      expect(code).toBe(0);
      expect(names.filter((name) => !out.includes(`\n  ${name} `))).toEqual([]);
    }
  });

  it("has a script of package.json for each command that it names", () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync(join(PROJECT, "package.json"), "utf8")));
    expect(names.filter((name) => !(name in scripts))).toEqual([]);
  });
});

const refusals: [args: string[], errors: RegExp][] = [
  ...names.map((name): [string[], RegExp] => [
    [name, "--depe"],
    /^Unknown option '--depe'.*\nUsage: npm (start|run )/,
  ]),
  ...["start", "doctor", "check-data", "backup"].map((name): [string[], RegExp] => [
    [name, "more"],
    /^Too many arguments .*\nUsage: npm /,
  ]),
  [["create-admin"], /^Missing required argument 'email'\.\nUsage: npm run create-admin -- <email> \[name\]/],
  [["create-admin", "a", "b", "c"], /^Too many arguments .*\nUsage: npm run create-admin/],
  [["reset-password"], /^Missing required argument 'email'\.\nUsage: npm run reset-password -- <email>/],
  [["restore"], /^Missing required argument 'backup'\.\nUsage: npm run restore -- <backup>/],
  [["restore", "one", "two"], /^Too many arguments .*\nUsage: npm run restore -- <backup>/],
  [["backup", "--keep", "0"], /^Option '--keep <n>' argument '0' is invalid\. It must be a whole number/],
  [["backup", "--keep", "1e3"], /argument '1e3' is invalid\. It must be a whole number/],
  [["backup", "--out"], /^Option '--out <dir>' argument missing\.\nUsage: npm run backup/],
  [["create-administrator"], /^Unknown command 'create-administrator'.*\nUsage: node src\/cli\.ts <command>/],
  [["--depe"], /^Unknown option '--depe'.*\nUsage: node src\/cli\.ts <command>/],
];

describe("what no command knows is rejected with one line and the usage, exit code 64:", () => {
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

describe("as processes", () => {
  it("the server and the commands say the same", async () => {
    const cwd = tempFolder();
    const server = new URL("../src/server.ts", import.meta.url).pathname;
    expect(await runCli({ args: ["backup", "--depe"], cwd })).toMatchObject({ code: 64, out: "" });
    const started = new ServiceProcess({ DATA_DIR: join(cwd, "data") }, { script: [server, "--depe"], cwd });
    expect(await started.ended).toMatchObject({
      code: 64,
      errors: "Unknown option '--depe'.\nUsage: npm start -- [options]; --help explains it.\n",
    });
  });
});
