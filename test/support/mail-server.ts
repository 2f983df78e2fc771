/** A mail server that takes letters over SMTP, and what it has received, read by a parser of MIME. */
import assert from "node:assert/strict";
import { buffer } from "node:stream/consumers";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { onTestFinished } from "vitest";
import { listen } from "../../tools/lib/listening.ts";
import type { startApp } from "./app.ts";

export interface ReceivedLetter {
  /** Of the envelope. */
  from: string;
  to: string[];
  raw: string;
  mail: Email;
  isEncrypted: boolean;
  /** Undefined without a log-in. */
  user: string | undefined;
}

/** How the server responds: an error has the status as its first word; undefined: it takes the letter. */
export interface Replies {
  login?: (user: string, password: string) => string | undefined;
  recipient?: (address: string) => string | undefined;
  content?: () => string | undefined;
}

const fail = (reply: string) =>
  Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) });

export async function startMailServer(replies: Replies = {}, options: SMTPServerOptions = {}) {
  const received: ReceivedLetter[] = [];
  const server = new SMTPServer({
    authOptional: replies.login === undefined,
    allowInsecureAuth: true,
    logger: false,
    disableReverseLookup: true,
    onAuth({ username, password }, _session, done) {
      const error = replies.login?.(username ?? "", password ?? "");
      if (error === undefined) done(null, { user: username ?? "" });
      else done(fail(error));
    },
    onRcptTo({ address }, _session, done) {
      const error = replies.recipient?.(address);
      done(error === undefined ? null : fail(error));
    },
    onData(stream, session, done) {
      const taken = buffer(stream).then(async (raw) => {
        const error = replies.content?.();
        if (error !== undefined) return done(fail(error));
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          raw: raw.toString(),
          mail: await PostalMime.parse(raw),
          isEncrypted: session.secure,
          user: session.user === undefined ? undefined : String(session.user),
        });
        return done(null, "taken");
      });
      // The service ended during the letter.
      taken.catch(() => undefined);
    },
    ...options,
  });
  // A client that goes away.
  server.on("error", () => {});
  const port = await listen(server.server);
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  /** The only letter that has arrived. */
  const only = (): ReceivedLetter => {
    const [letter, ...others] = received;
    assert(letter && others.length === 0, `${received.length} letters have arrived`);
    return letter;
  };
  return { received, only, port, url: `smtp://127.0.0.1:${port}`, replies };
}

/** The settings of a service that sends letters there. */
export const mailSettings = ({ url }: { url: string }, more: Readonly<Record<string, string>> = {}) => ({
  PUBLIC_BASE_URL: "https://books.example.org/library",
  SMTP_URL: url,
  MAIL_FROM: "Our Books <books@example.org>",
  ...more,
});

/** Waits until what is due has been sent, or has failed. */
export async function sendLetters({
  container,
}: Pick<Awaited<ReturnType<typeof startApp>>, "container">): Promise<void> {
  container.outbox.wake();
  await container.outbox.settle();
}
