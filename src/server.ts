/** The entry point: configuration, container, listening, signals and graceful shutdown. */
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import { rejectOldNode } from "./node-version.ts";

rejectOldNode();
// Caches compiled code, which halves the time of a later start. If the cache can't be written, it is off.
enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/compile", import.meta.url)));
const { runCommand } = await import("./cli/run.ts");
process.exitCode = await runCommand(["serve", ...process.argv.slice(2)]);
