/** Writes a ZIP whose bytes depend only on the order, names and contents of its entries. */
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import type { ZipArchive } from "archiver";

/** One file of a ZIP. Names are unique and contain no folders. */
export type ZipEntry =
  /** `open` is called when the entry is written; its stream is always destroyed here. */
  { name: string; open: () => Promise<Readable> } | { name: string; text: string };

/** The earliest date of the ZIP format. archiver writes it in UTC, so the machine's time zone doesn't matter. */
const DATE = new Date(Date.UTC(1980, 0, 1));
const MODE = 0o644;

/** archiver would change slashes and drive letters, and unpacking programs the rest. */
const UNSAFE_NAME = /^\.{0,2}$|[/\\:\p{Cc}\p{Cs}]/u;

/** Blocks the event loop for about 100 ms the first time. */
export const loadArchiver = () => import("archiver");

/**
 * Writes the entries in order without compression, and ends `output`.
 * If an entry can't be read completely, the output fails or the signal aborts, the output is destroyed and the reason
 * is thrown: a ZIP that looks complete contains every entry completely.
 */
export async function writeZip(
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>,
  output: Writable,
  signal?: AbortSignal,
): Promise<void> {
  const { ZipArchive } = await loadArchiver();
  const archive = new ZipArchive({ store: true, highWaterMark: 1024 * 1024 });
  const written = pipeline(archive, output, signal === undefined ? {} : { signal });
  // It can fail while an entry is being opened and nothing awaits it; the next await still gets the error.
  written.catch(() => {});
  // After a warning, archiver continues without the entry in question.
  archive.on("warning", (warning) => archive.destroy(warning));
  // Its inner streams can still fail after the pipeline has ended.
  archive.on("error", () => {});
  try {
    const taken = new Set<string>();
    for await (const entry of entries) {
      rejectUnsafeName(entry.name, taken);
      await append(archive, entry, written);
    }
    await Promise.all([archive.finalize(), written]);
  } catch (error) {
    archive.destroy(error instanceof Error ? error : new Error("An entry broke.", { cause: error }));
    // Only waits until the output is destroyed; the first error is the one to report.
    await written.catch(() => {});
    throw error;
  }
}

/** Resolves when the archive has read the whole entry; `written` rejects if it can't. */
async function append(archive: ZipArchive, entry: ZipEntry, written: Promise<void>): Promise<void> {
  const described = { name: entry.name, date: DATE, mode: MODE };
  if ("text" in entry) {
    const appended = once(archive, "entry");
    archive.append(entry.text, described);
    await Promise.race([appended, written]);
    return;
  }
  const source = await entry.open();
  try {
    const appended = once(archive, "entry");
    archive.append(source, described);
    // archiver doesn't notice a source that fails or closes early, and would wait forever.
    await Promise.race([Promise.all([finished(source, { writable: false }), appended]), written]);
  } finally {
    source.destroy();
  }
}

function rejectUnsafeName(name: string, taken: Set<string>): void {
  if (UNSAFE_NAME.test(name)) throw new TypeError(`Not a name for a ZIP entry: ${JSON.stringify(name)}`);
  if (taken.has(name)) throw new TypeError(`Two ZIP entries are named ${JSON.stringify(name)}`);
  taken.add(name);
}
