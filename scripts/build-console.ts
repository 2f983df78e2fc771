/**
 * Builds the console into console/dist, with each file also in brotli and gzip. `npm run build`
 * With `--if-changed` only if the sources, the lock file or this script changed since the last build.
 */
import { createHash } from "node:crypto";
import { glob, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { build } from "vite";

const ROOT = join(import.meta.dirname, "../console");
const DIST = join(ROOT, "dist");
/** In the build: the hash of what it was built from. */
const HASH_FILE = "sources.sha256";
const SOURCES = [
  "console/{src/**/*.*,index.html,vite.config.ts,world-map.ts,compile-texts.ts}",
  "package-lock.json",
  "scripts/build-console.ts",
];
/** Smaller files become larger. */
const MIN_BYTES = 1024;

async function hashSources(): Promise<string> {
  const hash = createHash("sha256");
  const cwd = join(ROOT, "..");
  for (const path of (await Array.fromAsync(glob(SOURCES, { cwd }))).sort())
    hash.update(`${path}\0`).update(await readFile(join(cwd, path)));
  return hash.digest("hex");
}

async function isBuilt(hash: string): Promise<boolean> {
  const built = await readFile(join(DIST, HASH_FILE), "utf8").catch(() => undefined);
  return built === hash;
}

/** Beside the former build, which is replaced by a rename: a server never reads half of one. */
async function buildConsole(hash: string): Promise<void> {
  const folder = await mkdtemp(join(ROOT, ".dist-"));
  try {
    const outDir = join(folder, "dist");
    await build({ root: ROOT, logLevel: "warn", build: { outDir, emptyOutDir: true } });
    const assets = join(outDir, "assets");
    await Promise.all((await readdir(assets)).map((name) => compress(join(assets, name))));
    await writeFile(join(outDir, HASH_FILE), hash);
    await rm(DIST, { recursive: true, force: true });
    await rename(outDir, DIST);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.length < MIN_BYTES) return;
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes));
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
}

// Regardless of the environment: React for development and tests is larger and slower.
process.env.NODE_ENV = "production";
const hash = await hashSources();
const isCurrent = process.argv.includes("--if-changed") && (await isBuilt(hash));
if (!isCurrent) await buildConsole(hash);
