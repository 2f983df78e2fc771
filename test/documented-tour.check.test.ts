/** The tour of the administrators' guide, and the form of a website's server: the commands as they are shown. */
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { ServerProcess } from "../tools/lib/server-process.ts";
import { findCommandBlocks } from "./support/documents.ts";
import { RemoteAdmin } from "./support/remote-admin.ts";
import { createTempFolder } from "./support/temp-folder.ts";

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
