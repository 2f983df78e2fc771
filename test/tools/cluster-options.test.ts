import { describe, expect, it } from "vitest";
import { readOptions } from "../../tools/cluster/options.ts";
import { PHASES } from "../../tools/cluster/phases.ts";

const read = (...args: string[]) => {
  const options = readOptions(args, () => 7);
  if (options === "help") throw new Error("options were expected");
  return options;
};

describe("the options of the cluster drill", () => {
  it("choose five minutes of it without any", () => {
    expect(read()).toMatchObject({ instances: 3, slack: 2, seed: 7 });
    expect(read().phases).toEqual(["instance-stopped-with-lock", "half-open", "swallowed", "store-stopped"]);
  });

  it("choose phases by their names, or all", () => {
    expect(read("--phases", "kills,upgrade").phases).toEqual(["kills", "upgrade"]);
    expect(read("--all").phases).toEqual(PHASES.map(({ name }) => name));
  });

  it("reject a phase that isn't there", () => {
    expect(() => read("--phases", "half-open,asleep")).toThrow('--phases: there is no "asleep"; see --help');
  });

  it("reject a slack that isn't a number from 1 to 10", () => {
    expect(() => read("--slack", "0")).toThrow("--slack must be a whole number from 1 to 10");
  });
});
