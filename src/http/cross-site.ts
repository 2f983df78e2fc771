/** Refuses unsafe requests, and those that start long work, that another site makes with our cookie. */
import type { Request } from "express";
import { forbidden } from "../errors.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

export interface OwnOrigins {
  /** Where the service itself is reached, when that is configured. */
  ownOrigin: string | undefined;
  corsOrigins: readonly string[];
}

/**
 * Browsers say where a request comes from: `Sec-Fetch-Site` (W3C Fetch Metadata), older ones `Origin`. Clients that send
 * neither are not browsers, and no one else's cookie is in them.
 * @param startsWork whether it is to be refused although its method is safe
 * @throws AppError 403 cross_site_request
 */
export function refuseCrossSite(
  req: Request,
  { ownOrigin, corsOrigins }: OwnOrigins,
  startsWork = false,
): void {
  if (SAFE_METHODS.has(req.method) && !startsWork) return;
  const site = req.get("sec-fetch-site");
  const origin = req.get("origin");
  if (site !== undefined) {
    if (site === "cross-site" || site === "same-site") throw refused();
    return;
  }
  const own = ownOrigin ?? `${req.protocol}://${req.host}`;
  if (origin !== undefined && origin !== own && !corsOrigins.includes(origin)) throw refused();
}

export interface FormOrigins extends OwnOrigins {
  /** That of PUBLIC_SITE_URL. */
  siteOrigin: string | undefined;
}

/**
 * A browser sends a form to any address without asking first, and names the page's origin. Requests without `Origin` come
 * from no page of today's browsers.
 * @throws AppError 403 foreign_origin
 */
export function rejectForeignForm(req: Request, { ownOrigin, corsOrigins, siteOrigin }: FormOrigins): void {
  const origin = req.get("origin");
  const own = ownOrigin ?? `${req.protocol}://${req.host}`;
  if (origin === undefined || [own, siteOrigin, ...corsOrigins].includes(origin)) return;
  throw forbidden(
    "foreign_origin",
    "This form comes from a site that isn't known here. Its operator can add it to CORS_ORIGINS or PUBLIC_SITE_URL.",
  );
}

const refused = () =>
  forbidden("cross_site_request", "This request comes from another site and was not carried out.");
