/** A mail server, and the letters that have arrived, read by a parser of MIME. */
import { buffer } from "node:stream/consumers";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import { listen } from "../../../tools/lib/listening.ts";

export interface Mailbox {
  letters: Email[];
  /** Of a service that sends letters there. */
  settings: Readonly<Record<string, string>>;
}

export async function startMailbox(): Promise<{ mailbox: Mailbox; close(): Promise<void> }> {
  const letters: Email[] = [];
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    disableReverseLookup: true,
    onData(stream, _session, done) {
      const taken = buffer(stream).then(async (raw) => {
        letters.push(await PostalMime.parse(raw));
        done(null, "taken");
      });
      taken.catch(done);
    },
  });
  const port = await listen(server.server);
  const settings = {
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: "Our Books <books@example.org>",
    PUBLIC_BASE_URL: "http://127.0.0.1",
  };
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { mailbox: { letters, settings }, close };
}
