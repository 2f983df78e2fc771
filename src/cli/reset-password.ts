/** `reset-password <email>`: sets a new password for a user who can't log in any more. */
import { z } from "zod";
import { createLogger } from "../adapters/logger.ts";
import { readConfig } from "../config.ts";
import { createContainer } from "../container.ts";
import { invalidInput } from "../errors.ts";
import { systemAuthor } from "../repositories/change.ts";
import { email } from "../schemas/atoms.ts";
import { newPassword } from "../schemas/auth.schemas.ts";
import { parse } from "../schemas/parse.ts";
import type { Call } from "./call.ts";
import { demandDatabase } from "./existing-database.ts";
import { askNewPassword } from "./new-password.ts";

const resetOptions = z.object({ keepApiKeys: z.boolean().default(false) });
const reset = z.object({ email, password: newPassword });

/** Works beside a running server too: it looks at the sessions in the database with each request. */
export async function resetPassword({ args: [address], options }: Call): Promise<number> {
  const { keepApiKeys: keepsApiKeys } = resetOptions.parse(options);
  const config = readConfig();
  await demandDatabase(config.dataDir);
  const given = parse(reset, { email: address, password: await askNewPassword() }, "body");
  if (!given.ok) throw invalidInput(given.faults);
  const container = await createContainer(config, createLogger("warn", { pretty: false }));
  try {
    const { revokedApiKeys } = await container.services.users.resetPassword(systemAuthor("command line"), {
      ...given.value,
      keepsApiKeys,
    });
    const keys = `API keys revoked: ${revokedApiKeys}.`;
    process.stdout.write(
      `${given.value.email} has a new password; all sessions of this user have ended. ${keys}\n`,
    );
  } finally {
    await container.close();
  }
  return 0;
}
