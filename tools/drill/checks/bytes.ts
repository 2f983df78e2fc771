/** The bytes on the disk: all that rows name and nothing else, each with the hash that is its name. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { hashOf } from "../scene.ts";
import type { Findings } from "./findings.ts";

/** @param named the hashes that rows name */
export function checkBytes(dataDir: string, named: ReadonlySet<string>, findings: Findings): void {
  const kept = new Set<string>();
  for (const path of filesIn(join(dataDir, "files"))) {
    const name = basename(path);
    kept.add(name);
    if (!named.has(name)) findings.lost(`no row names the bytes in ${path}`);
    if (hashOf(readFileSync(path)) !== name) findings.lost(`the bytes in ${path} aren't those of its name`);
  }
  for (const sha256 of named.difference(kept))
    findings.lost(`a row names ${sha256}, whose bytes aren't there`);
  findings.compared += kept.size;
}

/** What a start removes from the cache: half a ZIP, half a cover. */
export function checkCache(dataDir: string, findings: Findings): void {
  for (const path of filesIn(join(dataDir, "cache"))) {
    if (path.endsWith(".part")) findings.lost(`${path} was left over`);
  }
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
