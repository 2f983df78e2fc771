/** A folder of the test's own, removed when it ends. */
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../../tools/lib/temporary-folder.ts";

export function createTempFolder(): string {
  const { path, remove } = temporaryFolder("bds-test");
  onTestFinished(remove);
  return path;
}
