/** `mail-test ADDRESS`: sends a letter at once, and says whether the mail server has taken it. */
import { MailClient } from "../adapters/mail-client.ts";
import { messageId } from "../adapters/system.ts";
import { readConfig } from "../config.ts";
import { html } from "../lib/html.ts";
import { email } from "../schemas/atoms.ts";
import { type Call, EX_USAGE } from "./command.ts";

const SUBJECT = "Test letter";
const TEXT = "Letters from this book distribution service arrive.";

/** Needs no database, and counts against no limit. */
export async function mailTest({ args: [address = ""] }: Call): Promise<number> {
  const to = email.safeParse(address);
  if (!to.success) {
    process.stderr.write("The argument must be one e-mail address.\n");
    return EX_USAGE;
  }
  const { mail } = readConfig();
  if (!mail) {
    process.stderr.write("Letters are off: set SMTP_URL, MAIL_FROM and PUBLIC_BASE_URL.\n");
    return 1;
  }
  const client = new MailClient(mail);
  const content = { subject: SUBJECT, text: `${TEXT}\n`, html: html`<p>${TEXT}</p>`.markup, headers: {} };
  const { signal } = new AbortController();
  const result = await client.send({ id: messageId(), to: to.data, ...content, signal });
  await client.close();
  if (result.kind === "sent") {
    process.stdout.write(`The mail server ${mail.server.host} has taken the letter.\n`);
    return 0;
  }
  process.stderr.write(`The letter wasn't sent: ${result.error}\n`);
  return 1;
}
