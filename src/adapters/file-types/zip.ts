/** Reads the directory of a ZIP archive (APPNOTE.TXT 6.3, 4.3) within limits, and the small entries that declare its type. */
import { Readable } from "node:stream";
import { inflateRawSync } from "node:zlib";
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from "yauzl";
import { codeOf } from "../../lib/node-errors.ts";
import type { ByteHandle } from "../files/file-store.ts";

export interface ZipContents {
  /** The names of the entries, one character per byte; for a directory above 1 MiB, those in the first MiB. */
  names: readonly string[];
  /** The type that the archive declares: the text of its entry `mimetype`, or what the manifest of OpenDocument says. */
  mediaType: string | undefined;
}

/**
 * Undefined for an archive that is damaged, or that different programs read differently. Throws only errors of reading.
 */
export async function readZip(file: ByteHandle, sizeBytes: number): Promise<ZipContents | undefined> {
  try {
    const reader = new FileReader(file, sizeBytes);
    const zip = await fromRandomAccessReaderPromise(reader, sizeBytes, {
      autoClose: false,
      decodeStrings: false,
      validateEntrySizes: false,
    });
    return zip.entryCount === 0 ? { names: [], mediaType: undefined } : await readContents(zip, file);
  } catch (error) {
    // Errors of the file system have a code, those of yauzl don't.
    if (codeOf(error) !== undefined) throw error;
    return undefined;
  }
}

/**
 * Reads in blocks, because yauzl reads twice per entry. Its own file reader ends the process if an archive contains an
 * offset above 2^53.
 */
export class FileReader extends RandomAccessReader {
  readonly #file: ByteHandle;
  readonly #sizeBytes: number;
  #block: Buffer = Buffer.alloc(0);
  #blockPosition = 0;

  constructor(file: ByteHandle, sizeBytes: number) {
    super();
    this.#file = file;
    this.#sizeBytes = sizeBytes;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    this.#load(position, length).then((piece) => callback(null, piece.copy(buffer, offset)), callback);
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#readBlocks(start, end));
  }

  /** Not a stream of the file: destroying one, as yauzl does, closes the file. */
  async *#readBlocks(start: number, end: number): AsyncGenerator<Buffer> {
    for (let position = start; position < end; position += BLOCK_BYTES) {
      yield await readBytes(this.#file, position, Math.min(BLOCK_BYTES, end - position));
    }
  }

  async #load(position: number, length: number): Promise<Buffer> {
    const isLoaded =
      position >= this.#blockPosition && position + length <= this.#blockPosition + this.#block.length;
    if (!isLoaded && position < this.#sizeBytes) {
      this.#block = await readBytes(this.#file, position, Math.max(length, BLOCK_BYTES));
      this.#blockPosition = position;
    }
    const start = position - this.#blockPosition;
    return this.#block.subarray(start, start + length);
  }
}

const BLOCK_BYTES = 16 * 1024;

/** `length` bytes from `position` on, or fewer at the end of the file. */
export async function readBytes(file: ByteHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}

const MAX_DIRECTORY_BYTES = 1024 * 1024;

async function readContents(zip: ZipFile, file: ByteHandle): Promise<ZipContents | undefined> {
  const { names, first, declaring } = await readDirectory(zip);
  const isWhole = names.length === zip.entryCount;
  if (first === undefined || (isWhole && !endsBehindDirectory(zip))) return undefined;
  const header = await zip.readLocalFileHeaderPromise(first);
  if (!header.fileName.equals(first.fileNameRaw) || header.compressionMethod !== first.compressionMethod) {
    return undefined;
  }
  const mimetype = declaring.get(MIMETYPE);
  if (mimetype) return { names, mediaType: (await readSmallEntry(zip, file, mimetype))?.trim() };
  const manifest = declaring.get(MANIFEST);
  return { names, mediaType: manifest && findRootType((await readSmallEntry(zip, file, manifest)) ?? "") };
}

async function readDirectory(zip: ZipFile) {
  const names: string[] = [];
  const declaring = new Map<string, Entry>();
  let first: Entry | undefined;
  const limit = positionIn(zip) + MAX_DIRECTORY_BYTES;
  for await (const entry of zip.eachEntry()) {
    const name = nameOf(entry);
    names.push(name);
    if (name === MIMETYPE || name === MANIFEST) declaring.set(name, entry);
    if (entry.relativeOffsetOfLocalHeader === 0) first = entry;
    if (positionIn(zip) > limit) break;
  }
  return { names, first, declaring };
}

const MIMETYPE = "mimetype";
const MANIFEST = "META-INF/manifest.xml";

/** The text of a stored or deflated entry; undefined if it is larger than the entries that declare a type. */
async function readSmallEntry(zip: ZipFile, file: ByteHandle, entry: Entry): Promise<string | undefined> {
  if (entry.compressedSize > MAX_DECLARATION_BYTES) return undefined;
  const { fileDataStart, compressionMethod } = await zip.readLocalFileHeaderPromise(entry);
  const bytes = await readBytes(file, fileDataStart, entry.compressedSize);
  if (compressionMethod === STORED) return bytes.toString("latin1");
  try {
    return inflateRawSync(bytes, { maxOutputLength: MAX_DECLARATION_BYTES }).toString("latin1");
  } catch {
    return undefined; // Damaged, larger, or compressed in another way
  }
}

const STORED = 0;
const MAX_DECLARATION_BYTES = 64 * 1024;

/** The type of the whole document in a manifest of OpenDocument (part 2, 4.3). */
function findRootType(manifest: string): string | undefined {
  const root = manifest
    .split("<")
    .find((tag) => /\sfull-path\s?=\s?["']\/["']|:full-path\s?=\s?["']\/["']/.test(tag));
  return root && /media-type\s?=\s?["']([^"']{1,128})/.exec(root)?.[1];
}

const nameOf = ({ fileNameRaw }: Entry): string => fileNameRaw.toString("latin1");
/**
 * Whether the directory that was read is the one before the end of the archive. Of two archives in one file, some
 * programs see the first, because they count from the beginning of the file, and others the second.
 */
function endsBehindDirectory(zip: ZipFile): boolean {
  const gap = zip.fileSize - END_BYTES - Buffer.byteLength(zip.comment) - positionIn(zip);
  return gap === 0 || gap === ZIP64_END_BYTES;
}

/** The position up to which the directory was read. The types declare it as a boolean. */
const positionIn = ({ readEntryCursor }: ZipFile): number => Number(readEntryCursor);

const END = Buffer.from("PK\x05\x06", "latin1");
const END_BYTES = 22;
/** The record and its locator. */
const ZIP64_END_BYTES = 76;

/** The maximum size of the record at the end of an archive, with a comment. */
export const MAX_END_BYTES = END_BYTES + 0xffff;

/** Whether a file with these last bytes is also a ZIP archive: programs find an archive from its end. */
export function endsAsZip(tail: Buffer): boolean {
  let at = tail.lastIndexOf(END);
  while (at > 0) {
    const endsAt = at + END_BYTES;
    if (endsAt <= tail.length && endsAt + tail.readUInt16LE(at + 20) === tail.length) return true;
    at = tail.lastIndexOf(END, at - 1);
  }
  return false;
}
