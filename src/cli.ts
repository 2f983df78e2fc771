/** The command line: `node src/cli.ts <command>`, one file per command. */
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import { rejectOldNode } from "./node-version.ts";

rejectOldNode();
// The same cache as the server's.
enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/compile", import.meta.url)));
const { runCommand } = await import("./cli/run.ts");
process.exitCode = await runCommand(process.argv.slice(2));
