import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { findMemoryFolder } from "./test/support/memory-folder.ts";

const memory = findMemoryFolder();

/** A test hangs after this time. It isn't a bound of what is tested, so that it holds on a machine that does much else. */
const HANG_MS = 120_000;
const SAME_PRIORITY = new URL("test/support/same-priority.mjs", import.meta.url).href;
/** But what a file reaches in threads is seen when they end. */
const THREADS = process.env.COVERAGE_FOLDER
  ? {}
  : { piscina: fileURLToPath(new URL("test/support/reused-threads.ts", import.meta.url)) };

const onMemory = memory === undefined ? {} : { env: { TMPDIR: memory } };

/** Test files that share processes: one that has loaded the service leaves it loaded for the next. */
const oneProcess = () => ({
  isolate: false,
  alias: THREADS,
  globalSetup: "test/support/empty-database.ts",
  execArgv: ["--import", SAME_PRIORITY],
  ...onMemory,
  testTimeout: HANG_MS,
  hookTimeout: HANG_MS,
});

/** Imports and exports also use the database and the file store directly, and all ways of an import make the same rows. */
const TRANSFER = "test/transfer/{import.check,remote-import.slow,export}.test.ts";
/** Slow tests that `cluster` runs, too: statements of other threads and connections than the rest of the API. */
const EXPORTS = "test/api/*export*.slow.test.ts";

/** Tests that need an S3 store. @param database the set-up of the database */
const onStore = (database: string) => ({
  ...oneProcess(),
  setupFiles: ["test/support/compile-cache.ts", "test/support/skip-without-s3.ts"],
  globalSetup: [database, "test/support/s3-server.ts"],
});

/** Those of vitest itself, and in the last step of `.ci/run` one that prints above their summary how long the steps took. */
const reporters = () => {
  const { LAST_STEP, GITHUB_ACTIONS } = process.env;
  if (LAST_STEP === undefined) return {};
  const own = GITHUB_ACTIONS === "true" ? ["default", "github-actions"] : ["default"];
  return { reporters: ["test/support/step-times.ts", ...own] };
};

/** They take longest and are short: at the end, each would keep one worker busy for minutes and leave the others idle. */
const LONG =
  /(fuzz|drill|public-site|cli.*|server|caching-proxy|accel|examples|documented-commands)\.deep|(import-catalogues|sick-store-waits|versions|audit-coverage|event-counts-large)\.slow/;

class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** Where `npm run coverage` runs the tests. */
const recording = process.env.COVERAGE_FOLDER ? ["test/support/record-coverage.ts"] : [];

export default defineConfig({
  test: {
    ...reporters(),
    // No response may depend on the zone of the machine: this one is on another day than UTC at midnight, and has summer time.
    env: { TZ: "America/Adak" },
    // The default leaves one core free: of two, that is half.
    maxWorkers: "100%",
    // Tests of a file in any order. Files: those that took longest first, so that no worker has a long one left at the end.
    sequence: { shuffle: { tests: true, files: false }, sequencer: LongFilesFirst },
    setupFiles: ["test/support/compile-cache.ts", ...recording],
    // test/clients has packages of its own, some of which bring their tests along.
    exclude: ["**/node_modules/**"],
    // Less than that of a test, so that the failure says what was waited for.
    expect: { poll: { timeout: HANG_MS / 2 } },
    projects: [
      // What a newcomer runs, within a minute: `npm test`.
      {
        extends: true,
        test: {
          name: "main",
          include: ["test/**/!(*.check|*.slow|*.deep|*.postgres|*.s3|*.wordpress).test.ts"],
          ...oneProcess(),
        },
      },
      // What `npm run check` runs besides: large requests, races, what happens while something else does, tools.
      { extends: true, test: { name: "check", include: ["test/**/*.check.test.ts"], ...oneProcess() } },
      // What takes longer than it often fails: all variants of a rule, pictures, threads. `npm run test:slow`.
      { extends: true, test: { name: "slow", include: ["test/**/*.slow.test.ts"], ...oneProcess() } },
      {
        // The API on PostgreSQL, and what only several instances or a lost server show: `npm run test:postgres`.
        extends: true,
        test: {
          ...oneProcess(),
          name: "postgres",
          include: ["test/api/**/!(*.deep|*.s3).test.ts", TRANSFER, "test/**/*.postgres.test.ts"],
          globalSetup: "test/support/postgres-server.ts",
        },
      },
      {
        // Kills, disk errors, traces, fuzz, races, and whole processes: `npm run test:deep`.
        extends: true,
        test: {
          name: "deep",
          include: ["test/**/*.deep.test.ts"],
          ...onMemory,
          globalSetup: ["test/support/empty-database.ts", "test/support/statuses-seen.ts"],
          testTimeout: HANG_MS,
          hookTimeout: HANG_MS,
        },
      },
      // The plug-in in a real WordPress: `npm run test:wordpress`.
      {
        extends: true,
        test: { name: "wordpress", include: ["test/**/*.wordpress.test.ts"], ...oneProcess() },
      },
      // The API on an S3 store, and what such a store adds: `npm run test:s3`.
      {
        extends: true,
        test: {
          ...onStore("test/support/empty-database.ts"),
          name: "s3",
          include: ["test/api/**/!(*.deep|*.postgres).test.ts", TRANSFER, "test/**/*.s3.test.ts"],
        },
      },
      // All of that with both servers, as several instances need them: `npm run test:cluster`.
      {
        extends: true,
        test: {
          ...onStore("test/support/postgres-server.ts"),
          name: "cluster",
          include: [
            "test/api/**/!(*.slow|*.deep).test.ts",
            TRANSFER,
            EXPORTS,
            "test/**/*.{postgres,s3}.test.ts",
          ],
        },
      },
    ],
  },
});
