/** The documents of the project, and the blocks of commands in them. */
import { readdirSync, readFileSync } from "node:fs";
import { join, normalize } from "node:path";
import { PROJECT } from "./modules.ts";

/** Files below a folder of the project, as paths from its root; packages, data and git's own aside. */
export function listFilesBelow(folder: string): string[] {
  return readdirSync(join(PROJECT, folder), { withFileTypes: true })
    .filter(({ name }) => !/^(node_modules|\.git)$/.test(name))
    .flatMap((entry) => {
      const path = normalize(join(folder, entry.name));
      return entry.isDirectory() && path !== "data" ? [path, ...listFilesBelow(path)] : [path];
    });
}

export const DOCUMENTS = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "SECURITY.md",
  "data/README.md",
  ...listFilesBelow("docs"),
].filter((path) => path.endsWith(".md"));

export const read = (path: string): string => readFileSync(join(PROJECT, path), "utf8");

/** The blocks of commands in a document, in order. */
export const findCommandBlocks = (document: string): string[] =>
  [...read(document).matchAll(/^```(?:sh|bash)\n(.*?)^```$/gms)].map(([, block = ""]) => block);
