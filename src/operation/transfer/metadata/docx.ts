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

const USUAL_PATH = "docProps/core.xml";

/** Word's own languages of texts are those of its user, and so no language of the book. */
export async function read(file: Inspectable): Promise<FileMetadata> {
  const elements = await readPart(file, await findCorePath(file));
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

/** Programs other than Word put the part elsewhere; the relationships of the package name it. */
async function findCorePath(file: Inspectable): Promise<string> {
  const relationships = await readPart(file, "_rels/.rels");
  const core = relationships.find(
    ({ name, attributes }) =>
      name === "relationship" && /\/metadata\/core-properties$/i.test(attributes.get("type") ?? ""),
  );
  return core?.attributes.get("target") ?? USUAL_PATH;
}
