import { spawnSync } from "node:child_process";
import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { type ClusterOptions, createClusterCommand } from "../../tools/cluster/options.ts";
import { PHASES } from "../../tools/cluster/phases.ts";
import { createSeededCommand, parseWholeNumber } from "../../tools/lib/command-line.ts";

/** @throws Error with what the user would read */
function parse<Options extends object>(command: Command, args: readonly string[]): Options {
  command.exitOverride().configureOutput({ writeErr() {} });
  return command.parse(args, { from: "user" }).opts<Options>();
}

describe("the command lines of tools", () => {
  it("accept whole numbers in a range only", () => {
    const newCommand = () => new Command("tool").option("--times <n>", "times", parseWholeNumber(0, 100), 7);
    expect(parse(newCommand(), [])).toEqual({ times: 7 });
    for (const times of ["0", "100"])
      expect(parse(newCommand(), ["--times", times])).toEqual({ times: Number(times) });
    for (const times of ["", "101", "-1", "1e1", "http"])
      expect(() => parse(newCommand(), [`--times=${times}`])).toThrow("a whole number from 0 to 100");
  });

  it("have a seed, which repeats a run", () => {
    expect(parse(createSeededCommand("tool", ""), ["--seed", "3"])).toEqual({ seed: 3 });
    const { seed } = parse<{ seed: number }>(createSeededCommand("tool", ""), []);
    expect(seed).toBeGreaterThan(0);
    expect(() => parse(createSeededCommand("tool", ""), ["--seed", "2147483647"])).toThrow("a whole number");
  });

  it.each([["--port=70000"], ["--depe"], ["more"]])(
    "reject %s with one line and exit code 64",
    (argument) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, ["tools/demo/demo.ts", argument], {
        encoding: "utf8",
      });
      expect({ status, stdout }).toEqual({ status: 64, stdout: "" });
      expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    },
  );
});

describe("the cluster drill", () => {
  const read = (...args: string[]): ClusterOptions => parse(createClusterCommand(), args);

  it("runs the phases of five minutes by default", () => {
    expect(read()).toMatchObject({ instances: 3, slack: 2, minutes: 10 });
    expect(read().phases).toEqual(["instance-stopped-with-lock", "half-open", "swallowed", "store-stopped"]);
  });

  it("runs named phases, or all", () => {
    expect(read("--phases", "kills,upgrade").phases).toEqual(["kills", "upgrade"]);
    expect(read("--all").phases).toEqual(PHASES.map(({ name }) => name));
  });

  it("rejects an unknown phase", () => {
    expect(() => read("--phases", "half-open,asleep")).toThrow('There is no "asleep"; see --help.');
  });

  it("rejects a slack that isn't a number from 1 to 10", () => {
    expect(() => read("--slack", "0")).toThrow("It must be a whole number from 1 to 10");
  });
});
