/** How long responses may be kept outside of the service: `Cache-Control`, and the keys by which a CDN forgets them. */
import type { Route } from "../route.ts";

type Caching = Pick<Route, "isCacheable" | "showsCatalogue">;

/**
 * Without `seconds`, caches ask each time, and get 304 if nothing has changed. With them, a shared cache may send what it
 * has for as long without asking, and then once more as long while it asks.
 */
export function cacheControlFor(route: Caching, seconds: number): string {
  if (isShared(route, seconds))
    return `public, max-age=0, s-maxage=${seconds}, stale-while-revalidate=${seconds}`;
  return route.isCacheable ? "no-cache" : "no-store";
}

/** The header by which a CDN can forget all responses of the catalogue, or those in one language. */
export const surrogateKey = (languageCode: string | undefined): [name: string, value: string] => [
  "Surrogate-Key",
  languageCode === undefined ? "catalogue" : `catalogue catalogue-${languageCode}`,
];

export const isShared = ({ showsCatalogue }: Caching, seconds: number): boolean =>
  showsCatalogue === true && seconds > 0;
