/** The sitemap (sitemaps.org), its parts, and what search engines may read. */
import { escapeXml } from "../lib/xml.ts";

export interface SitemapEntry {
  address: string;
  /** ISO 8601; undefined if unknown. */
  modifiedAt?: string | undefined;
}

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

export function renderSitemap(entries: readonly SitemapEntry[]): string {
  const items = entries.map(({ address, modifiedAt }) => {
    const modified = modifiedAt === undefined ? "" : `<lastmod>${escapeXml(modifiedAt)}</lastmod>`;
    return `<url><loc>${escapeXml(address)}</loc>${modified}</url>\n`;
  });
  return `${HEAD}<urlset xmlns="${NAMESPACE}">\n${items.join("")}</urlset>\n`;
}

/** @param addresses of the parts */
export function renderSitemapIndex(addresses: readonly string[]): string {
  const items = addresses.map((address) => `<sitemap><loc>${escapeXml(address)}</loc></sitemap>\n`);
  return `${HEAD}<sitemapindex xmlns="${NAMESPACE}">\n${items.join("")}</sitemapindex>\n`;
}

/** @param sitemap its address, if there is one */
export const renderRobots = (sitemap: string | undefined): string =>
  `User-agent: *\nDisallow: /api/download\nDisallow: /console\n${sitemap === undefined ? "" : `\nSitemap: ${sitemap}\n`}`;
