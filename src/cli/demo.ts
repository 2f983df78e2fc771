/** `demo [--once] [--port n]`: runs tools/demo, which needs a clone of the project and its packages for development. */
import { z } from "zod";
import { codeOf } from "../lib/node-errors.ts";
import { type Call, EX_UNAVAILABLE } from "./command.ts";

const demoOptions = z.object({ once: z.boolean().default(false), port: z.int().default(0) });

export async function demo({ options }: Call): Promise<number> {
  const given = demoOptions.parse(options);
  try {
    const { runDemo } = await import("../../tools/demo/demo.ts");
    return await runDemo(given);
  } catch (error) {
    if (codeOf(error) !== "ERR_MODULE_NOT_FOUND") throw error;
    process.stderr.write(
      "The demo isn't part of this installation. Run it in a clone of the project, after npm ci.\n",
    );
    return EX_UNAVAILABLE;
  }
}
