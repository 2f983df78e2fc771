/** Asks the worker for the hash of a file. */
import { createSilence, Problem, SILENCE_MS } from "../api/client.ts";

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
 * @throws Problem if the worker can't be loaded, or isn't there in time: the next call starts another one
 */
export function hashFile(id: number, file: File, report: (part: number) => void): Promise<string> {
  worker ??= new Worker(new URL("./hash-worker.ts", import.meta.url), { type: "module" });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const current = worker;
  const end = () => {
    clearTimeout(timer);
    current.removeEventListener("message", receive);
    current.removeEventListener("error", fail);
  };
  const forget = (problem: Problem) => {
    end();
    if (worker === current) worker = undefined;
    current.terminate();
    reject(problem);
  };
  const fail = () => forget(new Problem(0, {}));
  // Its first message says that it is there: a piece of a file can take any time.
  const timer = setTimeout(() => forget(createSilence()), SILENCE_MS);
  const receive = ({ data }: MessageEvent<HashReply>) => {
    clearTimeout(timer);
    if (data.id !== id) return;
    if ("part" in data) return report(data.part);
    end();
    if ("sha256" in data) resolve(data.sha256);
    else reject(new UnreadableFile());
  };
  current.addEventListener("message", receive);
  current.addEventListener("error", fail);
  const request: HashRequest = { id, file };
  current.postMessage(request);
  return promise;
}
