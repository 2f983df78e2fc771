/** The metadata of OpenDocument texts, from `meta.xml` (OpenDocument 1.3, part 3, 4.3). */
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

/** `dc:creator` is who saved it last. */
export async function read(file: Inspectable): Promise<FileMetadata> {
  const elements = await readPart(file, "meta.xml");
  const title = toLine(findText(elements, "title"), MAX_TITLE);
  const author = findText(elements, "initial-creator") ?? findText(elements, "creator") ?? "";
  return {
    title: title === undefined || isMadeUpTitle(title) ? undefined : title,
    languageCode: findCode([findText(elements, "language")]),
    authors: toLines(author.split(";").filter(isPerson)),
    contributors: [],
    description: toParagraphs(findText(elements, "description") ?? findText(elements, "subject")),
    tags: toLines(
      elements.filter(({ name }) => name === "keyword").map(({ text }) => text),
      MAX_WORD,
    ),
    hasCover: false,
  };
}
