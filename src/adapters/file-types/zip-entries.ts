/** Reads single entries of a ZIP archive into memory, within limits. */
import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel, type ZipFile } from "yauzl";
import { codeOf } from "../../lib/node-errors.ts";
import type { ByteHandle } from "../files/file-store.ts";
import { FileReader } from "./zip.ts";

/** Far more than any book has. */
const MAX_ENTRIES = 50_000;

/** The archive is damaged, or has more than is read; the message is a sentence. */
export class ZipError extends Error {}

export class ZipEntries {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  /** By name as `normalise` writes it; made when a name isn't there as it is written. */
  #names: ReadonlyMap<string, string> | undefined;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  /**
   * @param file stays open as long as entries are read, and is closed by the caller
   * @throws ZipError, or an error of yauzl if the directory is damaged
   */
  static async open(file: ByteHandle, sizeBytes: number): Promise<ZipEntries> {
    const reader = new FileReader(file, sizeBytes);
    // Nothing is written to a path of this name, and nothing is read beyond its own bound: names and sizes that another
    // program would reject do no harm.
    const options = { autoClose: false, decodeStrings: false, validateEntrySizes: false };
    const zip = await openOrExplain(fromRandomAccessReaderPromise(reader, sizeBytes, options));
    if (zip.entryCount > MAX_ENTRIES) throw new ZipError(`The archive has ${zip.entryCount} entries.`);
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) entries.set(nameOf(entry), entry);
    return new ZipEntries(zip, entries);
  }

  /** In the order of the directory. */
  names(): string[] {
    return [...this.#entries.keys()];
  }

  /**
   * The name of the entry that is meant: as it is written, or else percent-decoded, without regard to case, `./` and a
   * slash at its begin. Undefined if there is none.
   */
  find(written: string): string | undefined {
    if (this.#entries.has(written)) return written;
    this.#names ??= new Map(this.names().map((name) => [normalise(name), name]));
    return this.#names.get(normalise(written)) ?? this.#names.get(normalise(decodePercent(written)));
  }

  /**
   * @param name as `find` returns it
   * @returns undefined if there is no such entry
   * @throws ZipError if its content has more than `maxBytes`; an error of yauzl or zlib if it is damaged
   */
  async read(name: string, maxBytes: number): Promise<Buffer | undefined> {
    const pieces = await this.stream(name, maxBytes);
    return pieces && Buffer.concat(await Array.fromAsync(pieces));
  }

  /** As `read`, in pieces. */
  async stream(name: string, maxBytes: number): Promise<AsyncIterable<Buffer> | undefined> {
    const entry = this.#entries.get(name);
    if (!entry) return undefined;
    if (entry.uncompressedSize > maxBytes) throw tooLarge(name, entry.uncompressedSize, maxBytes);
    return limitBytes(await this.#zip.openReadStreamPromise(entry), name, maxBytes);
  }
}

async function openOrExplain(opening: Promise<ZipFile>): Promise<ZipFile> {
  try {
    return await opening;
  } catch (cause) {
    // Errors of the file system have a code, those of yauzl don't.
    if (codeOf(cause) !== undefined) throw cause;
    throw new ZipError("It is no ZIP archive, or a damaged one.", { cause });
  }
}

const tooLarge = (name: string, sizeBytes: number | string, maxBytes: number): ZipError =>
  new ZipError(`${name} has ${sizeBytes} bytes; at most ${maxBytes} are read.`);

/** An archive can declare less than it has. */
async function* limitBytes(
  bytes: AsyncIterable<Buffer>,
  name: string,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const piece of bytes) {
    length += piece.length;
    if (length > maxBytes) throw tooLarge(name, `more than ${maxBytes}`, maxBytes);
    yield piece;
  }
}

const nameOf = ({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string =>
  getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);

/** With slashes, without `.` and `..`, composed and in lower case. */
function normalise(name: string): string {
  const segments: string[] = [];
  for (const segment of name.replaceAll("\\", "/").split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return segments.join("/").normalize("NFC").toLowerCase();
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A percent sign of its own
  }
}
