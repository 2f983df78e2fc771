/** What the service names to a proxy in front of it, which then sends the bytes from the data folder (`X-Accel-Redirect`). */
import { relative, sep } from "node:path";
import type { Clock } from "../system.ts";

interface ProxiedPathsDeps {
  /** Absolute path of the data folder. */
  dataDir: string;
  /** The path below which the proxy has the data folder, with a slash at both ends. */
  prefix: string;
  clock: Clock;
}

/** How long a named path keeps its bytes: a proxy opens it within milliseconds, or seconds on a busy machine. */
export const NAMED_FOR_MS = 60_000;

/** Paths are made by the file store and the cache from hashes: no request chooses one. */
export class ProxiedPaths {
  readonly #deps: ProxiedPathsDeps;
  /** When each path was named last, oldest first: a Map keeps the order of insertion. */
  readonly #namedAt = new Map<string, number>();

  constructor(deps: ProxiedPathsDeps) {
    this.#deps = deps;
  }

  /** @param path absolute, below the data folder @returns the address for the proxy */
  name(path: string): string {
    this.#forgetOld();
    this.#namedAt.delete(path);
    this.#namedAt.set(path, this.#deps.clock.now());
    return this.#deps.prefix + relative(this.#deps.dataDir, path).split(sep).join("/");
  }

  /** Whether the proxy may be about to open the path, which has to stay. */
  isNamed(path: string): boolean {
    const at = this.#namedAt.get(path);
    return at !== undefined && this.#isRecent(at);
  }

  #forgetOld(): void {
    for (const [path, at] of this.#namedAt) {
      if (this.#isRecent(at)) return;
      this.#namedAt.delete(path);
    }
  }

  /** False also if the clock was put back: the age is unknown then, and a path must not stay named for long. */
  #isRecent(at: number): boolean {
    const age = this.#deps.clock.now() - at;
    return age >= 0 && age < NAMED_FOR_MS;
  }
}
