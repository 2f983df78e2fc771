/** The types that are ZIP archives, told by the archive's own directory (APPNOTE.TXT 6.3, 4.3). */
import { type Content, foreign } from "./file-type-content.ts";
import { readWindow, type Sample } from "./file-type-window.ts";
import { readZipDirectory, type ZipEntry } from "./file-type-zip-directory.ts";

/** Only for a file that begins like a ZIP archive. */
export async function recogniseZip(sample: Sample): Promise<Content> {
  const directory = await readZipDirectory(sample);
  const first = directory?.entries.find((entry) => entry.offset === 0);
  if (directory?.entryCount === 0) return foreign("an empty ZIP archive");
  // An archive that doesn't begin at the first byte shows one content to one reader and another to the next.
  if (directory === undefined || !directory.beginsAtZero || first === undefined) return foreign(DAMAGED);
  const data = await firstEntryData(sample, first);
  if (data === undefined) return foreign(DAMAGED);
  return recogniseByDeclaration(data) ?? recogniseByNames(directory.entries.map(({ name }) => name));
}

/** Whether a file of another type also is a ZIP archive: such an archive is found from its end. */
export async function endsWithZip(sample: Sample): Promise<boolean> {
  const directory = await readZipDirectory(sample);
  if (directory === undefined) return false;
  return directory.endsAtEnd && directory.entryCount > 0;
}

const DAMAGED = "a damaged ZIP archive";

/**
 * EPUB (OCF 3.3, 4.3) and OpenDocument (1.3 part 2, 3.3): the first entry is `mimetype`, stored. Readers
 * insist on that; a line end behind the type they forgive.
 */
function recogniseByDeclaration(first: FirstEntry): Content | undefined {
  if (first.name !== "mimetype" || first.method !== STORED) return undefined;
  const mediaType = first.text.trimEnd();
  if (mediaType === "application/epub+zip") return { types: ["epub", "kepub"], name: "an EPUB book" };
  if (mediaType === "application/vnd.oasis.opendocument.text") {
    return { types: ["odt"], name: "an OpenDocument text" };
  }
  return foreign("a document of another kind");
}

function recogniseByNames(names: readonly string[]): Content {
  const has = (name: string) => names.includes(name);
  const hasFolder = (folder: string) => names.some((name) => name.startsWith(folder));
  if (has("META-INF/container.xml")) {
    return foreign("an EPUB whose first entry is not an uncompressed `mimetype`");
  }
  if (has("[Content_Types].xml")) {
    if (has("word/vbaProject.bin")) return foreign("a Word document with macros");
    if (hasFolder("word/")) return { types: ["docx"], name: "a Word document" };
    if (hasFolder("xl/") || hasFolder("ppt/")) return foreign("a workbook or presentation");
  }
  if (has("META-INF/MANIFEST.MF") || has("AndroidManifest.xml")) return foreign("a program");
  return { types: ["zip", "cbz"], name: "a ZIP archive" };
}

interface FirstEntry {
  name: string;
  method: number;
  /** The stored bytes, as far as they can be a media type. */
  text: string;
}

const STORED = 0;
const LOCAL_HEADER = 0x04034b50;
const LOCAL_HEADER_BYTES = 30;
const MAX_MEDIA_TYPE_BYTES = 128;

/** The entry at the first byte, if its own header says the same as the directory. */
async function firstEntryData({ file, head }: Sample, listed: ZipEntry): Promise<FirstEntry | undefined> {
  if (head.length < LOCAL_HEADER_BYTES || head.readUInt32LE(0) !== LOCAL_HEADER) return undefined;
  const method = head.readUInt16LE(8);
  const nameEnd = LOCAL_HEADER_BYTES + head.readUInt16LE(26);
  const name = head.toString("latin1", LOCAL_HEADER_BYTES, nameEnd);
  if (name !== listed.name || method !== listed.method) return undefined;
  const dataStart = nameEnd + head.readUInt16LE(28);
  const data = await readWindow(file, dataStart, Math.min(listed.sizeBytes, MAX_MEDIA_TYPE_BYTES));
  return { name, method, text: data.toString("latin1") };
}
