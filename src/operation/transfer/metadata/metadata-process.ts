/** The process that reads metadata; MetadataReader starts it, watches it and ends it. */
import { isMainThread, Worker } from "node:worker_threads";
import { messageOf } from "../../../lib/node-errors.ts";
import { type LocalFile, openChecked } from "../local-files.ts";
import type { FileMetadata } from "./metadata.ts";
import { type MetadataType, type Outcome, question, READY } from "./metadata-messages.ts";

interface Format {
  /** Both throw an Error with a sentence if the file is damaged. */
  read(file: Source): Promise<FileMetadata>;
  readCover?(file: Source): Promise<Buffer>;
}

type Source = Pick<LocalFile, "path" | "sizeBytes" | "open">;

const loadEpub = () => import("./epub.ts");
const loadPdf = () => import("./pdf.ts");
const loadAudio = () => import("./audio.ts");

/** A library is loaded with the first file that needs it. */
const FORMATS: Readonly<Record<MetadataType, () => Promise<Format>>> = {
  epub: loadEpub,
  kepub: loadEpub,
  pdf: loadPdf,
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
    if (asked.part === "metadata") return { metadata: await read(file) };
    if (!readCover) throw new Error("Files of its type have no cover.");
    return { cover: await readCover(file) };
  } catch (error) {
    // Parsers throw errors of every class at malformed content; no other work runs in here.
    return { error: messageOf(error) };
  }
}

const PARENT_EVERY_MS = 500;

/** A process that is busy in a parser doesn't notice by itself that its parent has ended. */
function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, "SIGKILL");
  }, PARENT_EVERY_MS);
}

if (!isMainThread) endWithParent();
else if (process.send) {
  process.on("disconnect", () => process.exit());
  process.on("message", async (given) => process.send?.(await readOutcome(given)));
  new Worker(new URL(import.meta.url)).once("online", () => process.send?.(READY)).unref();
}
