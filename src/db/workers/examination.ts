/** Examines the database in a process of its own: it can be ended at once, where a thread first finishes its statement. */
import { type ChildProcess, fork } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { type DatabaseState, databaseState } from "../soundness.ts";
import { NOT_STARTED } from "./asked-worker.ts";

const SCRIPT = fileURLToPath(new URL("./examination-process.ts", import.meta.url));

export class Examination {
  readonly #file: string;
  readonly #running = new Set<ChildProcess>();
  #isClosed = false;

  /** @param file of the database */
  constructor(file: string) {
    this.#file = file;
  }

  /** As `examineDatabase`. Rejects when the process can't be started, or is ended before it is done. */
  examine(limit: number): Promise<DatabaseState> {
    if (this.#isClosed) return Promise.reject(ended("The database is closed"));
    const child = fork(SCRIPT, [this.#file, String(limit)], {
      execArgv: [],
      env: { NODE_COMPILE_CACHE: compileCache() },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#running.add(child);
    return new Promise<DatabaseState>((resolve, reject) => {
      child.once("message", (message) => {
        const state = databaseState.safeParse(message);
        if (state.success) resolve(state.data);
        else reject(ended("The examination of the database has failed"));
      });
      child.once("error", (error) => reject(ended(error.message)));
      child.once("exit", () => reject(ended("The examination of the database was ended")));
    }).finally(() => {
      this.#running.delete(child);
      child.kill("SIGKILL");
    });
  }

  /** Ends what is under way at once. It only reads: nothing is left half-done. */
  close(): void {
    this.#isClosed = true;
    for (const child of this.#running) child.kill("SIGKILL");
  }
}

const ended = (reason: string): Error => Object.assign(new Error(reason), { code: NOT_STARTED });

/** Of the environment, the process gets nothing but the cache of compiled sources. */
function compileCache(): string | undefined {
  const versioned = getCompileCacheDir();
  return versioned === undefined ? undefined : dirname(versioned);
}
