/** The metadata of OpenDocument texts, from `meta.xml` (OpenDocument 1.3, part 3, 4.3). */
import type { Inspectable } from "../../../adapters/files/file-store.ts";
import { isPerson } from "./made-up.ts";
import {
  type FileMetadata,
  findCode,
  MAX_WORD,
  splitNames,
  toLines,
  toParagraphs,
  toTitle,
} from "./metadata.ts";
import { findText, readPart } from "./office.ts";

/** `dc:creator` is who saved it last. */
export async function read(file: Inspectable): Promise<FileMetadata> {
  const elements = await readPart(file, "meta.xml");
  const author = findText(elements, "initial-creator") ?? findText(elements, "creator") ?? "";
  return {
    title: toTitle(findText(elements, "title")),
    languageCode: findCode([findText(elements, "language")]),
    authors: toLines(splitNames(author).filter(isPerson)),
    contributors: [],
    description: toParagraphs(findText(elements, "description") ?? findText(elements, "subject")),
    tags: toLines(
      elements.filter(({ name }) => name === "keyword").map(({ text }) => text),
      MAX_WORD,
    ),
    hasCover: false,
  };
}
