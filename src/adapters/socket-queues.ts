/** What lies in the system's buffers between us and our peers. Only Linux tells. */
import { readFile } from "node:fs/promises";

const TABLES = ["/proc/self/net/tcp", "/proc/self/net/tcp6"];

/** Own address and port, the peer's, state, what was sent and not taken, what came and wasn't read (see proc(5)). */
const ENTRY =
  /^ *\d+: [\dA-F]+:([\dA-F]{4}) [\dA-F]+:([\dA-F]{4}) [\dA-F]{2} (?!0{8}:0{8})([\dA-F]{8}:[\dA-F]{8})/gm;

/**
 * By the port of the peer: a text that changes whenever it takes something of what we have sent. A proxy on this machine has
 * an entry of its own, which tells of each read; its system tells ours of some tens of kilobytes at once. Peers that use
 * the same port aren't told apart.
 */
export async function socketQueues(ownPort: number): Promise<ReadonlyMap<number, string>> {
  const queues = new Map<number, string>();
  for (const table of await Promise.all(TABLES.map(textOf))) {
    for (const [, from = "", to = "", held = ""] of table.matchAll(ENTRY)) {
      const ports = [from, to].map((hex) => Number.parseInt(hex, 16));
      const peer = ports.find((port) => port !== ownPort);
      if (peer !== undefined && ports.includes(ownPort))
        queues.set(peer, `${queues.get(peer) ?? ""} ${held}`);
    }
  }
  return queues;
}

const textOf = (path: string): Promise<string> => readFile(path, "latin1").catch(() => "");
