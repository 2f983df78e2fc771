/** The absolute addresses of pages, for search engines, feeds and other sites: only those that are configured, never of `Host`. */

/** The configured addresses of the service. */
export interface Sites {
  /** PUBLIC_BASE_URL. */
  baseUrl: string | undefined;
  /** The host names of languages, by code. */
  domains: ReadonlyMap<string, string>;
}

/**
 * Undefined if no address is configured. The pages of a language with a host name of its own are on that host.
 * @param path relative to `/`
 * @param code of the language of the page; undefined for a page of all languages
 */
export function absoluteAddress(
  { baseUrl, domains }: Sites,
  path: string,
  code?: string,
): string | undefined {
  const domain = code === undefined ? undefined : domains.get(code);
  if (domain !== undefined) return `https://${domain}/${path}`;
  return baseUrl === undefined ? undefined : `${baseUrl.replace(/\/$/, "")}/${path}`;
}
