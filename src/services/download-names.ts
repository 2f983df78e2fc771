/** Under which name a book file reaches its reader. */
import { downloadName } from "../lib/file-names.ts";
import type { ActiveFileRow } from "../repositories/publication.repository.ts";
import { extensionOf } from "../schemas/file-types.ts";
import { fileTypeOf } from "./presenters.ts";

/** By the book's title in the reader's language, or as the file was uploaded. */
export type DownloadNames = "title" | "original";

/** That of a file in a cloud is its host's to choose: the one that is on record is the best guess. */
export const arrivingName = (
  names: DownloadNames,
  file: ActiveFileRow,
  edition: { title: string; languageCode: string },
): string =>
  names === "original" || file.cloudUrl !== null
    ? file.fileName
    : downloadName({ ...edition, extension: extensionOf(fileTypeOf(file)) });
