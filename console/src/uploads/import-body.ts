/** An import as the service takes it: files and catalogue by their paths below the folder, and their hashes. */
import type { CatalogueFile } from "./catalogues.ts";
import type { Cell } from "./correct-csv.ts";
import type { Correction } from "./corrections.ts";
import { hashFile } from "./hash-file.ts";
import { findRoot } from "./plan-root.ts";

/** What one import takes. */
const MAX_FILES = 10_000;

export interface PlannedFile {
  path: string;
  sha256: string;
}

export interface ImportRequest {
  files: readonly PlannedFile[];
  corrections: readonly Correction[];
  catalogue: CatalogueFile | undefined;
  ignoresColumns: boolean;
  /** Corrected ones of the catalogue. */
  cells: readonly Cell[];
}

/** Each is read once. */
const hashes = new WeakMap<File, Promise<string>>();

function hashOnce({ id, file }: CatalogueFile): Promise<string> {
  const known = hashes.get(file) ?? hashFile(id, file, () => undefined);
  hashes.set(file, known);
  known.catch(() => hashes.delete(file));
  return known;
}

/** @returns with the folder in which all paths are, which isn't sent */
export async function describeImport(request: ImportRequest) {
  const { files, corrections, catalogue, ignoresColumns, cells } = request;
  const taken = files.slice(0, MAX_FILES - 1);
  const root = findRoot([...taken, ...(catalogue ? [{ path: catalogue.name }] : [])].map(({ path }) => path));
  const described = catalogue && {
    name: catalogue.name.slice(root.length),
    sha256: await hashOnce(catalogue),
    ignoreUnknownColumns: ignoresColumns,
  };
  const inRoot = taken.map(({ path, sha256 }) => ({ path: path.slice(root.length), sha256 }));
  const body = {
    files: [...inRoot, ...(described ? [{ path: described.name, sha256: described.sha256 }] : [])],
    ...(corrections.length + cells.length > 0 && {
      corrections: [
        ...corrections.map(({ path, ...each }) => ({ ...each, path: path.slice(root.length) })),
        ...cells,
      ],
    }),
    ...(described && { catalogue: described }),
  };
  return { root, body };
}
