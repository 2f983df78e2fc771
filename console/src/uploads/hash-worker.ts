/** Hashes files beside the page, in pieces: a whole one needn't fit into memory. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { HashReply, HashRequest } from "./hash-file.ts";

const PIECE_BYTES = 4 * 1024 * 1024;

async function hash({ id, file }: HashRequest): Promise<HashReply> {
  reply({ id, part: 0 });
  try {
    const hasher = sha256.create();
    for (let start = 0; start < file.size; start += PIECE_BYTES) {
      hasher.update(new Uint8Array(await file.slice(start, start + PIECE_BYTES).arrayBuffer()));
      reply({ id, part: Math.min(start + PIECE_BYTES, file.size) / file.size });
    }
    return { id, sha256: bytesToHex(hasher.digest()) };
  } catch {
    // It was moved, changed or removed since it was chosen.
    return { id, isUnreadable: true };
  }
}

const reply = (message: HashReply): void => self.postMessage(message);

self.addEventListener("message", ({ data }: MessageEvent<HashRequest>) => void hash(data).then(reply));
