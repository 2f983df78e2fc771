/** The check of commit messages: what it rejects, and where it finds the history. */
import { execFileSync, spawnSync } from "node:child_process";
import { devNull } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { findMessageErrors } from "../scripts/commit-messages.ts";
import { PROJECT } from "./support/modules.ts";
import { createTempFolder } from "./support/temp-folder.ts";

const BODY = "\n\nReaders on slow lines waited for it.\n";

describe("the check of commit messages", () => {
  it.each([
    "Cut the port behind addresses of clients",
    "Read a language, its books and their covers in one statement",
    "Reject ISBN-10, ISBN-13, and EAN without a check digit",
    "Escape ; and . in names of files",
    "Send v1.2 of the document",
    '".." in a name of a file is rejected',
    `Read ${"a".repeat(67)}`,
    `Read ${"ጽ".repeat(67)}`,
    `Read ${"𐓏".repeat(67)}`,
  ])("admits %j", (subject) => {
    expect(findMessageErrors(subject + BODY)).toEqual([]);
  });

  it.each([
    [`Read ${"a".repeat(68)}`, "the subject has 73 characters, more than 72"],
    ["cut the port behind addresses", "the subject begins with a small letter"],
    ["écrire les adresses", "the subject begins with a small letter"],
    ["Cut the port behind addresses.", "the subject ends with punctuation"],
    ["Cut the port:", "the subject ends with punctuation"],
    ["Cut the port; keep the zone", "the subject states two effects: make it two commits"],
    ["Cut the port. Keep the zone", "the subject states two effects: make it two commits"],
  ])("rejects the subject %j", (subject, error) => {
    expect(findMessageErrors(subject + BODY)).toEqual([error]);
  });

  it("requires a blank line, and lines that a terminal shows", () => {
    const subject = "Cut the port behind addresses";
    expect(findMessageErrors(`${subject}\n`)).toEqual([]);
    expect(findMessageErrors(`${subject}\nand more\n\nReason.`)).toEqual([
      "the line below the subject isn't blank",
    ]);
    const long = "The proxies of others write it. ".repeat(4);
    expect(findMessageErrors(`${subject}\n\n${long}`)).toEqual([
      "a line of the body has more than 120 characters",
    ]);
    expect(findMessageErrors(`${subject}\n\nSee https://example.org/${"a".repeat(200)}`)).toEqual([]);
    expect(findMessageErrors(`${subject}\n\nIt logged:\n\n    ${long}`)).toEqual([]);
  });

  it("rejects of a merge only a long subject, unless GitHub made it for a trial", () => {
    expect(findMessageErrors("merge branch 'a', and b\n", true)).toEqual([]);
    expect(findMessageErrors(`Merge ${"a".repeat(70)}\n`, true)).toHaveLength(1);
    expect(findMessageErrors(`Merge ${"a".repeat(40)} into ${"b".repeat(40)}\n`, true)).toEqual([]);
  });
});

describe("the history", () => {
  /** Without the settings of who runs the tests, and of a hook of git that runs them. */
  const ownSettings = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  const env = { ...Object.fromEntries(ownSettings), GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: "1" };

  /** A repository with a commit before the rule and the messages after it. */
  function scene(...messages: string[]) {
    const folder = createTempFolder();
    const git = (...values: string[]) =>
      execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.org", ...values], {
        cwd: folder,
        env,
        encoding: "utf8",
      }).trim();
    git("init", "--quiet");
    const commit = (message: string) => git("commit", "--quiet", "--allow-empty", "--message", message);
    commit("an older commit, and two effects.");
    const base = git("rev-parse", "HEAD");
    for (const message of messages) commit(message);
    const check = (cwd = folder) => {
      // As npm runs it: on a new Node, the launcher imports it.
      const program = ["scripts/node.mjs", "scripts/commits.ts"].map((path) => join(PROJECT, path));
      const { status, stdout, stderr } = spawnSync(process.execPath, [...program, "--base", base], {
        cwd,
        env,
        encoding: "utf8",
      });
      return { status, stdout, stderr };
    };
    return { folder, git, check };
  }

  it("is checked from the base on, with all errors of all commits", () => {
    const good = scene(`Cut the port${BODY}`, `Keep the zone${BODY}`);
    expect(good.check()).toEqual({
      status: 0,
      stdout: "2 commit messages are as CONTRIBUTING.md says\n",
      stderr: "",
    });
    const bad = scene(`Cut the port${BODY}`, "keep the zone.", "Read. Write");
    const { status, stderr } = bad.check();
    expect(status).toBe(1);
    expect(stderr.match(/^ {9}.+/gm)?.map((line) => line.trim())).toEqual([
      "the subject states two effects: make it two commits",
      "the subject begins with a small letter",
      "the subject ends with punctuation",
    ]);
  });

  it("is checked on branches that were merged, too", () => {
    const { git, check } = scene(`Cut the port${BODY}`);
    git("switch", "--quiet", "--create", "branch", "HEAD^");
    git("commit", "--quiet", "--allow-empty", "--message", "keep the zone");
    git("switch", "--quiet", "-");
    git("merge", "--quiet", "--no-ff", "--message", "Merge branch", "branch");
    expect(check().stderr).toContain(" keep the zone\n");
  });

  it("isn't checked in a shallow clone or outside a repository, which is said", () => {
    const { folder, git, check } = scene("keep the zone.");
    const clone = join(createTempFolder(), "clone");
    git("clone", "--quiet", "--depth", "1", pathToFileURL(folder).href, clone);
    const said = { status: 0, stdout: expect.stringContaining("aren't checked"), stderr: "" };
    expect(check(clone)).toEqual(said);
    expect(check(createTempFolder())).toEqual(said);
  });
});
