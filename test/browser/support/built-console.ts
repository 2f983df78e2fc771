/** The console, built once before the tests: workers that build side by side would build over each other. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { CHROMIUM, NEEDS_CHROMIUM } from "../../support/chromium.ts";

const SCRIPT = join(import.meta.dirname, "../../../scripts/build-console.ts");

export default async function buildConsole(): Promise<void> {
  if (CHROMIUM === undefined) {
    process.stdout.write(`The tests are skipped. ${NEEDS_CHROMIUM}\n`);
    return;
  }
  await promisify(execFile)(process.execPath, [SCRIPT, "--if-changed"]);
}
