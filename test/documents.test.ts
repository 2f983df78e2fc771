/** The documents say what is true: links, paths, threats, decisions and commands. */
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { COMMANDS } from "../src/cli/commands.ts";
import { ServerProcess } from "../tools/lib/server-process.ts";
import { BLOCKS } from "./support/documented-commands.ts";
import { DOCUMENTS, findCommandBlocks, listFilesBelow, read } from "./support/documents.ts";
import { PROJECT } from "./support/modules.ts";
import { RemoteAdmin } from "./support/remote-admin.ts";
import { createTempFolder } from "./support/temp-folder.ts";

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

const hasCurl = spawnSync("sh", ["-c", "command -v curl"]).status === 0;

describe.runIf(hasCurl)("the administrators' guide", () => {
  /** A server, started with the settings that the guide shows, and a shell for its commands. */
  async function scene() {
    const [start = "", tour = ""] = findCommandBlocks("docs/administration.md");
    const [, email = "", password = ""] = /"email": "(.+?)", "password": "(.+?)"/.exec(tour) ?? [];
    expect(start).toBe(`ADMIN_EMAIL=${email} ADMIN_PASSWORD='${password}' npx bookdist serve\n`);
    const folder = createTempFolder();
    const cwd = join(folder, "reader");
    mkdirSync(cwd);
    const server = new ServerProcess({
      DATA_DIR: join(folder, "data"),
      ADMIN_EMAIL: email,
      ADMIN_PASSWORD: password,
    });
    onTestFinished(async () => void (await server.stop()));
    const { base } = await server.waitUntilReady();
    const run = (script: string, options = "-c", env: Record<string, string> = {}) =>
      promisify(execFile)("sh", [options, script], { cwd, env: { ...process.env, ...env } });
    return { base, cwd, run, tour: tour.replace("http://localhost:3000", base) };
  }
  /** `jq` indents, where it is installed. */
  const compact = (json: string) => json.replaceAll(/\s+/g, "");
  const STRICT = `curl() { command curl -sS --fail "$@"; }\n`;

  it("shows a tour that works unchanged, and so does the form of a website's server", async () => {
    const { base, cwd, run, tour } = await scene();
    const { stdout, stderr } = await run(STRICT + tour, "-euc");
    expect(stderr).toBe("");
    const file = (name: string): Buffer => readFileSync(join(cwd, name));
    const made = [
      "contacts.csv",
      "cover.png",
      "download.txt",
      "es.zip",
      "jar.txt",
      "picture.png",
      "pozo.txt",
    ];
    expect(readdirSync(cwd).sort()).toEqual(made);
    expect(file("download.txt")).toEqual(file("pozo.txt"));
    expect(file("es.zip").includes("01 - El pozo profundo [es].txt")).toBe(true);
    const shown = compact(stdout);
    expect(shown.match(/"redeemedAt":"/g)).toHaveLength(2);
    expect(shown).toContain('"totalDownloads":2,"totalBooks":2,"uniqueContacts":1');
    expect(
      shown.match(/"title":"Elpozoprofundo","description":"","languageCode":"es","coverUrl"/g),
    ).toHaveLength(2);
    expect(shown).toContain('"contentType":"image/png","width":256,"height":256');
    expect(file("contacts.csv").toString()).toContain("sara@example.net");
    expect(shown).toContain('"summary":{"total":2,"created":2,"updated":0,"failed":0}');
    expect(file("cover.png").subarray(1, 4).toString()).toBe("PNG");
    const [editor] = tour.match(/\{"email": "ben@example.org".+\}/) ?? [];
    const { email, password } = JSON.parse(editor ?? "{}");
    await RemoteAdmin.login(base, { ADMIN_EMAIL: email, ADMIN_PASSWORD: password });
    // Pasted again, it makes no second book, and only the language and the editor are rejected.
    const again = await run(tour);
    expect(again.stderr).toBe("");
    expect(compact(again.stdout)).toContain('"summary":{"total":2,"created":0,"updated":2,"failed":0}');
    expect(compact(again.stdout).match(/"code":"\w+_\w+"/g)).toEqual([
      '"code":"language_code_taken"',
      '"code":"email_taken"',
    ]);
    expect(file("es.zip").includes("02 - ")).toBe(false);

    const [form = ""] = findCommandBlocks("docs/analytics.md");
    const key = `curl -b jar.txt "$BASE/api/admin/api-keys" --json '{"name": "site", "scopes": ["submit_downloads"]}'`;
    const created = await run(STRICT + key, "-euc", { BASE: base });
    const { key: KEY } = z.object({ key: z.string() }).parse(JSON.parse(created.stdout));
    const submitted = await run(STRICT + form.replace('"epub"', '"txt"'), "-euc", { BASE: base, KEY });
    expect(submitted.stdout).toContain('"downloadUrl":"/api/download/');
  });
});
