/** The documents say what is true: links, paths, threats, decisions and commands. */
import { readdirSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { COMMANDS } from "../src/cli/commands.ts";
import { BLOCKS } from "./support/documented-commands.ts";
import { DOCUMENTS, findCommandBlocks, listFilesBelow, read } from "./support/documents.ts";
import { PROJECT } from "./support/modules.ts";
import { RIDDLES } from "./support/words.ts";

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read("package.json")));
const files = new Set([...listFilesBelow("."), ...readdirSync(PROJECT)]);

/** The names that GitHub gives to the headings of a document. */
const anchorsOf = (document: string): string[] =>
  [...read(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-"),
  );

describe("the documents", () => {
  it.each(DOCUMENTS)("refer only to existing scripts and files: %s", (document) => {
    const text = read(document);
    const named = [...text.matchAll(/npm run ([\w-]+)/g)].map(([, script = ""]) => script);
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link = ""]) =>
      normalize(join(dirname(document), link)),
    );
    expect(links.filter((link) => !files.has(link.replace(/\/$/, "")))).toEqual([]);
  });

  it.each(DOCUMENTS)("link only to existing headings: %s", (document) => {
    const links = [...read(document).matchAll(/\]\(([\w./-]*)#([^)\s]+)\)/g)];
    const missing = links.filter(([, path = "", anchor = ""]) => {
      const target = path === "" ? document : normalize(join(dirname(document), path));
      return target.endsWith(".md") && !anchorsOf(target).includes(anchor);
    });
    expect(missing.map(([link]) => link)).toEqual([]);
  });

  it.each(DOCUMENTS.filter((document) => document !== "CONTRIBUTING.md"))(
    "have no riddles: %s",
    (document) => {
      expect(read(document)).not.toMatch(RIDDLES);
    },
  );

  it("on the architecture refer only to existing paths, and to all folders of the source", () => {
    const text = read("docs/architecture.md");
    const paths = [...text.matchAll(/\b(?:src|test|tools|scripts|migrations)\/[\w./-]*\w/g)].map(
      ([path]) => path,
    );
    expect(paths.length).toBeGreaterThan(30);
    expect(paths.filter((path) => !files.has(path))).toEqual([]);
    const folders = readdirSync(join(PROJECT, "src"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `src/${name}`);
    expect(folders.filter((folder) => !text.includes(`\`${folder}/\``))).toEqual([]);
  });

  it("show the configuration of nginx's cache as it is in the examples", () => {
    expect(read("docs/scaling.md")).toContain(`\n\`\`\`nginx\n${read("examples/nginx/cache.conf")}\`\`\`\n`);
  });

  it("name the read timeout that the examples of proxies have", () => {
    const [, seconds = ""] = /a read timeout of (\d+) seconds/.exec(read("docs/operation.md")) ?? [];
    for (const file of ["examples/nginx/bookdist.conf", "examples/nginx/cache.conf"])
      expect(read(file), file).toContain(`proxy_read_timeout ${seconds}s;`);
    for (const file of ["examples/compose/haproxy.cfg", "docs/scaling.md", "tools/cluster/haproxy.ts"])
      expect(read(file), file).toContain(`timeout server ${seconds}s\n`);
  });

  it("in docs are all in its table of contents, and all decisions in theirs", () => {
    const entries = (folder: string) =>
      readdirSync(join(PROJECT, folder)).filter((name) => name.endsWith(".md") && name !== "README.md");
    for (const folder of ["docs", "docs/decisions"]) {
      const contents = read(`${folder}/README.md`);
      expect(entries(folder).filter((name) => !contents.includes(`](${name})`))).toEqual([]);
    }
  });

  it("list each threat once, with test files that exist", () => {
    const rows = [...read("SECURITY.md").matchAll(/^\| T(\d+) \|.*\| (\S+) \|$/gm)];
    const numbers = rows.map(([, number]) => Number(number)).sort((a, b) => a - b);
    expect(numbers.slice(0, 61)).toEqual(Array.from({ length: 61 }, (_, index) => index + 1));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(rows.map(([, , file = ""]) => file).filter((file) => !files.has(file))).toEqual([]);
  });

  it("number each decision once, short and with its number in its title", () => {
    const decisions = readdirSync(join(PROJECT, "docs/decisions")).filter((name) => name !== "README.md");
    const numbers = decisions.map((name) => /^\d{4}(?=-)/.exec(name)?.[0]);
    expect(numbers).not.toContain(undefined);
    expect(new Set(numbers).size).toBe(decisions.length);
    for (const name of decisions.filter((each) => each !== "0009-dependencies.md")) {
      const lines = read(`docs/decisions/${name}`).trimEnd().split("\n");
      expect(lines[0], name).toMatch(new RegExp(`^# ${name.slice(0, 4)} [A-Z]`));
      expect(lines.length, name).toBeLessThanOrEqual(25);
    }
  });
});

/** `npx bookdist <command>` and the npm scripts of commands, with the rest of the line. */
const CALL =
  /(?:npx bookdist|\bbookdist\.mjs|exec books bookdist|\bsrc\/cli\.ts|npm run) +([a-z][a-z-]*)(?: --silent)?(?: --(?= ))?([^\n`#|]*)/g;

describe("the commands in the documents", () => {
  it.each(DOCUMENTS)("of %s exist, with their options", (document) => {
    const wrong = [...read(document).matchAll(CALL)].filter(([call, name = "", rest = ""]) => {
      const command = COMMANDS.find((each) => each.name === name || each.alias === name);
      if (!command) return !call.startsWith("npm run");
      const known = ["--help", ...(command.options ?? []).map(({ flags }) => flags.split(" ", 1)[0])];
      return [...rest.matchAll(/(?<= )--[a-z][\w-]*/g)].some(([flag]) => !known.includes(flag));
    });
    expect(wrong.map(([call]) => call)).toEqual([]);
  });

  it("are run by a test or a script, or have a reason why not", () => {
    const shown = DOCUMENTS.flatMap((document) =>
      findCommandBlocks(document).map((block) => ({ document, block })),
    );
    const known = ({ document, block }: (typeof shown)[number]) =>
      BLOCKS.filter((each) => each.document === document && block.startsWith(each.begins));
    expect(shown.filter((each) => known(each).length !== 1)).toEqual([]);
    expect(BLOCKS.filter((each) => !shown.some((one) => known(one).includes(each)))).toEqual([]);
    expect(BLOCKS.filter(({ by, because }) => (by === undefined) === (because === undefined))).toEqual([]);
    expect(BLOCKS.filter(({ by }) => by !== undefined && !files.has(by))).toEqual([]);
  });
});
