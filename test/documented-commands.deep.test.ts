/** The commands in the documents that need no other programs, as they are shown: in a shell, one after the other. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { createDemoFiles } from "../tools/demo/files.ts";
import { freePort } from "../tools/lib/server-process.ts";
import { findCommandBlocks } from "./support/documents.ts";
import { PROJECT } from "./support/modules.ts";
import { TEST_PROCESS } from "./support/run-cli.ts";
import { createTempFolder } from "./support/temp-folder.ts";

/** A shell in a folder of its own, in which `npx` and `npm` are those of the project's folder. */
function shell(variables: Record<string, string>) {
  const home = createTempFolder();
  const prelude = `set -eu
npx() { shift; node '${PROJECT}/scripts/bookdist.mjs' "$@"; }
npm() { command npm --silent --prefix '${PROJECT}' "$@"; }
`;
  const env = { PATH: process.env.PATH ?? "", HOME: home, ...TEST_PROCESS, ...variables };
  return {
    home,
    run: (script: string) => promisify(execFile)("sh", ["-c", prelude + script], { cwd: home, env }),
    /** Starts a command that runs until it is stopped. Resolves with the first line that contains the text. */
    async start(script: string, text: string): Promise<string> {
      const child = spawn("sh", ["-c", prelude + script], { cwd: home, env, detached: true });
      onTestFinished(() => stop(child));
      for await (const line of createInterface(child.stdout)) if (line.includes(text)) return line;
      throw new Error(`the command has ended: ${script}`);
    },
  };
}

/** Ends the command and all that it has started. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return;
  process.kill(-child.pid, "SIGTERM");
  await once(child, "exit");
}

/** Writes the sample books into `~/books`. */
async function writeBooks(home: string) {
  const books = await createDemoFiles();
  for (const { slug, languageCode, fileType, bytes } of books) {
    mkdirSync(join(home, "books", languageCode), { recursive: true });
    writeFileSync(join(home, "books", languageCode, `${slug}.${fileType}`), bytes);
  }
  return books;
}

it("docs/getting-started.md leads to a library that delivers a folder of books", {
  timeout: 300_000,
}, async () => {
  const [, load = "", serve = "", loadMore = ""] = findCommandBlocks("docs/getting-started.md");
  const [, short = ""] = findCommandBlocks("README.md");
  expect(load).toContain(short.split("\n", 1)[0]);
  const port = await freePort(0);
  const { home, run, start } = shell({ PORT: String(port), HOST: "127.0.0.1" });
  const books = await writeBooks(home);
  await run(load);
  await start(serve, '"listening"');
  const service = `http://localhost:${port}`;
  const [, BOOKDIST_PASSWORD = ""] = /ADMIN_PASSWORD="(.+)"/.exec(serve) ?? [];
  const again = loadMore.replace("http://localhost:3000", service);
  expect((await run(`export BOOKDIST_PASSWORD='${BOOKDIST_PASSWORD}'\n${again}`)).stdout).toMatch(
    /^\d+ unchanged books\.\n$/,
  );
  const headers = { Accept: "text/html", "Accept-Language": "es" };
  const wanted = books.find(({ languageCode, fileType }) => languageCode === "es" && fileType === "epub");
  const path = `library/es/books/${wanted?.slug}`;
  expect(await (await fetch(service, { headers })).text()).toContain(path);
  const form = { fileType: "epub", email: "a@example.org", firstName: "A" };
  const submitted = await fetch(`${service}/${path}`, {
    method: "POST",
    headers,
    body: new URLSearchParams(form),
  });
  expect(submitted.status).toBe(200);
  const [, download = ""] = /content="0; url=([^"]+)"/.exec(await submitted.text()) ?? [];
  const sent = await fetch(new URL(download, submitted.url));
  expect(Buffer.from(await sent.arrayBuffer()).equals(wanted?.bytes ?? Buffer.of())).toBe(true);
});

it("docs/backup.md backs up, checks and restores, and docs/operation.md examines", {
  timeout: 300_000,
}, async () => {
  const document = findCommandBlocks("docs/backup.md");
  const blockThat = (begins: string) => document.find((block) => block.startsWith(begins)) ?? "";
  const [examine = ""] = findCommandBlocks("docs/operation.md").filter((block) =>
    block.includes("bookdist doctor"),
  );
  const port = await freePort(0);
  const { home, run, start } = shell({ PORT: String(port), HOST: "127.0.0.1" });
  await writeBooks(home);
  mkdirSync(join(home, "mnt"));
  await run("npx bookdist import ~/books");
  const backup = blockThat("npx bookdist backup").replaceAll("/mnt/backups", join(home, "mnt"));
  const [, restoring = ""] = /^(npx bookdist restore .*)$/m.exec(backup) ?? [];
  const { stdout } = await run(backup.replace(restoring, ""));
  expect(stdout).toContain("Healthy.");
  expect((await run(examine)).stdout).toContain("Healthy.");

  const NAME = /backup-[\dT.-]+Z/;
  const nameIn = (folder: string) => readdirSync(folder).find((name) => NAME.test(name)) ?? "";
  const fromDisk = restoring.replace(NAME, nameIn(join(home, "mnt")));
  await run(`DATA_DIR=elsewhere ${fromDisk}`);
  const move = blockThat("mv data").replace(NAME, nameIn(join(home, "data/backups")));
  await start(move, '"listening"');
  const { books } = JSON.parse(await (await fetch(`http://127.0.0.1:${port}/api/books`)).text());
  expect(books).toHaveLength(new Set((await createDemoFiles()).map(({ slug }) => slug)).size);
  expect(readdirSync(join(home, "elsewhere"))).toContain("database.sqlite");
});
