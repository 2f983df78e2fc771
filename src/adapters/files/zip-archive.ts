/** Writes a ZIP whose bytes depend on nothing but its entries: their order, names and contents. */
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import type { ZipArchive } from "archiver";

/** One file of a ZIP. Names are unique and without folders. */
export type ZipEntry =
  /** `open` is called when the entry's turn comes; its stream is destroyed here in every case. */
  { name: string; open: () => Promise<Readable> } | { name: string; text: string };

/** The earliest that a ZIP can say. archiver writes it in UTC, so the machine's zone doesn't matter. */
const DATE = new Date(Date.UTC(1980, 0, 1));
const MODE = 0o644;

/** Slashes and drive letters would be changed by archiver, the rest by whoever unpacks. */
const UNSAFE_NAME = /^\.{0,2}$|[/\\:\p{Cc}\p{Cs}]/u;

/** Holds the event loop for some 100 ms the first time. */
export const loadArchiver = () => import("archiver");

/**
 * Writes the entries one after the other, stored and not compressed, and ends `output`.
 *
 * When an entry can't be read to its end, the output fails or the signal aborts, the output is destroyed and the
 * reason is thrown: a ZIP that looks whole holds every entry whole.
 */
export async function writeZip(
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>,
  output: Writable,
  signal?: AbortSignal,
): Promise<void> {
  const { ZipArchive } = await loadArchiver();
  const archive = new ZipArchive({ store: true, highWaterMark: 1024 * 1024 });
  const written = pipeline(archive, output, signal === undefined ? {} : { signal });
  // It may fail while an entry is being opened and nobody listens; whoever comes next still sees it.
  written.catch(() => {});
  // archiver goes on after a warning, without the entry that it warns of.
  archive.on("warning", (warning) => archive.destroy(warning));
  // Its inner streams may still fail after the pipeline has let go of it.
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
    // Only so that the output is destroyed when this throws: the first reason is the one to tell.
    await written.catch(() => {});
    throw error;
  }
}

/** Resolves when the archive has taken in the whole entry; `written` rejects when it never will. */
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
    // archiver doesn't hear of a source that fails or is closed before its end: it would wait for ever.
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
