/** What documents of word processors say of themselves: entries of a ZIP archive with the elements of Dublin Core. */
import { ZipEntries } from "../../../adapters/file-types/zip-entries.ts";
import type { Inspectable } from "../../../adapters/files/file-store.ts";
import { decodeXml, parseElements, type XmlElement } from "./xml.ts";

const MAX_PART_BYTES = 1024 * 1024;

/** The elements of an entry; empty if there is none. */
export async function readPart(file: Inspectable, name: string): Promise<XmlElement[]> {
  await using handle = await file.open();
  const zip = await ZipEntries.open(handle, file.sizeBytes);
  const found = zip.find(name);
  const bytes = found === undefined ? undefined : await zip.read(found, MAX_PART_BYTES);
  return bytes ? parseElements(decodeXml(bytes)) : [];
}

/** The text of the first element of this name that has any. */
export const findText = (elements: readonly XmlElement[], name: string): string | undefined =>
  elements.find((element) => element.name === name && element.text.trim() !== "")?.text;
