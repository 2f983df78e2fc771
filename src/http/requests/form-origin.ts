/** Rejects forms that pages of other websites submit: a browser sends a form to any URL without a preflight. */
import type { Request } from "express";
import { forbidden } from "../../errors.ts";

export interface FormOrigins {
  /** The origin of PUBLIC_BASE_URL. */
  ownOrigin: string | undefined;
  /** CORS_ORIGINS and the origin of PUBLIC_SITE_URL. */
  siteOrigins: readonly string[];
  /** Whether a language has this host name as its custom domain. */
  isCustomDomain(hostName: string): Promise<boolean>;
}

/**
 * Current browsers send no form without `Origin`. It is `null` if the page has `Referrer-Policy: no-referrer`, and it differs
 * from `Host` behind a proxy that cuts the port or passes on another name: `Sec-Fetch-Site`, which no page can set, then
 * says whether the page is of this origin.
 * @throws AppError 403 foreign_origin
 */
export async function rejectForeignForm(req: Request, origins: FormOrigins): Promise<void> {
  const origin = req.get("origin");
  if (origin === undefined || req.get("sec-fetch-site") === "same-origin") return;
  if (origins.siteOrigins.includes(origin)) return;
  const page = parseOrigin(origin);
  if (page && (isOwnHost(page, req, origins) || (await origins.isCustomDomain(page.hostname)))) return;
  throw forbidden(
    "foreign_origin",
    "The form was sent from an unknown website. Add the website to CORS_ORIGINS or PUBLIC_SITE_URL.",
  );
}

/** Undefined for `null` and anything else that isn't the origin of a website. */
function parseOrigin(origin: string): URL | undefined {
  const url = /^https?:/.test(origin) ? URL.parse(origin) : null;
  return url?.origin === origin ? url : undefined;
}

/** With either scheme: a proxy that ends TLS passes on http. */
function isOwnHost(page: URL, req: Request, { ownOrigin }: FormOrigins): boolean {
  const hosts = [req.headers.host, ownOrigin?.replace(/^https?:\/\//, "")];
  return hosts.some((host) => host && URL.parse(`${page.protocol}//${host}`)?.host === page.host);
}
