/** `create-admin <email> [name]`: creates an administrator. Reads the password from standard input. */
import { z } from "zod";
import { readConfig } from "../config.ts";
import { assertDatabase, nameDatabase } from "../db/open-database.ts";
import { invalidInput } from "../errors.ts";
import { createSystemAuthor } from "../repositories/change.ts";
import { email, text } from "../schemas/atoms.ts";
import { newPassword } from "../schemas/auth.schemas.ts";
import { parse } from "../schemas/parse.ts";
import type { Call } from "./command.ts";
import { readFirstLine, withHiddenInput } from "./hidden-input.ts";
import { withContainer } from "./with-container.ts";

const newAdmin = z.object({ email, name: text({ min: 1, max: 200 }), password: newPassword });

/** Also works while a server is running: the database accepts writes from both. */
export async function createAdmin({ args: [address, name = address] }: Call): Promise<number> {
  const config = readConfig();
  const admin = parse(newAdmin, { email: address, name, password: await askNewPassword() }, "body");
  if (!admin.ok) throw invalidInput(admin.errors);
  await withContainer(config, ({ services: { users } }) =>
    users.create(AUTHOR, { ...admin.value, role: "admin" }),
  );
  process.stdout.write(`${admin.value.email} can log in now (${nameDatabase(config)}).\n`);
  return 0;
}

const resetOptions = z.object({ keepApiKeys: z.boolean().default(false) });
const reset = z.object({ email, password: newPassword });

/** Also works while a server is running: it reads sessions from the database at each request. */
export async function resetPassword({ args: [address], options }: Call): Promise<number> {
  const { keepApiKeys: keepsApiKeys } = resetOptions.parse(options);
  const config = readConfig();
  await assertDatabase(config);
  const given = parse(reset, { email: address, password: await askNewPassword() }, "body");
  if (!given.ok) throw invalidInput(given.errors);
  const { revokedApiKeys } = await withContainer(config, ({ services: { users } }) =>
    users.resetPassword(AUTHOR, { ...given.value, keepsApiKeys }),
  );
  const keys = `API keys revoked: ${revokedApiKeys}.`;
  process.stdout.write(
    `${given.value.email} has a new password. All sessions of this user have ended. ${keys}\n`,
  );
  return 0;
}

const AUTHOR = createSystemAuthor("command line");

/**
 * Asks on a terminal until the password is acceptable; otherwise reads standard input unchanged.
 * @throws InterruptedError on Ctrl-C
 */
async function askNewPassword(): Promise<string> {
  return process.stdin.isTTY ? askTwice() : readFirstLine();
}

const askTwice = (): Promise<string> =>
  withHiddenInput(async (ask) => {
    for (;;) {
      const password = await ask("Password (12 characters or more): ");
      const parsed = parse(newPassword, password, "body");
      if (!parsed.ok) process.stderr.write(`The password ${parsed.errors[0]?.message}. Try again.\n`);
      else if (password === (await ask("The same password again: "))) return password;
      else process.stderr.write("The passwords do not match. Try again.\n");
    }
  });
