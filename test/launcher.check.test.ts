/** scripts/node.mjs, through which every npm script starts: with the locked Node, with the caller's, and with none. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { PROJECT } from "./support/modules.ts";
import { createTempFolder } from "./support/temp-folder.ts";

const LAUNCHER = "scripts/node.mjs";
const PROGRAM = "scripts/bookdist.mjs";
const manifest = z
  .object({
    bin: z.record(z.string(), z.string()),
    engines: z.object({ node: z.string() }),
    optionalDependencies: z.record(z.string(), z.string()),
    scripts: z.record(z.string(), z.string()),
  })
  .parse(JSON.parse(readFileSync(join(PROJECT, "package.json"), "utf8")));
const fitting = Object.keys(manifest.optionalDependencies).find((name) =>
  existsSync(join(PROJECT, "node_modules", name)),
);

const majorOf = (version: string): number => Number(/^v(\d+)/.exec(version)?.[1]);

/** A Node of this machine that is older than the service needs, but can read the launcher. */
const older = (process.env.PATH ?? "")
  .split(delimiter)
  .map((folder) => join(folder, "node"))
  .find((program) => {
    const major = majorOf(spawnSync(program, ["--version"], { encoding: "utf8" }).stdout ?? "");
    return major >= 18 && major < majorOf(`v${manifest.engines.node.replace(">=", "")}`);
  });

/** The program of a project with the launcher, as npm links it; `src/cli.ts` is `script`. */
function newProgram(script: string, options: Parameters<typeof newProject>[1]): string {
  const folder = newProject("", options);
  cpSync(join(PROJECT, PROGRAM), join(folder, PROGRAM));
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src/cli.ts"), script);
  const link = join(folder, "node_modules/.bin/bookdist");
  mkdirSync(dirname(link));
  symlinkSync(join(folder, PROGRAM), link);
  return link;
}

/** A project with the launcher, one script, and the package of Node that `install` puts there. */
function newProject(script: string, { install = linkPackage, least = manifest.engines.node } = {}): string {
  const folder = createTempFolder();
  cpSync(join(PROJECT, LAUNCHER), join(folder, LAUNCHER));
  const { optionalDependencies } = manifest;
  const content = { type: "module", engines: { node: least }, optionalDependencies };
  writeFileSync(join(folder, "package.json"), JSON.stringify(content));
  writeFileSync(join(folder, "script.ts"), script);
  mkdirSync(join(folder, "node_modules"));
  install(folder);
  return folder;
}

function linkPackage(folder: string): void {
  if (fitting === undefined) throw new Error("npm ci has installed no Node for this platform");
  symlinkSync(join(PROJECT, "node_modules", fitting), join(folder, "node_modules", fitting));
}

/** A package whose Node is a shell script. */
const fakePackage = (program: string) => (folder: string) => {
  const place = join(folder, "node_modules", fitting ?? "");
  mkdirSync(place);
  writeFileSync(join(place, "package.json"), JSON.stringify({ bin: { node: "node" } }));
  writeFileSync(join(place, "node"), `#!/bin/sh\n${program}\n`);
  chmodSync(join(place, "node"), 0o755);
};

const start = (program: string, cwd: string, args: string[] = []) =>
  spawn(program, [LAUNCHER, "script.ts", ...args], { cwd, stdio: "pipe" });

async function run(
  program: string,
  cwd: string,
  { args = [], input = "" }: { args?: string[]; input?: string } = {},
) {
  const child = start(program, cwd, args);
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { stdout, stderr, code };
}

/** An engine that no Node has yet, so that this one counts as too old. */
const FUTURE = { least: ">=999" };

// What doesn't depend on the caller's version is tried with the Node of the tests too.
const callers: [string, string | undefined, { least?: string }][] = [
  ["an older Node", older, {}],
  ["a Node that counts as older", process.execPath, FUTURE],
];
describe.each(callers)("the launcher, started by %s", (_, caller, engines) => {
  const on = it.skipIf(caller === undefined || process.platform === "win32");
  const program = caller ?? "";

  on("runs the script on the locked Node, with its arguments, standard input and exit code", async () => {
    const folder = newProject(
      `import { text } from "node:stream/consumers";
       import { spawnSync } from "node:child_process";
       const named: string = spawnSync("node", ["--version"], { encoding: "utf8" }).stdout.trim();
       const input = (await text(process.stdin)).toUpperCase();
       console.log(JSON.stringify({ own: process.version, named, args: process.argv.slice(2), input }));
       process.exitCode = 42;`,
      engines,
    );
    const args = ["--flag", "a b", "", "*", "'"];
    const { stdout, stderr, code } = await run(program, folder, { args, input: "read me" });
    expect(stderr).toBe("");
    const locked = `v${manifest.optionalDependencies[fitting ?? ""]}`;
    expect(JSON.parse(stdout)).toEqual({ own: locked, named: locked, args, input: "READ ME" });
    expect(code).toBe(42);
  });

  on.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "passes %s on, and ends as the script does",
    async (signal) => {
      const folder = newProject(
        `process.on("${signal}", () => { console.log("stopping"); process.exitCode = 7; clearInterval(work); });
         const work = setInterval(() => {}, 1000);
         console.log("ready");`,
        engines,
      );
      const child = start(program, folder);
      await once(child.stdout, "data");
      const rest = text(child.stdout);
      child.kill(signal);
      expect(await once(child, "close")).toEqual([7, null]);
      expect(await rest).toBe("stopping\n");
    },
  );

  on("dies of the signal of which the script died", async () => {
    const folder = newProject(`console.log("ready"); setInterval(() => {}, 1000);`, engines);
    const child = start(program, folder);
    await once(child.stdout, "data");
    child.kill("SIGTERM");
    expect(await once(child, "close")).toEqual([null, "SIGTERM"]);
  });

  const REASONS: [string, { install?: (folder: string) => void }, RegExp][] = [
    [
      "the package isn't installed",
      { install: () => {} },
      /npm ci installs one, as the package node-\S+, which/,
    ],
    [
      "its library is missing",
      {
        install: fakePackage(
          'echo "node: error while loading shared libraries: libatomic.so.1: cannot open" >&2; exit 127',
        ),
      },
      /needs the library libatomic\.so\.1 \(Debian: apt install libatomic1\)\.$/m,
    ],
    [
      "it can't start",
      { install: fakePackage("echo killed by policy >&2; exit 1") },
      /doesn't start: killed by/,
    ],
  ];
  on.each(REASONS)("says in one line what is missing when %s", async (_case, options, reason) => {
    const folder = newProject("console.log(1)", { ...engines, ...options });
    const { stdout, stderr, code } = await run(program, folder);
    expect(stderr).toMatch(/^This needs Node \d+ or later, and this is Node \d+\.\d+\.\d+\. .*\n$/);
    expect(stderr).toMatch(reason);
    expect({ stdout, code }).toEqual({ stdout: "", code: 78 });
  });
});

describe("the program bookdist", () => {
  const script =
    "console.log(JSON.stringify([process.version, ...process.argv.slice(2)])); process.exitCode = 9;";

  it("is the bin of the package, and executable", () => {
    expect(manifest.bin).toEqual({ bookdist: PROGRAM });
    accessSync(join(PROJECT, PROGRAM), constants.X_OK);
  });

  it.each(callers)("runs the commands from another folder, started by %s", async (_, caller, engines) => {
    if (caller === undefined) return;
    const child = spawn(caller, [newProgram(script, engines), "backup", "--out", "a b"], {
      cwd: createTempFolder(),
    });
    const [printed, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
    const locked = `v${manifest.optionalDependencies[fitting ?? ""]}`;
    expect(JSON.parse(printed)).toEqual([locked, "backup", "--out", "a b"]);
    expect(code).toBe(9);
  });
});

describe("the launcher", () => {
  it("runs the script in its own process if the caller's Node is new enough", async () => {
    const folder = newProject("console.log(process.pid, process.version, ...process.argv.slice(1));", {
      install: () => {},
    });
    const child = start(process.execPath, folder, ["a", "--b"]);
    const [pid, version, script, ...args] = (await text(child.stdout)).trim().split(" ");
    expect([pid, version, args]).toEqual([String(child.pid), process.version, ["a", "--b"]]);
    expect(script).toBe(join(folder, "script.ts"));
  });

  it("is short, and every npm script but that of all checks starts with it", () => {
    expect(readFileSync(join(PROJECT, LAUNCHER), "utf8").split("\n").length).toBeLessThanOrEqual(80);
    // The steps of `.ci` begin with `npm ci`, before which there is no Node to launch.
    const { "check:all": checkAll, ...scripts } = manifest.scripts;
    expect(checkAll).toBe(".ci/all");
    const commands = Object.values(scripts).flatMap((script) => script.split(" && "));
    for (const command of commands) {
      expect(command).toMatch(/^node scripts\/node\.mjs \S+/);
      expect(existsSync(join(PROJECT, command.split(" ")[2] ?? "")), command).toBe(true);
    }
  });
});
