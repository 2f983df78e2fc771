/** The texts that a page is loaded with are those that its code writes: it would wait for others once more when it is shown. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const SOURCES = join(import.meta.dirname, "../../console/src");

/** A page, or a part of one, with the texts that are loaded beside its code. */
interface Lazy {
  path: string;
  loaded: readonly string[];
}

interface Source {
  imported: readonly string[];
  lazy: readonly Lazy[];
  written: readonly string[];
}

const listStrings = (code: string): string[] => [...code.matchAll(/"([^"]+)"/g)].map(([, text = ""]) => text);

function readSource(path: string): Source {
  const code = readFileSync(path, "utf8");
  const find = (pattern: RegExp) => [...code.matchAll(pattern)];
  const resolve = (relative = "") => join(dirname(path), relative);
  return {
    imported: find(/^(?:import|export) (?!type )[^;]*?from "(\.[^"]+\.tsx?)";/gm).map(([, file]) =>
      resolve(file),
    ),
    lazy: find(/(?:lazy(?:Page|Part)\(|page\("[^"]+",)\s*\(\) => import\("([^"]+)"\)([^)]*)\)/g).map(
      ([, file, names = ""]) => ({
        path: resolve(file),
        loaded: listStrings(names),
      }),
    ),
    written: [
      ...find(/useTexts\(([^)]*)\)/g).flatMap(([, names = ""]) => listStrings(names)),
      ...find(/<PagedList[^>]* list="([^"]+)"/g).map(([, name = ""]) => name),
    ],
  };
}

/** The texts that the code of a file writes and that aren't loaded with a part of it. */
function findWritten(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path) || path.endsWith(".d.ts")) return new Set();
  seen.add(path);
  const { imported, lazy, written } = readSource(path);
  const ofImports = imported.flatMap((file) => [...findWritten(file, seen)]);
  const ofParts = lazy.flatMap((part) => listMissing(part, seen));
  return new Set([...written, ...ofImports, ...ofParts]);
}

const listMissing = ({ path, loaded }: Lazy, seen?: Set<string>): string[] =>
  [...findWritten(path, seen)].filter((name) => !loaded.includes(name));

const start = readSource(join(SOURCES, "app.tsx"));

it("all pages are found", () => {
  expect(start.lazy.length).toBeGreaterThan(15);
});

it.each(start.lazy.map((page) => [page.path.slice(SOURCES.length + 1), page] as const))("%s", (_, page) => {
  expect(listMissing(page)).toEqual([]);
});

it("what every page shows writes only the texts of the start", () => {
  expect(start.imported.flatMap((file) => [...findWritten(file)])).toEqual([]);
});
