/**
 * Fails the deep tests when a status that the OpenAPI document promises was seen by no test. All runs note what they see in the
 * file that SEEN_STATUSES_FILE names: `.ci/run` sets it for `check` and `slow_deep` together. Without it nothing is noted, and nothing fails.
 */
import { readFileSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { SchemaRegister } from "../../src/openapi/json-schema.ts";
import { describeOperation } from "../../src/openapi/operation.ts";
import { routes } from "../../src/routes/index.ts";

/** Runs once, before the workers start; what it returns runs after them. */
export default function watchStatuses(project: TestProject): () => Promise<void> {
  return async () => {
    const file = process.env.SEEN_STATUSES_FILE;
    if (file === undefined || !(await checkWholeProject(project))) return;
    const seen = readFileSync(file, "utf8").split("\n");
    const unseen = listDocumentedStatuses().filter((status) => !seen.includes(status));
    if (unseen.length > 0) throw new UnseenStatusesError(unseen);
  };
}

/** Every documented status of every operation, as `operationId status`. */
function listDocumentedStatuses(): string[] {
  const register = new SchemaRegister();
  return routes.flatMap((route) =>
    Object.keys(describeOperation(route, register).responses)
      .filter((status) => status !== "default")
      .map((status) => `${route.id} ${status}`),
  );
}

/** Every deep test file ran and passed, maybe beside others; with a filter, or after a failure, what wasn't seen says nothing. */
async function checkWholeProject(project: TestProject): Promise<boolean> {
  const { vitest } = project;
  const { testFiles } = await project.globTestFiles();
  const own = vitest.state.getTestModules().filter((module) => module.project.name === project.name);
  const passed = own.filter((module) => module.state() === "passed");
  return vitest.getGlobalTestNamePattern() === undefined && passed.length === testFiles.length;
}

class UnseenStatusesError extends Error {
  constructor(unseen: readonly string[]) {
    super(`No test has seen these documented statuses:\n${unseen.map((status) => `  ${status}`).join("\n")}`);
    this.name = "UnseenStatusesError";
    // Where it was thrown says nothing to anybody.
    this.stack = `${this.name}: ${this.message}`;
  }
}
