/** Asks the worker for the hash of a file. */

export interface HashRequest {
  id: number;
  file: File;
}

export type HashReply =
  | { id: number; part: number }
  | { id: number; sha256: string }
  | { id: number; isUnreadable: true };

/** The file can't be read any more. */
export class UnreadableFile extends Error {}

let worker: Worker | undefined;

/**
 * The SHA-256 of a file, in hexadecimal.
 * @param report gets the part that was read, 0 to 1
 * @throws UnreadableFile
 */
export function hashFile(id: number, file: File, report: (part: number) => void): Promise<string> {
  worker ??= new Worker(new URL("./hash-worker.ts", import.meta.url), { type: "module" });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const current = worker;
  const receive = ({ data }: MessageEvent<HashReply>) => {
    if (data.id !== id) return;
    if ("part" in data) return report(data.part);
    current.removeEventListener("message", receive);
    if ("sha256" in data) resolve(data.sha256);
    else reject(new UnreadableFile());
  };
  current.addEventListener("message", receive);
  const request: HashRequest = { id, file };
  current.postMessage(request);
  return promise;
}
