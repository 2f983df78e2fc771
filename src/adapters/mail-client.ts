/** Hands letters over to a mail server (SMTP): whole deadlines, checked certificates, and one recipient a letter. */
import type { createTransport } from "nodemailer";
import { z } from "zod";
import { splitAddress } from "../lib/email.ts";
import type { Mailbox, MailServer } from "../schemas/mail-variables.ts";

const DEFAULTS = {
  /** From the wait for a connection to the last reply. */
  totalTimeoutMs: 60_000,
};

/** Many servers accept no more from one client. */
const CONNECTIONS = 2;

/** The signed headers: without the last one, one click wouldn't be enough to stop letters (RFC 8058, 4). */
const SIGNED_HEADERS =
  "From:Sender:Reply-To:Subject:Date:Message-ID:To:MIME-Version:Content-Type:List-Unsubscribe:List-Unsubscribe-Post";

/** More of a reply isn't kept. */
const MAX_ERROR = 300;
/** More isn't looked at: a reply can have a megabyte, and to look for addresses in a word takes the square of its length. */
const MAX_READ = 2000;

export interface MailClientOptions extends Partial<typeof DEFAULTS> {
  server: MailServer;
  /** Certificates in PEM that are trusted, in place of those that Node knows. */
  ca: string | undefined;
  from: Mailbox;
  replyTo: Mailbox | undefined;
  dkim: { key: string; selector: string } | undefined;
}

export interface Letter {
  /** The left part of `Message-ID`: the same for all attempts. */
  id: string;
  /** One address. */
  to: string;
  subject: string;
  text: string;
  html: string;
  headers: Readonly<Record<string, string>>;
  /** Ends the attempt. */
  signal: AbortSignal;
}

/**
 * What came of an attempt, with the status of SMTP if there was one. `recipient`: the server doesn't deliver to this
 * address; `content`: it doesn't take this letter; `login`: it doesn't accept user and password; `later`: anything that
 * may pass.
 */
export type SendResult =
  | { kind: "sent"; status: number | null; error: null }
  | { kind: "recipient" | "content" | "login" | "later"; status: number | null; error: string };

export class MailClient {
  readonly #options: MailClientOptions & typeof DEFAULTS;
  /** Created by the first letter, which loads nodemailer. */
  #transport: Promise<ReturnType<typeof createTransport>> | undefined;

  constructor(options: MailClientOptions) {
    this.#options = { ...DEFAULTS, ...options };
  }

  /** Never rejects, and ends within its time. */
  async send({ id, to, headers, signal, ...content }: Letter): Promise<SendResult> {
    const { from, replyTo } = this.#options;
    const recipient = { name: "", address: to };
    try {
      const transport = await this.#open();
      const { response } = await transport.sendMail({
        ...content,
        from,
        to: recipient,
        ...(replyTo && { replyTo }),
        envelope: { from: { name: "", address: from.address }, to: recipient },
        messageId: `<${id}@${domainOf(from)}>`,
        headers: { "Auto-Submitted": "auto-generated", ...headers },
        signal: this.#limit(signal),
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      return { kind: "sent", status: Number.parseInt(response, 10) || null, error: null };
    } catch (error) {
      return explain(error, this.#options.totalTimeoutMs, to);
    }
  }

  /** Connects and logs in. Never rejects, and ends within its time. */
  async check(signal: AbortSignal): Promise<SendResult> {
    const limit = this.#limit(signal);
    try {
      const transport = await this.#open();
      const late = Promise.withResolvers<never>();
      limit.addEventListener("abort", () => late.reject(limit.reason), { once: true });
      await Promise.race([transport.verify(), late.promise]);
      return { kind: "sent", status: null, error: null };
    } catch (error) {
      return explain(error, this.#options.totalTimeoutMs);
    }
  }

  /** Ends all attempts. */
  async close(): Promise<void> {
    (await this.#transport)?.close();
    this.#transport = undefined;
  }

  #limit(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, AbortSignal.timeout(this.#options.totalTimeoutMs)]);
  }

  #open(): Promise<ReturnType<typeof createTransport>> {
    this.#transport ??= import("nodemailer").then(({ createTransport: create }) => create(this.#settings()));
    return this.#transport;
  }

  #settings() {
    const { server, ca, from, dkim, totalTimeoutMs } = this.#options;
    const { host, port, isSecure, login, isLoopback } = server;
    return {
      pool: true as const,
      maxConnections: CONNECTIONS,
      host,
      port,
      secure: isSecure,
      ...(login && { auth: { user: login.user, pass: login.password } }),
      ...(isLoopback ? { ignoreTLS: ca === undefined } : { requireTLS: !isSecure }),
      tls: { rejectUnauthorized: true, minVersion: "TLSv1.2" as const, ...(ca !== undefined && { ca }) },
      // The signal of the attempt comes first, and with it the same words for each wait.
      connectionTimeout: 2 * totalTimeoutMs,
      greetingTimeout: 2 * totalTimeoutMs,
      socketTimeout: totalTimeoutMs,
      ...(dkim && {
        dkim: {
          domainName: domainOf(from),
          keySelector: dkim.selector,
          privateKey: dkim.key,
          headerFieldNames: SIGNED_HEADERS,
        },
      }),
    };
  }
}

const domainOf = ({ address }: Mailbox): string => address.slice(address.lastIndexOf("@") + 1);

/** What nodemailer adds to its errors. */
const mailError = z.object({
  message: z.string().catch(""),
  code: z.string().optional().catch(undefined),
  command: z.string().optional().catch(undefined),
  responseCode: z.number().optional().catch(undefined),
  response: z.string().optional().catch(undefined),
});

type MailError = z.output<typeof mailError>;

function explain(thrown: unknown, totalTimeoutMs: number, to = ""): Exclude<SendResult, { kind: "sent" }> {
  const { data = { message: "" } } = mailError.safeParse(thrown);
  const { responseCode: status = null } = data;
  const error = hideRecipient(describeError(data, totalTimeoutMs), to).slice(0, MAX_ERROR);
  return { kind: judge(data), status, error };
}

/** RFC 5321, 4.2.1: 5xx is for good. The sender's address and the login are this side's, and may be corrected. */
function judge({ code, command = "", responseCode = 0 }: MailError) {
  const isForGood = responseCode >= 500 && responseCode < 600;
  // 530: a login is required.
  if ((code === "EAUTH" && isForGood) || responseCode === 530) return "login";
  // An address that can't be written in this server's dialect has no response.
  if (code === "EENVELOPE" && command === "API") return "recipient";
  if (!isForGood) return "later";
  if (command === "RCPT TO") return "recipient";
  return command === "DATA" ? "content" : "later";
}

/** For administrators. */
function describeError({ code, message, response }: MailError, totalTimeoutMs: number): string {
  if (code === "EABORT" || message.includes("aborted"))
    return `The mail server didn't finish within ${totalTimeoutMs / 1000} seconds.`;
  const said = (response ?? message).slice(0, MAX_READ).replaceAll(/[\s\p{Cc}]+/gu, " ");
  return code === undefined ? said : `${said} (${code})`;
}

/** Without addresses: a reply can repeat the recipient, also without the domain, and is kept when the reader was erased. */
function hideRecipient(text: string, to: string): string {
  const withoutAddresses = text.replaceAll(/\S*@\S*/g, "…");
  const { localPart } = splitAddress(to);
  const [user = ""] = localPart.split("+");
  if (user === "") return withoutAddresses;
  const names = [localPart, user].map(RegExp.escape).join("|");
  return withoutAddresses.replaceAll(
    new RegExp(`(?<![\\p{L}\\p{N}])(?:${names})(?![\\p{L}\\p{N}])`, "giu"),
    "…",
  );
}
