/** `create-admin <e-mail> [name]`: makes an administrator; the password comes from standard input, not the history. */
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { z } from "zod";
import { createLogger } from "../adapters/logger.ts";
import { readConfig } from "../config.ts";
import { createContainer } from "../container.ts";
import { invalidInput } from "../errors.ts";
import { systemAuthor } from "../repositories/change.ts";
import { email, text } from "../schemas/atoms.ts";
import { newPassword } from "../schemas/auth.schemas.ts";
import { parse } from "../schemas/parse.ts";
import { UsageError } from "./operator-fault.ts";

const newAdmin = z.object({ email, name: text({ min: 1, max: 200 }), password: newPassword });

/** Works beside a running server too: the database lets both write. */
export async function createAdmin([address, name = address]: readonly string[]): Promise<number> {
  if (address === undefined) {
    throw new UsageError(
      "Usage: npm run create-admin -- <e-mail> [name]   (the password is read from standard input)",
    );
  }
  const config = readConfig();
  const admin = parse(newAdmin, { email: address, name, password: await askPassword() }, "body");
  if (!admin.ok) throw invalidInput(admin.faults);
  const container = await createContainer(config, createLogger("warn", { pretty: false }));
  try {
    await container.services.users.create(systemAuthor("command line"), { ...admin.value, role: "admin" });
  } finally {
    await container.close();
  }
  process.stdout.write(`${admin.value.email} can log in now (${config.dataDir}).\n`);
  return 0;
}

/** The first line of standard input. What is typed on a terminal isn't shown. */
async function askPassword(): Promise<string> {
  const { stdin: input } = process;
  const isTyped = input.isTTY;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, ...(isTyped && { output: nowhere, terminal: true }) });
  // Not before the terminal has been told to show nothing.
  if (isTyped) process.stderr.write("Password (12 characters or more): ");
  try {
    return await new Promise((resolve) => {
      lines.once("line", resolve);
      lines.once("close", () => resolve(""));
    });
  } finally {
    lines.close();
    if (isTyped) process.stderr.write("\n");
  }
}
