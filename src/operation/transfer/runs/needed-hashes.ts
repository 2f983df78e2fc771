/** Which bytes an import needs: not those of files that it leaves out by their names. */
import { createHash } from "node:crypto";
import { isHiddenPath } from "../../../lib/hidden-names.ts";
import { findFileType } from "../../../schemas/file-types.ts";
import type { ImportCreation } from "../../../schemas/import-runs.schemas.ts";
import { ABOUT, COVER } from "../folder-source.ts";

/** Of no bytes: an empty file can't be examined, and is left out. */
export const EMPTY = createHash("sha256").digest("hex");

/** Each once, in the order of the files. */
export function findNeededHashes({ files, catalogue, corrections = [] }: ImportCreation): string[] {
  const byPath = new Map(corrections.map((correction) => [correction.path, correction]));
  const needed = files.filter(({ path, sha256 }) => {
    const { leaveOut, languageCode, fileType, book } = byPath.get(path) ?? {};
    if (sha256 === EMPTY || leaveOut || isHiddenPath(path)) return false;
    const isChosen = [languageCode, fileType, book].some((value) => value !== undefined);
    if (catalogue || isChosen) return path !== catalogue?.name;
    const name = path.slice(path.lastIndexOf("/") + 1);
    return !ABOUT.test(name) && (findFileType(name) !== undefined || COVER.test(name));
  });
  const ofCatalogue = catalogue?.sha256 === undefined ? [] : [catalogue.sha256];
  return [...new Set([...needed.map(({ sha256 }) => sha256), ...ofCatalogue])];
}
