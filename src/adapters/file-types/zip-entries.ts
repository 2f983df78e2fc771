/** Reads single entries of a ZIP archive into memory, within limits. */
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from "yauzl";
import type { ByteHandle } from "../files/file-store.ts";
import { FileReader } from "./zip.ts";

/** Far more than any book has. */
const MAX_ENTRIES = 50_000;

export class ZipEntries {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  /**
   * @param file stays open as long as entries are read, and is closed by the caller
   * @throws Error with a sentence if the archive is damaged
   */
  static async open(file: ByteHandle, sizeBytes: number): Promise<ZipEntries> {
    const reader = new FileReader(file, sizeBytes);
    const zip = await fromRandomAccessReaderPromise(reader, sizeBytes, { autoClose: false });
    if (zip.entryCount > MAX_ENTRIES) throw new Error(`The archive has ${zip.entryCount} entries.`);
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
    return new ZipEntries(zip, entries);
  }

  /**
   * @returns undefined if there is no such entry
   * @throws Error if its content has more than `maxBytes`, or is damaged; an archive can't declare less than it has
   */
  async read(name: string, maxBytes: number): Promise<Buffer | undefined> {
    const stream = await this.stream(name, maxBytes);
    return stream && buffer(stream);
  }

  /** As `read`, in pieces. */
  async stream(name: string, maxBytes: number): Promise<Readable | undefined> {
    const entry = this.#entries.get(name);
    if (!entry) return undefined;
    if (entry.uncompressedSize > maxBytes) {
      throw new Error(`${name} has ${entry.uncompressedSize} bytes; at most ${maxBytes} are read.`);
    }
    return this.#zip.openReadStreamPromise(entry);
  }
}
