/** The entry: configuration, container, listening, signals and a graceful stop. */
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import { rejectOldNode } from "./node-version.ts";

rejectOldNode();
// Keeps what Node makes of the sources, so that a later start takes half the time. Where nothing can be written, the
// cache is off.
enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/compile", import.meta.url)));
const { runCommand } = await import("./cli/run.ts");
process.exitCode = await runCommand(["start", ...process.argv.slice(2)]);
