/** Reads lines from standard input, and secrets from a terminal without showing them. */
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { InterruptedError } from "./command.ts";

/** Empty if there is none. */
export async function readFirstLine(): Promise<string> {
  using lines = createInterface({ input: process.stdin });
  for await (const line of lines) return line;
  return "";
}

/** Shows the prompt, and returns the line that was typed after it. */
type AskHidden = (prompt: string) => Promise<string>;

/** @throws InterruptedError on Ctrl-C */
export async function withHiddenInput<T>(work: (ask: AskHidden) => Promise<T>): Promise<T> {
  const { stdin: input, stderr } = process;
  const discardOutput = new Writable({ write: (_chunk, _encoding, done) => done() });
  using lines = createInterface({ input, output: discardOutput, terminal: true });
  const interrupted = Promise.withResolvers<never>();
  lines.once("SIGINT", () => interrupted.reject(new InterruptedError()));
  // No read may be pending when Ctrl-C is pressed.
  interrupted.promise.catch(() => {});
  const typed = lines[Symbol.asyncIterator]();
  return await work(async (prompt) => {
    stderr.write(prompt);
    try {
      const line = await Promise.race([typed.next(), interrupted.promise]);
      return line.done ? "" : line.value;
    } finally {
      stderr.write("\n");
    }
  });
}
