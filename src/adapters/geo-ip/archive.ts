/** Unpacks a provider's archive: `.tar.gz` with text files and one `.mmdb` file. */
import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { type Extract, extract, type Header } from "tar-stream";
import { CloudFetchError } from "../cloud-fetch.ts";
import { GeoIpFormatError, MAX_DATABASE_BYTES } from "./database.ts";

/** The text files next to the database are short. */
const MAX_UNPACKED_BYTES = MAX_DATABASE_BYTES + 1024 * 1024;

/**
 * Keeps the bytes of the single database, in memory. Nothing else in the archive is used, and no name in it becomes a
 * path.
 * @returns the database, and the archive's SHA-256 in lower-case hexadecimal digits
 * @throws GeoIpFormatError for any other archive; a CloudFetchError of `archive` unchanged
 */
export async function unpackDatabase(archive: Readable): Promise<{ database: Buffer; sha256: string }> {
  const hash = createHash("sha256");
  const gunzip = createGunzip();
  const entries = extract();
  let unpacked = 0;
  archive.on("data", (chunk: Buffer) => hash.update(chunk));
  gunzip.on("data", (chunk: Buffer) => {
    unpacked += chunk.length;
    if (unpacked > MAX_UNPACKED_BYTES) gunzip.destroy(new GeoIpFormatError("The archive is too large."));
  });
  const [flow, kept] = await Promise.allSettled([
    pipeline(archive, gunzip, entries),
    extractDatabase(entries),
  ]);
  if (flow.status === "fulfilled" && kept.status === "fulfilled") {
    return { database: kept.value, sha256: hash.digest("hex") };
  }
  // A failure on one side ends the other with a less specific error.
  const errors = [kept, flow].flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
  const cause = errors.find((error) => error instanceof GeoIpFormatError || error instanceof CloudFetchError);
  throw cause ?? new GeoIpFormatError("The archive is damaged.", { cause: errors[0] });
}

async function extractDatabase(entries: Extract): Promise<Buffer> {
  let database: Buffer | undefined;
  for await (const entry of entries) {
    const { header } = entry;
    if (!isPlain(header)) {
      throw new GeoIpFormatError("The archive contains entries that are not plain files.");
    }
    if (header.type === "directory" || !/\.mmdb$/i.test(header.name)) {
      entry.resume();
      continue;
    }
    if (database) throw new GeoIpFormatError("The archive contains more than one database.");
    if (header.size > MAX_DATABASE_BYTES) throw new GeoIpFormatError("The database is too large.");
    database = await readBytes(entry, header.size);
  }
  if (!database) throw new GeoIpFormatError("The archive contains no database.");
  return database;
}

/** A file or folder that every unpacking program would put below its own folder. */
const isPlain = ({ type, name }: Header): boolean =>
  (type === "file" || type === "directory") && !/^[/~]|^[a-z]:|\\|(^|\/)\.\.(\/|$)/i.test(name);

/** Reads into one buffer: joining thousands of chunks would block the event loop and need twice the memory. */
async function readBytes(entry: AsyncIterable<unknown>, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  let at = 0;
  for await (const chunk of entry) {
    if (!(chunk instanceof Uint8Array)) continue;
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
