/**
 * Records for each test file which functions ran: in this process by the inspector, in the processes and threads that it
 * starts by NODE_V8_COVERAGE. Set up by vitest.config.ts where `npm run coverage` sets COVERAGE_FOLDER.
 */
import { mkdirSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join, relative } from "node:path";
import threads, { type WorkerOptions } from "node:worker_threads";
import { afterAll, beforeAll, expect } from "vitest";
import { PreciseCoverage } from "../../tools/reach/precise-coverage.ts";
import { folderOf, writeRecord } from "../../tools/reach/records.ts";
import { PROJECT } from "./modules.ts";

declare global {
  /** One for the process: test files share it, but not this module. */
  var preciseCoverage: PreciseCoverage | undefined;
}

/** The service gives its threads an environment of their own. */
function recordThreads(): void {
  const { Worker } = threads;
  threads.Worker = class extends Worker {
    constructor(script: string | URL, options: WorkerOptions = {}) {
      const { NODE_V8_COVERAGE } = process.env;
      super(
        script,
        typeof options.env === "object" ? { ...options, env: { ...options.env, NODE_V8_COVERAGE } } : options,
      );
    }
  };
  syncBuiltinESMExports();
}

if (!globalThis.preciseCoverage) recordThreads();
globalThis.preciseCoverage ??= new PreciseCoverage(PROJECT);
const coverage = globalThis.preciseCoverage;

const currentFolder = (): string => folderOf(relative(PROJECT, expect.getState().testPath ?? "none"));

beforeAll(() => {
  const dumps = join(currentFolder(), "dumps");
  mkdirSync(dumps, { recursive: true, mode: 0o777 });
  process.env.NODE_V8_COVERAGE = dumps;
});

afterAll(() => {
  delete process.env.NODE_V8_COVERAGE;
  writeRecord(currentFolder(), coverage.take(), "sources");
});
