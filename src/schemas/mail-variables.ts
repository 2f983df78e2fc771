/** What the variables of letters may hold. */
import { createPrivateKey } from "node:crypto";
import { isIP } from "node:net";
import { z } from "zod";
import { isEmail, splitAddress } from "../lib/email.ts";
import { toAsciiHostName } from "../lib/host-name.ts";
import { withCode } from "./error-codes.ts";

/** `SMTP_URL`: the server that takes letters. */
export interface MailServer {
  host: string;
  port: number;
  /** From the first byte on, in place of STARTTLS. */
  isSecure: boolean;
  /** Both or neither. */
  login: { user: string; password: string } | undefined;
  /** On this machine: no network can listen. */
  isLoopback: boolean;
}

const EXAMPLE = "smtp://user:password@smtp.example.org:587";
const PORTS = { "smtp:": 587, "smtps:": 465 };

/** The message must not repeat the address, which has a password. */
export const smtpUrl = z
  .string()
  .max(2048)
  .transform((text, context): MailServer => {
    const reject = (message: string) => {
      context.addIssue({ code: "custom", message, params: withCode("invalid_value") });
      return z.NEVER;
    };
    const url = URL.parse(text);
    if (!url || !(url.protocol in PORTS) || url.hostname === "")
      return reject(`must look like ${EXAMPLE}, with smtps:// for TLS from the beginning`);
    if (!["", "/"].includes(url.pathname) || url.search + url.hash !== "")
      return reject("must end after host and port");
    if ((url.username === "") !== (url.password === ""))
      return reject("must have a user and a password, or neither");
    const isSecure = url.protocol === "smtps:";
    const login = readLogin(url);
    if (login === null)
      return reject("must have the signs of user and password as a URL writes them, such as %25 for %");
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const port = Number(url.port) || PORTS[isSecure ? "smtps:" : "smtp:"];
    return { host, port, isSecure, login, isLoopback: isLoopback(host) };
  });

/** @returns null if something can't be decoded */
function readLogin({ username, password }: URL): MailServer["login"] | null {
  if (username === "") return undefined;
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return null;
  }
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));

/** A name, which can be empty, and an address. */
export interface Mailbox {
  name: string;
  address: string;
}

/** `MAIL_FROM`, `MAIL_REPLY_TO`: `books@example.org` or `Books of Example <books@example.org>`. */
export const mailbox = z
  .string()
  .max(500)
  .transform((text, context): Mailbox => {
    const [, name = "", address = text.trim()] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
    const { localPart, domain } = splitAddress(address);
    const plain = name.trim().replace(/^"(.*)"$/, "$1");
    if (isEmail(address) && /^[^\p{Cc}"]*$/u.test(plain))
      return { name: plain, address: `${localPart}@${toAsciiHostName(domain) ?? domain}` };
    const message = "must be an address such as books@example.org or Our Books <books@example.org>";
    context.addIssue({ code: "custom", message, params: withCode("invalid_value") });
    return z.NEVER;
  });

/** One or more certificates in PEM. */
export const certificates = z
  .string()
  .max(64 * 1024)
  .regex(/-----BEGIN CERTIFICATE-----/, "must be certificates in PEM");

/** Signers use no shorter ones (RFC 8301, 3.2). */
const MIN_KEY_BITS = 1024;

/** The private key of `MAIL_DKIM_SELECTOR`, in PEM: of a kind with which nodemailer signs, since it leaves out others silently. */
export const dkimKey = z
  .string()
  .max(16 * 1024)
  .refine(isSigningKey, {
    error: `must be a private RSA key of at least ${MIN_KEY_BITS} bits, in PEM without a passphrase`,
    params: withCode("invalid_value"),
  });

function isSigningKey(text: string): boolean {
  try {
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = createPrivateKey(text);
    return type === "rsa" && (details?.modulusLength ?? 0) >= MIN_KEY_BITS;
  } catch {
    return false;
  }
}

/** The name of a key in DNS (RFC 6376, 3.1). */
export const dkimSelector = z
  .string()
  .max(63)
  .regex(
    /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i,
    "must be a name such as books2026",
  );
