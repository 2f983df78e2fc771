/** The real server as a process of its own: what only a process has, such as signals, exit codes and output. */
import { onTestFinished } from "vitest";
import { type ServerOptions, ServerProcess } from "../../tools/lib/server-process.ts";

/** Killed with the test that starts it. */
export class ServiceProcess extends ServerProcess {
  constructor(variables: Readonly<Record<string, string>>, options: ServerOptions = {}) {
    super(variables, options);
    onTestFinished(async () => {
      // A killed process doesn't write what of it ran.
      if (process.env.COVERAGE_FOLDER) await this.stop().catch(() => {});
      await this.end("SIGKILL");
    });
  }
}
