/** The metadata of Word documents, from their core properties (ECMA-376, part 2, 11). */
import type { Inspectable } from "../../../adapters/files/file-store.ts";
import {
  type FileMetadata,
  findCode,
  isMadeUpTitle,
  MAX_TITLE,
  MAX_WORD,
  toLine,
  toLines,
  toParagraphs,
} from "./metadata.ts";
import { findText, isPerson, readPart } from "./office.ts";

/** Word's own languages of texts are those of its user, and so no language of the book. */
export async function read(file: Inspectable): Promise<FileMetadata> {
  const elements = await readPart(file, "docProps/core.xml");
  const title = toLine(findText(elements, "title"), MAX_TITLE);
  return {
    title: title === undefined || isMadeUpTitle(title) ? undefined : title,
    languageCode: findCode([findText(elements, "language")]),
    authors: toLines((findText(elements, "creator") ?? "").split(";").filter(isPerson)),
    contributors: [],
    description: toParagraphs(findText(elements, "description") ?? findText(elements, "subject")),
    tags: toLines((findText(elements, "keywords") ?? "").split(/[,;]/), MAX_WORD),
    hasCover: false,
  };
}
