/** Asks for a new password: twice on a terminal, which shows nothing of it; otherwise one line of standard input. */
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { newPassword } from "../schemas/auth.schemas.ts";
import { parse } from "../schemas/parse.ts";
import { InterruptedError } from "./operator-fault.ts";

/**
 * A password typed on a terminal is one that may be used. One from standard input is as it came.
 * @throws InterruptedError on Ctrl-C
 */
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
      const [error] = errorsIn(password);
      if (error !== undefined) stderr.write(`The password ${error.message}. Try again.\n`);
      else if (password === (await ask("The same password again: "))) return password;
      else stderr.write("The passwords do not match. Try again.\n");
    }
  } finally {
    lines.close();
  }
}

function errorsIn(password: string) {
  const parsed = parse(newPassword, password, "body");
  return parsed.ok ? [] : parsed.faults;
}
