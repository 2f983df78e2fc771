/** The files of the console, as `npm run build` wrote them to `console/dist`. */
import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Coding } from "./compression.ts";

/** A built file. Encoded forms are made by the build, so that nothing is compressed for a request. */
export interface ConsoleFile {
  mediaType: string;
  bytes: Buffer;
  encoded: ReadonlyMap<Coding, Buffer>;
}

export interface ConsoleBuild {
  /** The shell with a place for the nonce, which is different in each response. */
  shell: string;
  /** By path below `/console/`. */
  assets: ReadonlyMap<string, ConsoleFile>;
}

const DIST = join(import.meta.dirname, "../../console/dist");

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  woff2: "font/woff2",
};

const CODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/**
 * Reads the build as a whole: about 2 MB, and a file that isn't in it can't be named by a request.
 * Fails if nothing is built.
 */
export async function readConsoleBuild(folder = DIST): Promise<ConsoleBuild> {
  const shell = await readFile(join(folder, "index.html"), "utf8");
  const names = await readdir(join(folder, "assets"));
  const assets = new Map<string, ConsoleFile>();
  for (const name of names) {
    const mediaType = MEDIA_TYPES[name.slice(name.lastIndexOf(".") + 1)];
    if (mediaType === undefined) continue;
    assets.set(`assets/${name}`, { mediaType, ...(await readForms(join(folder, "assets"), name, names)) });
  }
  return { shell, assets };
}

async function readForms(folder: string, name: string, names: readonly string[]) {
  const encoded = new Map<Coding, Buffer>();
  for (const [coding, ending] of CODINGS)
    if (names.includes(name + ending)) encoded.set(coding, await readFile(join(folder, name + ending)));
  return { bytes: await readFile(join(folder, name)), encoded };
}

/** For the styles of one response (CSP 3, 2.3.1: at least 128 bits). */
export const newNonce = (): string => randomBytes(16).toString("base64");
