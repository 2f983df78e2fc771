/** The commands of docs/import.md as processes: exit codes, output, interruption, and a server beside them. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { createTitledEpub, writeFiles } from "./support/book-files.ts";
import { findCommandBlocks } from "./support/documents.ts";
import { CLI, runCli } from "./support/run-cli.ts";
import { ServiceProcess } from "./support/service-process.ts";
import { createTempFolder } from "./support/temp-folder.ts";

const [direct = "", remote = ""] = findCommandBlocks("docs/import.md");
const ADMIN = { ADMIN_EMAIL: "anna@example.org", ADMIN_PASSWORD: "a long enough pass phrase" };

async function home(): Promise<string> {
  const folder = createTempFolder();
  writeFiles(join(folder, "books"), {
    "es/well.epub": await createTitledEpub("El pozo", "es"),
    "ar/well.epub": await createTitledEpub("البئر", "ar"),
    "hill.en.txt": "A hill.",
  });
  return folder;
}

/** Runs a block of commands in a shell, in which `npx` starts the commands of this project. */
function shell(script: string, folder: string, variables: Record<string, string>) {
  const prelude = `set -eu\nnpx() { shift; '${process.execPath}' '${CLI}' "$@"; }\n`;
  const env = { PATH: process.env.PATH, HOME: folder, ...variables };
  return promisify(execFile)("sh", ["-c", prelude + script], { cwd: folder, env });
}

it("imports and exports directly, before the first start of the server", async () => {
  const folder = await home();
  const DATA_DIR = join(folder, "data");
  const { stdout, stderr } = await shell(direct, folder, { DATA_DIR });
  expect(stdout).toContain("create     well  ar es  2 new files  البئر *\n");
  expect(stdout).toContain("\n3 new languages, 2 new books, 3 new files.\n");
  expect(stdout).toContain("Exported 2 books, 3 files and 0 covers");
  // Without a terminal, there is no progress.
  const readers =
    "Readers: 2 books become public in 3 languages; --archived makes new books that readers don't get.\n";
  // The dry run has it in its table; the import says it before it writes.
  expect(stderr).toBe(`${`Importing into ${DATA_DIR}.\n`.repeat(2)}${readers}`);
  const exported = join(folder, "books-copy");
  expect(readFileSync(join(exported, "es/well.epub"))).toEqual(
    readFileSync(join(folder, "books/es/well.epub")),
  );
  const again = await runCli({ args: ["export", exported], variables: { DATA_DIR } });
  expect(again).toMatchObject({ code: 78, errors: expect.stringMatching(/isn't empty/) });
  const nothing = await runCli({ args: ["export", "x"], variables: { DATA_DIR: join(folder, "none") } });
  expect(nothing.code).not.toBe(0);
});

it("creates nothing in a dry run, and changes nothing that exists", async () => {
  const folder = await home();
  const DATA_DIR = join(folder, "data/below");
  const args = ["import", join(folder, "books")];
  const dryRun = () => runCli({ args: [...args, "--dry-run"], variables: { DATA_DIR } });
  const first = await dryRun();
  expect(first).toMatchObject({ code: 0, errors: `Importing into ${DATA_DIR}.\n` });
  expect(first.out).toMatch(/^create {5}well {2}ar es {2}2 new files/m);
  expect(existsSync(join(folder, "data"))).toBe(false);
  await runCli({ args, variables: { DATA_DIR } });
  const names = () => readdirSync(DATA_DIR, { recursive: true, encoding: "utf8" }).sort();
  const before = names();
  expect(await dryRun()).toMatchObject({ code: 0, out: expect.stringContaining("2 unchanged books.") });
  expect(names()).toEqual(before);
});

/** A server and its commands, one after the other: on a busy machine two minutes aren't enough. */
const HANG_MS = 400_000;

it(
  "imports into a running server, and rejects a direct import beside it",
  async () => {
    const folder = await home();
    const DATA_DIR = join(folder, "data");
    const base = await new ServiceProcess({ DATA_DIR, ...ADMIN }).waitUntilListening();
    const beside = await runCli({ args: ["import", join(folder, "books")], variables: { DATA_DIR } });
    expect(beside).toMatchObject({
      code: 78,
      errors: expect.stringMatching(/^A server or another import is running on .*--server/),
    });

    const [withKey = "", asUser = "", onlyLanguages = ""] = remote
      .replaceAll("https://books.example.org", base)
      .trim()
      .split("\n");
    const variables = { BOOKDIST_PASSWORD: ADMIN.ADMIN_PASSWORD };
    expect((await shell(onlyLanguages, folder, variables)).stdout).toBe("3 new languages.\n");
    expect((await shell(onlyLanguages, folder, variables)).stdout).toBe("No language is missing.\n");
    expect((await shell(asUser, folder, variables)).stdout).toMatch(/^2 new books, 3 new files\.\n$/);

    const session = await fetch(`${base}/api/auth/login`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD }),
    });
    const created = await fetch(`${base}/api/admin/api-keys`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Cookie: session.headers
          .getSetCookie()
          .map((cookie) => cookie.split(";")[0])
          .join("; "),
      },
      body: JSON.stringify({ name: "import" }),
    });
    const { key } = JSON.parse(await created.text());
    expect((await shell(withKey.replace("…", key), folder, {})).stdout).toBe("2 unchanged books.\n");
    writeFiles(folder, { key: `${key}\n`, "books/fr/hill.txt": "Une colline." });
    const server = ["import", join(folder, "books"), "--server", base];
    const keyed = [...server, "--api-key-file", join(folder, "key"), "--group", "name"];
    const dryRun = await runCli({ args: [...keyed, "--dry-run"] });
    expect(dryRun).toMatchObject({ code: 78, out: expect.stringMatching(/^New languages: fr \(French\)\n/) });
    const missing = await runCli({ args: keyed });
    expect(missing).toEqual({ code: 78, out: "", errors: dryRun.errors });
    const [, command = ""] = missing.errors.split(":\n  npx bookdist ");
    expect(missing.errors).toMatch(/an API key can't create languages: fr\.\n/);
    expect(command).toBe(
      `import ${server[1]} --group name --server ${base} --languages-only --email <address>\n`,
    );
    const languages = await shell(
      `npx bookdist ${command.replace("<address>", ADMIN.ADMIN_EMAIL)}`,
      folder,
      variables,
    );
    expect(languages.stdout).toBe("1 new language.\n");
    const odd = join(folder, "wells of $HOME");
    writeFiles(odd, { "de/well.txt": "Ein Brunnen." });
    const expanding = await runCli({ args: ["import", odd, "--server", base, ...keyed.slice(4, 6)] });
    const [, quoted = ""] = expanding.errors.split(":\n  npx bookdist ");
    const german = await shell(
      `npx bookdist ${quoted.replace("<address>", ADMIN.ADMIN_EMAIL)}`,
      folder,
      variables,
    );
    expect(german.stdout).toBe("1 new language.\n");
    expect((await runCli({ args: keyed })).code).toBe(0);
    expect(await runCli({ args: server })).toMatchObject({
      code: 78,
      errors: expect.stringMatching(/BOOKDIST_API_KEY/),
    });
  },
  HANG_MS,
);

it.each([
  [["--server", "http://books.example.org"], 64, /^Over http, everybody/],
  [["--server", "ftp://books.example.org"], 64, /^--server must be an http or https URL/],
  [["--insecure"], 64, /need --server/],
  [["--group", "size"], 64, /^--group must be one of auto, folder, name/],
  [
    ["--language", "englsh"],
    64,
    /^--language must be the BCP 47 code of a language, such as en or pt-BR, or its name \(did you mean en \(English\)\?\)$/m,
  ],
  [["--catalogue", "none.json"], 78, /none\.json can't be read: no such file/],
])("rejects %s", async (options, code, errors) => {
  const folder = await home();
  const variables = { DATA_DIR: join(folder, "data") };
  const ended = await runCli({ args: ["import", join(folder, "books"), ...options], variables });
  expect(ended.code).toBe(code);
  expect(ended.errors.replace(/^Importing into .*\n/, "")).toMatch(errors);
});

it("reports broken files, imports the others, and exits with 1", async () => {
  const folder = await home();
  writeFiles(folder, { "books/es/broken.epub": "no archive", "books/nowhere.txt": "Text." });
  const variables = { DATA_DIR: join(folder, "data") };
  const { code, out, errors } = await runCli({ args: ["import", join(folder, "books")], variables });
  expect({ code, out }).toEqual({ code: 1, out: "3 new languages, 2 new books, 3 new files, 2 failures.\n" });
  expect(errors).toMatch(/^Failed: es\/broken\.epub: The file is plain text/m);
  expect(errors).toMatch(/^Failed: nowhere\.txt: Its language is unknown/m);
  const named = ["import", join(folder, "books"), "--language", "Kiswahili", "--dry-run"];
  expect((await runCli({ args: named, variables })).out).toMatch(/^create {5}nowhere {2}sw {2}1 new file/m);
});

it("can be killed at any moment, and repeated", async () => {
  const folder = createTempFolder();
  const books = join(folder, "books");
  for (let index = 0; index < 300; index += 1) {
    writeFiles(books, { [`en/book-${index}.epub`]: await createTitledEpub(`Book ${index}`, "en") });
  }
  const DATA_DIR = join(folder, "data");
  const env = { PATH: process.env.PATH, DATA_DIR };
  const child = spawn(process.execPath, [CLI, "import", books], { env, stdio: "ignore" });
  const ended = once(child, "exit");
  const stored = join(DATA_DIR, "files");
  const isHalfway = () => existsSync(stored) && readdirSync(stored, { recursive: true }).length > 100;
  while (!isHalfway() && child.exitCode === null) await sleep(1);
  child.kill("SIGKILL");
  expect(await ended).toEqual([null, "SIGKILL"]);
  const variables = { DATA_DIR };
  const { code, out } = await runCli({ args: ["import", books], variables });
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/ new files\.$/m) });
  expect(out).not.toContain("300 new books");
  expect((await runCli({ args: ["import", books], variables })).out).toBe("300 unchanged books.\n");
  expect(await runCli({ args: ["check-data"], variables })).toMatchObject({ code: 0 });
});
