/** The command line: `node src/cli.ts <command>`, one file per command. */
import { refuseOldNode } from "./node-version.ts";

refuseOldNode();
const { runCommand } = await import("./cli/run.ts");
process.exitCode = await runCommand(process.argv.slice(2));
