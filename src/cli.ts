/** The command line: `node src/cli.ts <command>`, one file per command. */
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import { codeOf } from "./lib/node-errors.ts";
import { rejectOldNode } from "./node-version.ts";

rejectOldNode();
// The same cache as the server's.
enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/compile", import.meta.url)));
const { runCommand } = await import("./cli/run.ts");
// The reader of the output, such as `head`, may end before the command, which still completes its work.
for (const output of [process.stdout, process.stderr]) {
  output.on("error", (error) => {
    if (codeOf(error) !== "EPIPE") throw error;
  });
}
process.exitCode = await runCommand(process.argv.slice(2));
