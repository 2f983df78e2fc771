/** Checks the content of a file, and reads its metadata. */
import { likelyType, objectionTo, recogniseContent } from "../../adapters/file-types/recognise.ts";
import { type FileType, fileTypeOfName } from "../../schemas/file-types.ts";
import { type LocalFile, UnusableFileError } from "../local-files.ts";
import { audioMetadata } from "./audio.ts";
import { epubMetadata } from "./epub.ts";
import { type Metadata, NO_METADATA } from "./metadata.ts";
import { pdfMetadata } from "./pdf.ts";

const READERS: Partial<Record<FileType, (file: LocalFile) => Promise<Metadata>>> = {
  epub: epubMetadata,
  kepub: epubMetadata,
  pdf: pdfMetadata,
  mp3: audioMetadata,
  m4b: audioMetadata,
};

export interface Examined {
  fileType: FileType;
  metadata: Metadata;
}

/**
 * @param claimed the type that a catalogue names; without it, the name says it, or else the content
 * @throws UnusableFileError
 */
export async function examineFile(file: LocalFile, claimed: FileType | undefined): Promise<Examined> {
  const content = await recogniseContent(file);
  const fileType = claimed ?? fileTypeOfName(file.name) ?? likelyType(content, file.name);
  if (fileType === undefined) throw new UnusableFileError(`The file is ${content.name}.`);
  const objection = objectionTo(content, fileType);
  if (objection !== undefined) throw new UnusableFileError(objection);
  try {
    return { fileType, metadata: (await READERS[fileType]?.(file)) ?? NO_METADATA };
  } catch (error) {
    // Parsers throw errors of every class at malformed content; no other work runs in there.
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnusableFileError(`Its metadata can't be read. ${reason}`, { cause: error });
  }
}
