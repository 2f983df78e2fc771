/** What a file's content reveals about its type, and the words for it. */
import type { FileType } from "../../schemas/file-types.ts";

export interface Content {
  /** The matching types, most likely first; empty for an unsupported type. */
  types: readonly FileType[];
  /** Its name as the end of a sentence: "The file is ...". */
  name: string;
}

export const foreign = (name: string): Content => ({ types: [], name });
export const ours = (...types: [FileType, ...FileType[]]): Content => ({ types, name: TYPE_NAMES[types[0]] });

export const TYPE_NAMES: Readonly<Record<FileType, string>> = {
  pdf: "a PDF document",
  epub: "an EPUB book",
  mobi: "a MOBI book",
  azw3: "an AZW3 book",
  kepub: "a KEPUB book",
  fb2: "an FB2 book",
  djvu: "a DjVu document",
  docx: "a Word document",
  odt: "an OpenDocument text",
  rtf: "an RTF document",
  txt: "plain text",
  html: "an HTML document",
  cbz: "a CBZ comic",
  mp3: "an MP3 recording",
  m4b: "an M4B audiobook",
  zip: "a ZIP archive",
};

/** What can be done with a file that isn't accepted; undefined if nothing helps. By its name: an examination keeps that. */
export const adviseOn = ({ name }: Content): string | undefined => ADVICE.get(name);

export const FOREIGN = {
  protectedOffice: "an Office document with a password",
  oldWord: "a Word document of the old kind (DOC)",
  oldExcel: "an Excel workbook of the old kind (XLS)",
  film: "a film",
  macros: "a Word document with macros",
  damagedZip: "a damaged ZIP archive",
  packedFolder: "a ZIP archive with the folder of an EPUB book",
  cutUtf8: "text in UTF-8 that ends within a letter",
  cutUtf16: "text in UTF-16 that ends within a letter",
} as const;

const ADVICE: ReadonlyMap<string, string> = new Map([
  [FOREIGN.protectedOffice, "Open it with the password, remove the password, and save it again."],
  [FOREIGN.oldWord, "Save it as DOCX or PDF."],
  [FOREIGN.oldExcel, "Save it as XLSX."],
  [FOREIGN.film, "Audio books have sound, and no moving pictures."],
  [FOREIGN.macros, "Save it as a Word document without macros (DOCX)."],
  [FOREIGN.damagedZip, "It may be incomplete: copy it again from its source."],
  [FOREIGN.packedFolder, "Pack what is in the folder, not the folder itself."],
  [FOREIGN.cutUtf8, "It may be incomplete: copy it again from its source."],
  [FOREIGN.cutUtf16, "It may be incomplete: copy it again from its source."],
]);
