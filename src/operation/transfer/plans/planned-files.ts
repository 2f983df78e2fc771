/** Files of a plan: their bytes are known by what an examination has found. */
import type { Content } from "../../../adapters/file-types/content.ts";
import type { Examination, FileMetadata } from "../../../schemas/examinations.schemas.ts";
import { asMetadataType, type FileType } from "../../../schemas/file-types.ts";
import type { PlannedFile } from "../../../schemas/imports.schemas.ts";
import { composePlace, type FolderFiles } from "../catalogue-folder.ts";
import type { FileCorrection } from "../file-correction.ts";
import { type LocalFile, MISSING, UnusableFileError } from "../local-files.ts";
import { type Metadata, NO_METADATA } from "../metadata/metadata.ts";
import { EMPTY } from "../runs/needed-hashes.ts";
import type { LibraryReader } from "../source.ts";

export interface KnownFile {
  sizeBytes: number;
  examination: Examination;
  /** Whether its description has only its beginning. */
  isCut: boolean;
}

/** What is known of files, by SHA-256. */
export type KnownFiles = ReadonlyMap<string, KnownFile>;

export const describeFile = (
  { path, sha256 }: PlannedFile,
  known: KnownFiles,
  correction: FileCorrection | undefined,
): LocalFile => ({
  correction,
  path,
  place: path,
  name: path.slice(path.lastIndexOf("/") + 1),
  sha256,
  sizeBytes: known.get(sha256)?.sizeBytes ?? 0,
  identity: { device: 0, inode: 0 },
  open: () => Promise.reject(new Error("A plan opens no file.")),
});

const UNKNOWN = "The service doesn't have its content. Examine the file first.";

export class PlannedFilesReader implements LibraryReader {
  readonly #known: KnownFiles;

  constructor(known: KnownFiles) {
    this.#known = known;
  }

  async recognise(file: LocalFile): Promise<Content> {
    const { types, contentName: name } = this.#find(file);
    return { types, name };
  }

  async findBooksInside(file: LocalFile): Promise<string | undefined> {
    return this.#find(file).booksInside ?? undefined;
  }

  async read(file: LocalFile, fileType: FileType): Promise<Metadata> {
    if (asMetadataType(fileType) === undefined) return NO_METADATA;
    const { metadata, hasCover, error, coverIsMissing } = this.#find(file);
    if (error !== null) return { ...NO_METADATA, unreadable: error };
    return metadata ? { ...toMetadata(metadata, hasCover), coverIsMissing } : NO_METADATA;
  }

  readSheet(): Promise<never> {
    return Promise.reject(new Error("The sheet of a plan was read before."));
  }

  #find({ sha256 = "" }: LocalFile): Examination {
    const found = this.#known.get(sha256);
    const reason = sha256 === EMPTY ? "The file is empty." : UNKNOWN;
    if (!found) throw new UnusableFileError(reason, "content_unknown");
    return found.examination;
  }
}

/** A cover is a function of its own: it says which file contains it. */
export function toMetadata(metadata: FileMetadata, hasCover: boolean): Metadata {
  const { title, languageCode, description, publisher, license, isbn, series } = metadata;
  return {
    ...metadata,
    title: title ?? undefined,
    languageCode: languageCode ?? undefined,
    description: description ?? undefined,
    publisher: publisher ?? undefined,
    license: license ?? undefined,
    isbn: isbn ?? undefined,
    series: series ? { name: series.name, position: series.position ?? undefined } : undefined,
    cover: hasCover ? () => Promise.reject(new Error("A plan reads no cover.")) : undefined,
  };
}

/** The files by the paths that a catalogue in a folder names. @param folder with slashes, empty for the imported folder */
export function findInList(files: readonly LocalFile[], folder: string): FolderFiles {
  const byPlace = new Map(files.map((file) => [file.place, file]));
  const byComposed = new Map(files.map((file) => [composePlace(file.place), file]));
  return {
    async find(path) {
      const place = resolvePath(folder, path);
      const file = byPlace.get(place) ?? byComposed.get(composePlace(place));
      if (!file) throw new UnusableFileError(MISSING);
      return file;
    },
    list: async () => [...byPlace.keys()],
  };
}

/** With slashes, and without `.` and `..`. */
function resolvePath(folder: string, path: string): string {
  const segments: string[] = [];
  for (const segment of `${folder}/${path.replaceAll("\\", "/")}`.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return segments.join("/");
}
