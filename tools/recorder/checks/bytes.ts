/** The bytes on the disk: all that rows name and have released, and nothing else, each with the hash that is its name. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hashOf } from "../ledger.ts";
import type { Findings } from "./findings.ts";

const MAX_WRITING_MS = 10_000;

/** Beside the stored bytes: the id of the service, and what was set aside. */
const APART = /^(?:service-id$|removed\b)/;

interface Expected {
  /** The hashes that rows name: their bytes must be there. */
  named: ReadonlySet<string>;
  /** Those that rows have released: their bytes may be there. */
  released: ReadonlySet<string>;
}

export function checkBytes(dataDir: string, { named, released }: Expected, findings: Findings): void {
  const kept = new Set<string>();
  const folder = join(dataDir, "files");
  for (const path of listFiles(folder).filter((each) => !APART.test(relative(folder, each)))) {
    const name = basename(path);
    kept.add(name);
    if (!named.has(name) && !released.has(name)) findings.addLoss(`no row names the bytes in ${path}`);
    if (hashOf(readFileSync(path)) !== name)
      findings.addLoss(`the bytes in ${path} aren't those of its name`);
  }
  for (const sha256 of named.difference(kept))
    findings.addLoss(`a row names ${sha256}, whose bytes aren't there`);
  findings.compared += kept.size;
}

/**
 * What a start removes from the cache: half a ZIP, half a cover. In a server that was under load until now, a ZIP may
 * still be written that a form has asked for and that no reader has fetched.
 */
export async function checkCache(dataDir: string, findings: Findings): Promise<void> {
  const unfinished = () => listFiles(join(dataDir, "cache")).filter((path) => path.endsWith(".part"));
  const deadline = performance.now() + MAX_WRITING_MS;
  while (unfinished().length > 0 && performance.now() < deadline) await sleep(20);
  for (const path of unfinished()) findings.addLoss(`${path} was left over`);
}

function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
