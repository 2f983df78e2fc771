/** The metadata of Word documents, from their core properties (ECMA-376, part 2, 11). */
import type { Inspectable } from "../../../adapters/files/file-store.ts";
import { isPerson } from "./made-up.ts";
import {
  type FileMetadata,
  findCode,
  MAX_WORD,
  splitNames,
  splitWords,
  toLines,
  toParagraphs,
  toTitle,
} from "./metadata.ts";
import { findText, readPart } from "./office.ts";
import { decodeEscapes } from "./xlsx-cells.ts";

const USUAL_PATH = "docProps/core.xml";

/** Word's own languages of texts are those of its user, and so no language of the book. */
export async function read(file: Inspectable): Promise<FileMetadata> {
  const elements = await readPart(file, await findCorePath(file));
  return {
    title: toTitle(readEscapes(findText(elements, "title"))),
    languageCode: findCode([findText(elements, "language")]),
    authors: toLines(splitNames(readEscapes(findText(elements, "creator")) ?? "").filter(isPerson)),
    contributors: [],
    description: toParagraphs(
      readEscapes(findText(elements, "description") ?? findText(elements, "subject")),
    ),
    tags: toLines(splitWords(readEscapes(findText(elements, "keywords")) ?? ""), MAX_WORD),
    hasCover: false,
  };
}

const readEscapes = (text: string | undefined) => text && decodeEscapes(text);

/** Programs other than Word put the part elsewhere; the relationships of the package name it. */
async function findCorePath(file: Inspectable): Promise<string> {
  const relationships = await readPart(file, "_rels/.rels");
  const core = relationships.find(
    ({ name, attributes }) =>
      name === "relationship" && /\/metadata\/core-properties$/i.test(attributes.get("type") ?? ""),
  );
  return core?.attributes.get("target") ?? USUAL_PATH;
}
