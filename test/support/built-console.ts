/** The console, built once before the tests in the browser: files that run side by side would build over each other. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { CHROMIUM } from "./chromium.ts";
import { PROJECT } from "./modules.ts";

export default async function buildConsole(): Promise<void> {
  if (CHROMIUM === undefined) return;
  await promisify(execFile)(process.execPath, [join(PROJECT, "scripts/build-console.ts"), "--if-changed"]);
}
