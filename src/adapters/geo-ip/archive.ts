/** The archive in which the provider packs a database: `.tar.gz` with texts and one file `.mmdb`. */
import { createHash, type Hash } from "node:crypto";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { type Extract, extract, type Header } from "tar-stream";
import { AppError } from "../../errors.ts";
import { GeoIpFormatError, MAX_DATABASE_BYTES } from "./database.ts";

/** The texts beside the database are short. */
const MAX_UNPACKED_BYTES = MAX_DATABASE_BYTES + 1024 * 1024;
const MAX_ENTRIES = 100;

export interface Unpacking {
  /** Takes the database piece by piece. Throws an AppError when it can't be stored. */
  write(piece: Uint8Array): Promise<void>;
  /** Hears how much of the archive has come. */
  received(bytes: number): void;
}

/**
 * Nothing of the archive but its one database reaches the disk, and no name in it becomes a path.
 * @returns the archive's SHA-256 in lower-case hexadecimal digits
 * @throws GeoIpFormatError when it isn't such an archive; else what `archive` or `write` fails with
 */
export async function unpackDatabase(archive: Readable, { write, received }: Unpacking): Promise<string> {
  const hash = createHash("sha256");
  const entries = extract();
  const [flow, kept] = await Promise.allSettled([
    pipeline(counted(archive, hash, received), createGunzip(), bounded(), entries),
    keepDatabase(entries, write),
  ]);
  // Where both have failed, the flow may only have felt that nobody took its entries any more.
  const failed = [kept, flow].find((outcome) => outcome.status === "rejected");
  if (failed) throw reasonOf(failed.reason);
  return hash.digest("hex");
}

async function* counted(archive: Readable, hash: Hash, received: Unpacking["received"]) {
  let bytes = 0;
  try {
    for await (const piece of archive) {
      hash.update(piece);
      bytes += piece.length;
      received(bytes);
      yield piece;
    }
  } catch (error) {
    throw new LostError(error);
  }
}

/** The archive didn't come: that says nothing of what is in it. */
class LostError extends Error {
  constructor(cause: unknown) {
    super("The archive was lost", { cause });
  }
}

/** Ends a bomb. */
function bounded(): Transform {
  let unpacked = 0;
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      unpacked += piece.length;
      if (unpacked > MAX_UNPACKED_BYTES) done(new GeoIpFormatError("The unpacked archive is too large."));
      else done(null, piece);
    },
  });
}

async function keepDatabase(entries: Extract, write: Unpacking["write"]): Promise<void> {
  let [seen, databases] = [0, 0];
  for await (const entry of entries) {
    if (++seen > MAX_ENTRIES) throw new GeoIpFormatError("The archive has too many entries.");
    if (!isPlain(entry.header))
      throw new GeoIpFormatError("The archive contains entries that are not plain files.");
    if (!isDatabase(entry.header)) {
      entry.resume();
      continue;
    }
    if (++databases > 1) throw new GeoIpFormatError("The archive contains more than one database.");
    if (entry.header.size > MAX_DATABASE_BYTES) throw new GeoIpFormatError("The database is too large.");
    await copy(entry, write);
  }
  if (databases === 0) throw new GeoIpFormatError("The archive contains no database.");
}

async function copy(entry: AsyncIterable<unknown>, write: Unpacking["write"]): Promise<void> {
  for await (const piece of entry) if (piece instanceof Uint8Array) await write(piece);
}

/** A file or folder that any unpacker would put below its own folder. */
const isPlain = ({ type, name }: Header): boolean =>
  (type === "file" || type === "directory") &&
  !/^[/~]|^[a-z]:|[\\\p{Cc}]/iu.test(name) &&
  !name.split("/").includes("..");

const isDatabase = ({ type, name }: Header): boolean => type === "file" && /\.mmdb$/i.test(name);

function reasonOf(error: unknown): unknown {
  if (error instanceof LostError) return error.cause;
  if (error instanceof AppError || error instanceof GeoIpFormatError) return error;
  return new GeoIpFormatError("The archive is damaged.", error);
}
