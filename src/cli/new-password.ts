/** Asks for a new password: twice on a terminal, which shows nothing of it; otherwise one line of standard input. */
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { InterruptedError } from "./operator-fault.ts";

/** @throws InterruptedError on Ctrl-C */
export async function askNewPassword(): Promise<string> {
  return process.stdin.isTTY ? typedTwice() : firstLine();
}

async function firstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  try {
    for await (const line of lines) return line;
    return "";
  } finally {
    lines.close();
  }
}

async function typedTwice(): Promise<string> {
  const { stdin: input, stderr } = process;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: true });
  const interrupted = Promise.withResolvers<never>();
  lines.once("SIGINT", () => interrupted.reject(new InterruptedError()));
  // Nobody may be waiting at the moment of the key.
  interrupted.promise.catch(() => {});
  const typed = lines[Symbol.asyncIterator]();
  const ask = async (prompt: string): Promise<string> => {
    stderr.write(prompt);
    try {
      const line = await Promise.race([typed.next(), interrupted.promise]);
      return line.done ? "" : line.value;
    } finally {
      stderr.write("\n");
    }
  };
  try {
    for (;;) {
      const password = await ask("Password (12 characters or more): ");
      if (password === (await ask("The same password again: "))) return password;
      stderr.write("The passwords do not match. Try again.\n");
    }
  } finally {
    lines.close();
  }
}
