/** The suites of tests: what Node runs for each. */

const VITEST = "node_modules/vitest/vitest.mjs";
const project = (name: string, ...files: string[]): string[] => [VITEST, "run", "--project", name, ...files];

/** The cheapest first. Of the last two only the tests that no other suite has. */
export const SUITES: Readonly<Record<string, readonly string[]>> = {
  main: project("main"),
  slow: project("slow"),
  deep: project("deep"),
  browser: project("browser"),
  postgres: project("postgres", ".postgres.test"),
  s3: project("s3", ".s3.test"),
};
