/** Commands that read all data run at a low priority, except those that repair: somebody waits for these. */
import { expect, it } from "vitest";
import { COMMANDS, runsAtLowPriority } from "../src/cli/commands.ts";

const isLow = (name: string, options: Record<string, unknown> = {}) => {
  const spec = COMMANDS.find((each) => each.name === name);
  if (!spec) throw new Error(`There is no command ${name}`);
  return runsAtLowPriority(spec, options);
};

it.each(["doctor", "check-data", "sweep", "backup"])("%s runs at a low priority", (name) => {
  expect(isLow(name, { deep: true, json: true })).toBe(true);
});

it.each(["repairIndexes", "renewTexts", "trustClock"])("doctor doesn't with %s", (option) => {
  expect(isLow("doctor", { [option]: true })).toBe(false);
});

it("serve and restore never do", () => {
  expect(isLow("serve")).toBe(false);
  expect(isLow("restore")).toBe(false);
});
