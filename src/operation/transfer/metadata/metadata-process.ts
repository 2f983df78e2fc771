/** The process that reads metadata; MetadataReader starts it, watches it and ends it. */
import { ZipError } from "../../../adapters/file-types/zip-entries.ts";
import { serveParent } from "../../../adapters/watched-process/watched-work.ts";
import { messageOf, refusalOf } from "../../../lib/node-errors.ts";
import type { MetadataType } from "../../../schemas/file-types.ts";
import { type LocalFile, openChecked, UnusableFileError } from "../local-files.ts";
import type { FileMetadata } from "./metadata.ts";
import { type Outcome, question } from "./metadata-messages.ts";
import { UnreadableError } from "./unreadable-error.ts";

interface Format {
  /** Both throw if the file is damaged; an UnreadableError has a sentence. */
  read(file: Source, fileType: MetadataType): Promise<FileMetadata>;
  readCover?(file: Source, fileType: MetadataType): Promise<Buffer>;
}

type Source = Pick<LocalFile, "path" | "sizeBytes" | "open">;

const loadEpub = () => import("./epub.ts");
const loadAudio = () => import("./audio.ts");
const loadMobi = () => import("./mobi.ts");

/** A library is loaded with the first file that needs it. */
const FORMATS: Readonly<Record<MetadataType, () => Promise<Format>>> = {
  epub: loadEpub,
  kepub: loadEpub,
  pdf: () => import("./pdf.ts"),
  mobi: loadMobi,
  azw3: loadMobi,
  fb2: () => import("./fb2.ts"),
  docx: () => import("./docx.ts"),
  odt: () => import("./odt.ts"),
  html: () => import("./html.ts"),
  cbz: () => import("./cbz.ts"),
  mp3: loadAudio,
  m4b: loadAudio,
};

async function readOutcome(given: unknown): Promise<Outcome> {
  try {
    const asked = question.parse(given);
    const { path, sizeBytes, identity } = asked;
    const file: Source = { path, sizeBytes, open: () => openChecked(path, identity) };
    if (asked.part === "sheet") return { sheet: await (await import("./xlsx.ts")).readFirstSheet(file) };
    const { read, readCover } = await FORMATS[asked.fileType]();
    if (asked.part === "metadata") return { metadata: await read(file, asked.fileType) };
    if (!readCover) throw new UnreadableError("Files of its type have no cover.");
    return { cover: await readCover(file, asked.fileType) };
  } catch (error) {
    return describeError(error);
  }
}

/** Parsers throw errors of every class at malformed content; no other work runs in here. */
function describeError(error: unknown): Outcome {
  if (error instanceof UnreadableError || error instanceof ZipError) return { error: error.message };
  if (error instanceof UnusableFileError) return { error: error.message, isOfFile: true };
  const refusal = refusalOf(error);
  if (refusal !== undefined) return { error: `The file can't be read: ${refusal}.`, isOfFile: true };
  return { error: DAMAGED, detail: messageOf(error).slice(0, MAX_DETAIL) };
}

const DAMAGED = "It is damaged, or written in an unusual way.";
const MAX_DETAIL = 500;

serveParent(readOutcome);
