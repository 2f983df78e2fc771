/** Checks the database in a separate process, which can be ended at once; a thread would finish its statement. */
import { type ChildProcess, fork } from "node:child_process";
import { constants, getPriority, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { type DatabaseState, databaseState } from "../soundness.ts";
import { readCompileCache, THREAD_FAILED } from "../workers/worker-thread.ts";
import { examineDatabase } from "./examine.ts";

const SCRIPT = fileURLToPath(import.meta.url);

export class Examination {
  readonly #file: string;
  readonly #running = new Set<ChildProcess>();
  #isClosed = false;

  /** @param file of the database */
  constructor(file: string) {
    this.#file = file;
  }

  /** Like `examineDatabase`. Rejects if the process can't be started or ends early, as with the signal. */
  examine(limit: number, signal?: AbortSignal): Promise<DatabaseState> {
    if (this.#isClosed) return Promise.reject(ended("The database is closed"));
    const child = fork(SCRIPT, [this.#file, String(limit)], {
      execArgv: [],
      env: readCompileCache(),
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      killSignal: "SIGKILL",
      ...(signal && { signal }),
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

  /** Ends the process immediately. It only reads, so nothing is left incomplete. */
  close(): void {
    this.#isClosed = true;
    for (const child of this.#running) child.kill("SIGKILL");
  }
}

const ended = (reason: string): Error => Object.assign(new Error(reason), { code: THREAD_FAILED });

/** The process itself: `examination.ts <file> <limit>` sends one DatabaseState to its parent. */
if (import.meta.main) {
  // Raising it again, where the service runs at an even lower one, is for the superuser.
  setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  const [file = "", limit = ""] = process.argv.slice(2);
  // The parent process has ended.
  process.once("disconnect", () => process.exit());
  process.send?.(await examineDatabase(file, Number(limit)));
}
