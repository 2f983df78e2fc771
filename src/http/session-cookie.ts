/** The cookie that carries a session's token. */
import type { CookieOptions, Request, Response } from "express";
import { z } from "zod";
import type { CookieChange } from "./answers.ts";

const NAME = "auth.session-token";

/** cookie-parser turns a value that begins with `j:` into an object: only a text is a token. */
const cookies = z.object({ [NAME]: z.string().min(1) });

export function sessionTokenOf(req: Request): string | undefined {
  const parsed = cookies.safeParse(req.cookies);
  return parsed.success ? parsed.data[NAME] : undefined;
}

/**
 * The last change of a request counts: one answer sets the cookie once (RFC 6265, 4.1.1).
 * @param isSecure whether the service is reached over https
 */
export function writeSessionCookie(res: Response, change: CookieChange, isSecure: boolean): void {
  const options: CookieOptions = { httpOnly: true, sameSite: "lax", path: "/", secure: isSecure };
  res.removeHeader("Set-Cookie");
  if (change === "clear") res.clearCookie(NAME, options);
  else res.cookie(NAME, change.token, { ...options, expires: new Date(change.expiresAt) });
}
