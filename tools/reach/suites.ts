/** The suites of tests: what Node runs for each. */

export const VITEST = "node_modules/vitest/vitest.mjs";
const project = (name: string, ...files: string[]): string[] => [VITEST, "run", "--project", name, ...files];

/** Cheap ones first. Of the last two only the tests that no other suite has. */
export const SUITES: Readonly<Record<string, readonly string[]>> = {
  main: project("main"),
  check: project("check"),
  slow: project("slow"),
  deep: project("deep"),
  // Only what runs in pages is recorded of them.
  browser: ["node_modules/@playwright/test/cli.js", "test"],
  postgres: project("postgres", ".postgres.test"),
  s3: project("s3", ".s3.test"),
};
