/** `create-admin <email> [name]`: creates an administrator; the password comes from standard input, not the history. */
import { z } from "zod";
import { createLogger } from "../adapters/logger.ts";
import { readConfig } from "../config.ts";
import { createContainer } from "../container.ts";
import { invalidInput } from "../errors.ts";
import { systemAuthor } from "../repositories/change.ts";
import { email, text } from "../schemas/atoms.ts";
import { newPassword } from "../schemas/auth.schemas.ts";
import { parse } from "../schemas/parse.ts";
import type { Call } from "./call.ts";
import { askNewPassword } from "./new-password.ts";

const newAdmin = z.object({ email, name: text({ min: 1, max: 200 }), password: newPassword });

/** Works beside a running server too: the database lets both write. */
export async function createAdmin({ args: [address, name = address] }: Call): Promise<number> {
  const config = readConfig();
  const admin = parse(newAdmin, { email: address, name, password: await askNewPassword() }, "body");
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
