/** Checks a file's content against the type that it is said to have. */
import { type FileHandle, open } from "node:fs/promises";
import { type FileType, fileTypeOfName } from "../schemas/file-types.ts";
import { recogniseContent } from "./file-type-recognise.ts";

/**
 * Undefined when the content fits the claimed type; else a sentence for the caller.
 * Throws only what opening and reading throw.
 */
export async function checkFileType(path: string, claimed: FileType): Promise<string | undefined> {
  const content = await withFile(path, recogniseContent);
  return content.types.includes(claimed) ? undefined : `The file is ${content.name}, not ${NAMES[claimed]}.`;
}

/**
 * The type by the content; among types with the same content (EPUB and KEPUB, ZIP and CBZ, MOBI and AZW3)
 * the one that the name's ending says, else the commoner. Undefined when it is none of ours.
 */
export async function detectFileType(path: string, fileName: string): Promise<FileType | undefined> {
  const { types } = await withFile(path, recogniseContent);
  const named = fileTypeOfName(fileName);
  return named !== undefined && types.includes(named) ? named : types[0];
}

async function withFile<T>(path: string, look: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, "r");
  try {
    return await look(file);
  } finally {
    await file.close();
  }
}

const NAMES: Readonly<Record<FileType, string>> = {
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
  txt: "plain text in UTF-8 or UTF-16",
  html: "an HTML document",
  cbz: "a CBZ comic",
  mp3: "an MP3 recording",
  m4b: "an M4B audiobook",
  zip: "a ZIP archive",
};
