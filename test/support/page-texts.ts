/** The texts of readers' pages that the service ships, by language code. */
import { readPageFiles } from "../../src/adapters/page-files.ts";
import { pageTexts } from "../../src/schemas/page-texts.schemas.ts";

/** A folder without texts of an operator. */
export const PAGE_FILES = readPageFiles(import.meta.dirname);

/** Each file is parsed by itself, so that it must have all texts. */
export const TEXTS = Object.fromEntries(
  PAGE_FILES.map(({ name, content }) => [name, pageTexts.parse(content)]),
);
