/** Counts the transactions in a write-ahead log (sqlite.org/fileformat.html, 4.1): what the disk says, not the code. */
import { readFileSync } from "node:fs";

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/** @param database the path of the database; its WAL must not have been restarted since it was made */
export function countWalCommits(database: string): number {
  const wal = readFileSync(`${database}-wal`);
  const frameBytes = FRAME_HEADER_BYTES + wal.readUInt32BE(8);
  let commits = 0;
  for (let at = HEADER_BYTES; at + frameBytes <= wal.length; at += frameBytes) {
    // Only the last frame of a transaction names the size of the database.
    if (wal.readUInt32BE(at + 4) > 0) commits += 1;
  }
  return commits;
}
