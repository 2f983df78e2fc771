// The options of the demo's command line.
import { parseArgs } from "node:util";
import { wholeNumber } from "../lib/options.ts";

export type DemoOptions = {
  /** End after the walk. */
  once: boolean;
  /** Of the server; the public page has the next one. 0: any free ones. */
  port: number;
};

export const USAGE = `npm run demo -- [options]

Starts the server with an empty temporary data folder, loads sample books through the
API, runs the main workflow, and keeps running until Ctrl-C so that you can try it.

  --once      exit after the workflow: status 0, or 1 when a step failed
  --port <n>  listen on this port, and on the next one for the public page; the
              default is any free ones
  --help      print this text`;

/** @throws Error with one clear line for an unknown option or an impossible port */
export function readOptions(args: string[]): DemoOptions | "help" {
  const { values } = parseArgs({
    args,
    options: {
      once: { type: "boolean", default: false },
      port: { type: "string", default: "0" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return "help";
  return { once: values.once, port: wholeNumber("--port", values.port, 0, 65_534) };
}
