/** `create-admin <e-mail> [name]`: makes an administrator; the password comes from standard input, not the history. */
import { createInterface } from "node:readline/promises";
import { createLogger } from "../adapters/logger.ts";
import { readConfig } from "../config.ts";
import { createContainer } from "../container.ts";
import { type Fault, invalidInput } from "../errors.ts";
import { isEmail, normalizeEmail } from "../lib/email.ts";
import { newPassword } from "../schemas/auth.schemas.ts";

const EX_USAGE = 64;

export async function createAdmin([given, name]: readonly string[]): Promise<number> {
  if (given === undefined) {
    process.stderr.write(
      "Usage: npm run create-admin -- <e-mail> [name]   (the password is read from standard input)\n",
    );
    return EX_USAGE;
  }
  const email = normalizeEmail(given);
  const password = await askPassword();
  refuseUnfit(email, password);
  const config = readConfig();
  const container = await createContainer(config, createLogger("warn", { pretty: false }));
  try {
    await container.services.users.create({ email, name: name ?? email, password, role: "admin" });
    process.stdout.write(`${email} can log in now.\n`);
    return 0;
  } finally {
    await container.close();
  }
}

function refuseUnfit(email: string, password: string): void {
  const faults: Fault[] = [];
  if (!isEmail(email)) faults.push(fault("email", "must be an e-mail address"));
  if (!newPassword.safeParse(password).success)
    faults.push(fault("password", "must have 12 to 256 characters"));
  if (faults.length > 0) throw invalidInput(faults);
}

const fault = (path: string, message: string): Fault => ({ in: "body", path, message, code: "invalid" });

async function askPassword(): Promise<string> {
  const isTerminal = process.stdin.isTTY;
  const lines = createInterface({ input: process.stdin, ...(isTerminal && { output: process.stderr }) });
  try {
    return await new Promise((resolve) => {
      lines.once("line", resolve);
      lines.once("close", () => resolve(""));
      if (isTerminal) process.stderr.write("Password (12 characters or more): ");
    });
  } finally {
    lines.close();
  }
}
