/** The console in Chromium: `npm run test:browser`. How its tests are written, test/browser/fixtures.ts says. */
import { enableCompileCache, registerHooks } from "node:module";
import { defineConfig } from "@playwright/test";
import { LAUNCH_OPTIONS } from "./test/support/chromium.ts";
import { findMemoryFolder } from "./test/support/memory-folder.ts";
import { COMPILE_CACHE } from "./tools/lib/compile-cache.ts";

// Of this process and of the workers and browsers that it starts. No page may depend on the zone of the machine: this one
// is on another day than UTC at midnight, and has summer time.
process.env.TZ = "America/Adak";
const memory = findMemoryFolder();
if (memory !== undefined) process.env.TMPDIR = memory;
// The services of tests run in the workers. Their threads, and the process that reads books, lower their priority: they
// would hardly run beside a busy browser. The workers inherit the option, and read this file as well.
const SAME_PRIORITY = `--import=${new URL("test/support/same-priority.mjs", import.meta.url).href}`;
const { NODE_OPTIONS = "" } = process.env;
if (!NODE_OPTIONS.includes(SAME_PRIORITY)) process.env.NODE_OPTIONS = `${NODE_OPTIONS} ${SAME_PRIORITY}`;

// The workers read this file before their tests: modules and threads of the service start from compiled code, as in production.
enableCompileCache(COMPILE_CACHE);
// As in vitest.config.ts. What a test reaches in threads is seen when they end.
const REUSED_THREADS = new URL("test/support/reused-threads.ts", import.meta.url).href;
if (!process.env.COVERAGE_FOLDER)
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "piscina" && context.parentURL !== REUSED_THREADS
        ? { url: REUSED_THREADS, shortCircuit: true }
        : next(specifier, context),
  });

/** For what hangs; nothing that works slowly takes as long on a busy machine. In milliseconds. */
const HANGING = { step: 60_000, test: 300_000 };

export default defineConfig({
  testDir: "test/browser",
  testMatch: "**/*.spec.ts",
  outputDir: "test-results",
  globalSetup: "./test/browser/support/built-console.ts",
  // Node reads TypeScript itself, as it does for the service.
  build: { external: ["**"] },
  fullyParallel: true,
  // More than there are processors: a test waits for a third of its time, for what is due later or comes by a line.
  workers: "150%",
  // A test that passes the second time has shown an error, of itself or of the console.
  retries: 0,
  forbidOnly: process.env.CI !== undefined,
  reporter: "list",
  timeout: HANGING.test,
  expect: { timeout: HANGING.step },
  use: {
    browserName: "chromium",
    launchOptions: LAUNCH_OPTIONS,
    actionTimeout: HANGING.step,
    navigationTimeout: HANGING.step,
    // What was done, asked and said, and how the page looked in the end. Pictures after each action would take a third of the
    // processor time of all tests, the elements of the page a sixth: `--trace on` records them for one test.
    trace: { mode: "retain-on-failure", snapshots: false, screenshots: false, sources: false },
    screenshot: "only-on-failure",
    locale: "en-US",
    // What fades in has other colours meanwhile.
    reducedMotion: "reduce",
  },
});
