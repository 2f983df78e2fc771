/** Cookies: of the session, of a browser that is known at the log-in, and of one in which a reader has confirmed an address. */
import type { CookieOptions, Request, Response } from "express";
import { z } from "zod";
import { forbidden } from "../../errors.ts";
import type { CookieChange, Reply, SignedToken } from "../responses/responses.ts";

const SESSION = "auth.session-token";
const KNOWN_DEVICE = "auth.known-device";
const CONFIRMED = "mail.confirmed";

/** cookie-parser converts a value that begins with `j:` into an object; only a text is a token. */
const token = z.string().min(1).optional().catch(undefined);
const cookies = z.object({ [SESSION]: token, [KNOWN_DEVICE]: token, [CONFIRMED]: token }).catch({});

export const readSessionToken = (req: Request): string | undefined => cookies.parse(req.cookies)[SESSION];

export const readKnownDeviceToken = (req: Request): string | undefined =>
  cookies.parse(req.cookies)[KNOWN_DEVICE];

export const readConfirmedToken = (req: Request): string | undefined => cookies.parse(req.cookies)[CONFIRMED];

const optionsOf = (path: string, isSecure: boolean): CookieOptions => ({
  httpOnly: true,
  sameSite: "lax",
  path,
  secure: isSecure,
});

/**
 * A response sets the cookie once (RFC 6265, 4.1.1), so the last change of a request counts.
 * @param isSecure whether the service uses https
 */
export function writeSessionCookie(res: Response, change: CookieChange, isSecure: boolean): void {
  const options = optionsOf("/", isSecure);
  res.removeHeader("Set-Cookie");
  if (change === "clear") res.clearCookie(SESSION, options);
  else res.cookie(SESSION, change.token, { ...options, expires: new Date(change.expiresAt) });
}

/** Writes the cookies of a reply. */
export function writeCookies(
  res: Response,
  { cookie, knownDevice, confirmedBrowser }: Reply,
  isSecure: boolean,
): void {
  if (cookie) writeSessionCookie(res, cookie, isSecure);
  const write = (name: string, path: string, { token: value, expiresAt }: SignedToken) =>
    res.cookie(name, value, { ...optionsOf(path, isSecure), expires: new Date(expiresAt) });
  if (knownDevice) write(KNOWN_DEVICE, "/api/auth/login", knownDevice);
  if (confirmedBrowser) write(CONFIRMED, "/api/download", confirmedBrowser);
}

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Browsers send the origin of a request: `Sec-Fetch-Site` (W3C Fetch Metadata), or `Origin` in older ones. Clients that
 * send neither aren't browsers and have no cookie of another user.
 * @param ownOrigin of PUBLIC_BASE_URL; without it, the origin is that of the request
 * @param startsWork whether the request is checked although its method is safe
 * @throws AppError 403 cross_site_request
 */
export function rejectCrossSite(req: Request, ownOrigin: string | undefined, startsWork = false): void {
  if (SAFE_METHODS.has(req.method) && !startsWork) return;
  const site = req.get("sec-fetch-site");
  const origin = req.get("origin");
  if (site !== undefined) {
    if (site === "cross-site" || site === "same-site") throw rejected();
    return;
  }
  if (origin !== undefined && origin !== (ownOrigin ?? `${req.protocol}://${req.host}`)) throw rejected();
}

const rejected = () =>
  forbidden(
    "cross_site_request",
    "The request was sent from another site and was rejected. If it is a page of this service, PUBLIC_BASE_URL isn't its address.",
  );
