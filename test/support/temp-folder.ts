/** A folder of the test's own, removed when it ends. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export function createTempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "bds-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
