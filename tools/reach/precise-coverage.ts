/** Which functions of this thread ran, from V8 itself: those of modules that vitest runs. */
import { readFileSync } from "node:fs";
import { type Profiler, Session } from "node:inspector";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { alignFunctions, functionAt, type SourceFunction } from "./functions.ts";
import { addStart, isCounted, listRan, type Starts } from "./records.ts";

export class PreciseCoverage {
  readonly #session = new Session();
  readonly #project: string;
  /** By the id of a script: its functions, each with that of the source. */
  readonly #scripts = new Map<string, ReturnType<typeof alignFunctions>>();

  constructor(project: string) {
    this.#project = project;
    this.#session.connect();
    this.#session.post("Profiler.enable");
    this.#session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  }

  /** The functions that ran since the last call. */
  take(): Starts {
    const starts: Starts = new Map();
    const taken = this.#takeRaw();
    // Only for this time: it slows what runs.
    this.#session.post("Debugger.enable");
    for (const { scriptId, url, functions } of taken) {
      const path = url.startsWith("file:") ? relative(this.#project, fileURLToPath(url)) : "";
      if (!isCounted(path)) continue;
      const original = this.#scripts.get(scriptId) ?? this.#align(scriptId, path);
      const made = [...original.keys()];
      for (const offset of listRan(functions)) {
        const ran = functionAt(made, offset);
        const source = ran && original.get(ran);
        if (source) addStart(starts, path, source.start);
      }
    }
    this.#session.post("Debugger.disable");
    return starts;
  }

  // A session of this thread calls back before `post` returns.
  #takeRaw(): Profiler.ScriptCoverage[] {
    let scripts: Profiler.ScriptCoverage[] = [];
    this.#session.post("Profiler.takePreciseCoverage", (error, { result } = { result: [] }) => {
      if (error) throw error;
      scripts = result;
    });
    return scripts;
  }

  #align(scriptId: string, path: string): Map<SourceFunction, SourceFunction | undefined> {
    let made = "";
    this.#session.post("Debugger.getScriptSource", { scriptId }, (error, result) => {
      if (error) throw error;
      made = result.scriptSource;
    });
    const aligned = alignFunctions(path, made, readFileSync(join(this.#project, path), "utf8"));
    this.#scripts.set(scriptId, aligned);
    return aligned;
  }
}
