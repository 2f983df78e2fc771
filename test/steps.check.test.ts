/** How `.ci/run` and `.ci/all` run their steps: in order or side by side, with a time for each, and to the first that fails. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT } from "./support/modules.ts";
import { createTempFolder } from "./support/temp-folder.ts";

const STEPS = `
good() { echo "good here"; }
late() { sleep 1; echo "late here"; }
other() { cd /; echo "other here"; }
bad() { false; echo "not reached"; }
endless() { sleep 600; }
statuses() { echo "statuses \${SEEN_STATUSES_FILE:-none}"; }
check() { :; }
slow_deep() { statuses; }
summary() { echo "times" > "$STEP_TIMES/printed"; echo "$LAST_STEP ends with a summary"; }
`;

function runSteps(steps: string, limit = 60) {
  const folder = createTempFolder();
  const temporary = join(folder, "tmp");
  mkdirSync(join(folder, ".ci"));
  mkdirSync(temporary);
  cpSync(join(PROJECT, ".ci/run-steps.sh"), join(folder, ".ci/run-steps.sh"));
  writeFileSync(join(folder, ".ci/steps.sh"), STEPS);
  const script = `set -euo pipefail; . .ci/run-steps.sh; run_steps ${limit} ${steps}`;
  const { SEEN_STATUSES_FILE: _, LAST_STEP: __, ...env } = process.env;
  const { status, stdout } = spawnSync("bash", ["-c", script], {
    cwd: folder,
    env: { ...env, TMPDIR: temporary },
    encoding: "utf8",
  });
  expect(readdirSync(temporary)).toEqual([]);
  // The table has a column of times.
  const lines = stdout
    .replaceAll(/ +\d+ s\b/g, " N s")
    .trim()
    .split(/\n+/);
  return { status, lines };
}

describe("the steps", () => {
  it("run in order, each with its time, and all in a table at the end", () => {
    expect(runSteps("other good")).toEqual({
      status: 0,
      lines: [
        "== other, N s after the start",
        "other here",
        "== other took N s",
        "== good, N s after the start",
        "good here",
        "other N s",
        "good N s",
        "all N s",
      ],
    });
  });

  it("run side by side with a plus, and print one after the other", () => {
    const { status, lines } = runSteps("late+other good");
    expect(status).toBe(0);
    expect(lines.slice(0, 5)).toEqual([
      "== late and other, N s after the start",
      "late here",
      "== late took N s",
      "other here",
      "== other took N s",
    ]);
    expect(lines.at(-1)).toBe("all N s");
  });

  it.each(["good bad other", "good bad+other good"])("end at the first that fails: %s", (steps) => {
    const { status, lines } = runSteps(steps);
    expect(status).toBe(1);
    expect(lines).toContain("== bad failed with 1 after N s (124: the limit of N s for all)");
    expect(lines.at(-1)).toBe("all N s");
    expect(lines).not.toContain("not reached");
    expect(lines.filter((line) => line === "good here")).toHaveLength(1);
  });

  it("end at the limit for all", () => {
    const { status, lines } = runSteps("endless good", 1);
    expect(status).toBe(124);
    expect(lines).not.toContain("good here");
  });

  it("don't begin if one isn't known", () => {
    expect(runSteps("good none")).toMatchObject({ status: 64, lines: [""] });
  });

  it("print nothing after a last step that printed the times itself, above its summary", () => {
    expect(runSteps("good summary").lines.at(-1)).toBe("summary ends with a summary");
  });

  it("share a file of seen statuses if all run that see them", () => {
    const seen = (steps: string) => runSteps(steps).lines.find((line) => line.startsWith("statuses "));
    expect(seen("check slow_deep")).toMatch(/^statuses \/.+/);
    expect(seen("good+check late+slow_deep")).toMatch(/^statuses \/.+/);
    expect(seen("check statuses")).toBe("statuses none");
    expect(seen("slow_deep")).toBe("statuses none");
  });
});

describe("the workflows", () => {
  const read = (path: string) => readFileSync(join(PROJECT, path), "utf8");
  const namesOf = (text: string) => text.split(/[\s+"]+/).filter((name) => name !== "");
  const stepsOf = (script: string) =>
    namesOf([...read(script).matchAll(/^STEPS="(?:\$STEPS )?(.+)"$/gm)].map(([, steps]) => steps).join(" "));

  it.each([
    [".ci/run", "check.yml"],
    [".ci/all", "nightly.yml"],
  ])("run all steps of %s as jobs side by side", (script, workflow) => {
    const jobs = [...read(`.github/workflows/${workflow}`).matchAll(/steps: "(.+)"/g)].map(
      ([, steps = ""]) => steps,
    );
    expect(jobs.length).toBeGreaterThan(2);
    const steps = stepsOf(script);
    expect(steps.length).toBeGreaterThan(8);
    expect(new Set(jobs.flatMap(namesOf))).toEqual(new Set(steps));
    // What deep tests require depends on what the others have seen.
    expect(jobs.filter((job) => /\bslow_deep\b/.test(job)).join()).toMatch(/check .*slow_deep$/);
    for (const job of jobs) expect(job).toMatch(/^install\b/);
  });

  it("run what every change runs each night, too", () => {
    expect(stepsOf(".ci/run").filter((step) => !stepsOf(".ci/all").includes(step))).toEqual([
      "instances",
      "differential",
    ]);
  });
});
