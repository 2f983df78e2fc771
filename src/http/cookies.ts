/** The cookies: one carries a session's token, the other says at the next log-in that the browser is known. */
import type { CookieOptions, Request, Response } from "express";
import { z } from "zod";
import type { CookieChange, Reply } from "./answers.ts";

const SESSION = "auth.session-token";
const KNOWN_DEVICE = "auth.known-device";

/** cookie-parser turns a value that begins with `j:` into an object: only a text is a token. */
const token = z.string().min(1).optional().catch(undefined);
const cookies = z.object({ [SESSION]: token, [KNOWN_DEVICE]: token }).catch({});

export const sessionTokenOf = (req: Request): string | undefined => cookies.parse(req.cookies)[SESSION];

export const knownDeviceTokenOf = (req: Request): string | undefined =>
  cookies.parse(req.cookies)[KNOWN_DEVICE];

const optionsOf = (path: string, isSecure: boolean): CookieOptions => ({
  ...{ httpOnly: true, sameSite: "lax", path, secure: isSecure },
});

/**
 * The last change of a request counts: one answer sets the cookie once (RFC 6265, 4.1.1).
 * @param isSecure whether the service is reached over https
 */
export function writeSessionCookie(res: Response, change: CookieChange, isSecure: boolean): void {
  const options = optionsOf("/", isSecure);
  res.removeHeader("Set-Cookie");
  if (change === "clear") res.clearCookie(SESSION, options);
  else res.cookie(SESSION, change.token, { ...options, expires: new Date(change.expiresAt) });
}

/** The cookies that a reply asks for. */
export function writeCookies(res: Response, { cookie, knownDevice }: Reply, isSecure: boolean): void {
  if (cookie) writeSessionCookie(res, cookie, isSecure);
  if (!knownDevice) return;
  const options = { ...optionsOf("/api/auth/login", isSecure), expires: new Date(knownDevice.expiresAt) };
  res.cookie(KNOWN_DEVICE, knownDevice.token, options);
}
