/** How long responses may be kept outside of the service: `Cache-Control`, and the keys by which a CDN forgets them. */
import { SECOND } from "../../lib/time.ts";
import type { Route } from "../route.ts";

type Caching = Pick<Route, "isCacheable" | "showsCatalogue" | "isForAnySite">;

/** How long shared caches may keep what depends on the catalogue. */
export interface Sharing {
  /** PUBLIC_CACHE_SECONDS. */
  seconds: number;
  /** Until something in the response changes by itself, in milliseconds; Infinity if nothing does. */
  validMs: number;
}

/**
 * Without `seconds`, caches ask each time, and get 304 if nothing has changed. With them, a shared cache may send what it
 * has for as long without asking, and then once more as long while it asks; both together end when the response does.
 */
export function cacheControlFor(route: Caching, sharing: Sharing): string {
  if (isShared(route, sharing.seconds)) return shareFor(sharing);
  return route.isCacheable ? "no-cache" : "no-store";
}

export function shareFor({ seconds, validMs }: Sharing): string {
  const left = Math.max(0, Math.floor(validMs / SECOND));
  const fresh = Math.min(seconds, left);
  return `public, max-age=0, s-maxage=${fresh}, stale-while-revalidate=${Math.min(seconds, left - fresh)}`;
}

/** The header by which a CDN can forget all responses of the catalogue, or those in one language. */
export const surrogateKey = (languageCode: string | undefined): [name: string, value: string] => [
  "Surrogate-Key",
  languageCode === undefined ? "catalogue" : `catalogue catalogue-${languageCode}`,
];

const isShared = ({ showsCatalogue, isForAnySite }: Caching, seconds: number): boolean =>
  (showsCatalogue === true || isForAnySite === true) && seconds > 0;

/** Whether a CDN forgets the response when the catalogue changes. */
export const hasSurrogateKey = ({ showsCatalogue }: Caching, seconds: number): boolean =>
  showsCatalogue === true && seconds > 0;
