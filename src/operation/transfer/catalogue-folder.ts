/** The folder of a catalogue: finds the files that it names, or else the one that was probably meant. */
import { posix } from "node:path";
import { OperatorError } from "../../errors.ts";
import { findNearest } from "../../lib/nearest.ts";
import { removeExtension } from "./layout.ts";
import type { Failure } from "./library.ts";
import {
  findFileBelow,
  type LocalFile,
  listFilesBelow,
  MISSING,
  runOrReject,
  UnusableFileError,
} from "./local-files.ts";

/** Names are compared in folders of up to so many files, and for so many missing files. */
const MAX_COMPARED = 1000;
const MAX_QUESTIONS = 100;

export interface FolderFiles {
  /** @throws UnusableFileError if there is no such file, or it can't be used */
  find(path: string): Promise<LocalFile>;
  /** The places of all files; none if there are too many. */
  list(): Promise<string[]>;
}

export class CatalogueFolder {
  readonly #files: FolderFiles;
  /** The places of all files; read when the first one is missing. */
  #places: Promise<string[]> | undefined;
  #questions = 0;

  constructor(files: FolderFiles) {
    this.#files = files;
  }

  /**
   * @param subject for messages
   * @returns undefined if the file is added to `failures`
   */
  async find(path: string, subject: string, failures: Failure[]): Promise<LocalFile | undefined> {
    const rejected: Failure[] = [];
    const file = await runOrReject(subject, this.#files.find(path), (_, reason) => {
      rejected.push({ subject, reason });
    });
    for (const failure of rejected) {
      const near = failure.reason === MISSING ? await this.#findNearest(path) : undefined;
      const question = near === undefined ? "" : ` (did you mean ${near}?)`;
      failures.push({ ...failure, subject: `${subject}${question}` });
    }
    return file;
  }

  /** The place with other case, of the same name in another folder, or of a similar name in its folder. */
  async #findNearest(path: string): Promise<string | undefined> {
    this.#questions += 1;
    if (this.#questions > MAX_QUESTIONS) return undefined;
    this.#places ??= this.#files.list();
    const places = await this.#places;
    const wanted = simplify(path.replaceAll("\\", "/"));
    const same = places.find((place) => simplify(place) === wanted);
    const elsewhere = places.filter((place) => lastPartOf(simplify(place)) === lastPartOf(wanted));
    if (same !== undefined || elsewhere.length > 0) return same ?? elsewhere[0];
    const beside = places.filter((place) => folderOf(simplify(place)) === folderOf(wanted));
    const names = beside.slice(0, MAX_COMPARED).map(stemOf);
    const stem = findNearest(stemOf(wanted), names);
    return beside.find((place) => stemOf(place) === stem);
  }
}

/** One form of names that look equal: macOS gives names with decomposed letters to archives and other systems. */
export const composePlace = (place: string): string => place.normalize("NFC");
const simplify = (place: string): string => composePlace(place).toLowerCase();
const lastPartOf = (place: string): string => place.slice(place.lastIndexOf("/") + 1);
const stemOf = (place: string): string => removeExtension(lastPartOf(place));
const folderOf = (place: string): string => place.slice(0, Math.max(0, place.lastIndexOf("/")));

/** A folder of this machine. @param folder without links */
export function openCatalogueFolder(folder: string): CatalogueFolder {
  let places: Promise<string[]> | undefined;
  const list = () => {
    places ??= listPlaces(folder);
    return places;
  };
  let composed: ReadonlyMap<string, string> | undefined;
  const findComposed = async (path: string) => {
    composed ??= new Map((await list()).map((place) => [composePlace(place), place]));
    return composed.get(composePlace(posix.normalize(path.replaceAll("\\", "/"))));
  };
  return new CatalogueFolder({
    async find(path) {
      try {
        return await findFileBelow(folder, path);
      } catch (error) {
        const isMissing = error instanceof UnusableFileError && error.message === MISSING;
        const other = isMissing && COMPOSABLE.test(path) ? await findComposed(path) : undefined;
        if (other === undefined) throw error;
        return findFileBelow(folder, other);
      }
    },
    list,
  });
}

/** Names in ASCII have one form. */
const COMPOSABLE = /[^\x20-\x7e]/;

async function listPlaces(folder: string): Promise<string[]> {
  try {
    return (await listFilesBelow(folder, () => {})).map(({ place }) => place);
  } catch (error) {
    // A folder can have more files than an import without a catalogue reads.
    if (error instanceof OperatorError) return [];
    throw error;
  }
}
