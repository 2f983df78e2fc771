/** What programs read of the library: the feed of new books, the sitemap, and robots.txt. */
import { notFound } from "../errors.ts";
import { anyone } from "../http/access.ts";
import { defineKeptRoute } from "../http/kept-route.ts";
import { content, empty, okContent } from "../http/responses/responses.ts";
import { defineRoute, type KeptCaller } from "../http/route.ts";
import { sitemapParams } from "../schemas/library-feeds.schemas.ts";
import { libraryCodeParams } from "../schemas/library-pages.schemas.ts";
import type { PageReply, Visit } from "../services/library/library-places.ts";
import { toPage } from "./library-pages.routes.ts";

const KEPT = { databaseLimit: "record", showsCatalogue: true } as const;

/** A document is the same for all readers: neither campaigns nor the languages of a browser change it. */
const createVisit = ({ count }: KeptCaller): Visit => ({
  root: "",
  campaign: {},
  acceptedLanguages: () => [],
  admit: () => count("list"),
});

const SITEMAP = {
  ...KEPT,
  responses: { 200: content("The sitemap", "application/xml") },
  problems: [404],
} as const;

function toSitemap(reply: PageReply<200> | undefined) {
  if (!reply) throw notFound("not_found", "There is no such part of the sitemap, or no PUBLIC_BASE_URL.");
  return toPage(reply);
}

export const libraryFeedRoutes = [
  defineKeptRoute({
    ...KEPT,
    hasProblemPages: "always",
    id: "getLibraryFeed",
    path: "/library/{code}/new.atom",
    summary: "Get the newest books of a language as a feed",
    description:
      "Returns an Atom feed (RFC 4287) with the newest 50 books. A book is as old as its first active file in the language; a replaced file doesn't make it new. Without `PUBLIC_BASE_URL`, its addresses are relative.",
    params: libraryCodeParams,
    responses: {
      200: content("The feed", "application/atom+xml"),
      308: empty("Redirects to the canonical form of the address"),
      404: content("A page that leads the reader on", "text/html"),
    },
    handle: async ({ params: { code }, ...caller }, { libraryFeeds }) => {
      const reply = await libraryFeeds.showFeed(code, createVisit(caller));
      if (reply.kind === "moved")
        return { status: 308, empty: true, headers: { Location: `../../${reply.path}` } } as const;
      const { status, page } = reply;
      return status === 200 ? toPage({ status, page }) : toPage({ status, page });
    },
  }),
  defineKeptRoute({
    ...SITEMAP,
    id: "getSitemap",
    path: "/sitemap.xml",
    summary: "Get the sitemap",
    description:
      "Returns the addresses of the library's pages for search engines; above 10,000, an index of the parts. Returns 404 without `PUBLIC_BASE_URL`.",
    handle: async (caller, { libraryFeeds }) =>
      toSitemap(await libraryFeeds.showSitemap(createVisit(caller))),
  }),
  defineKeptRoute({
    ...SITEMAP,
    id: "getSitemapPart",
    path: "/sitemaps/{number}.xml",
    summary: "Get a part of the sitemap",
    description: "Returns at most 10,000 addresses. The index has the numbers of the parts.",
    params: sitemapParams,
    handle: async ({ params: { number }, ...caller }, { libraryFeeds }) =>
      toSitemap(await libraryFeeds.showSitemapPart(number, createVisit(caller))),
  }),
  defineRoute({
    id: "getRobots",
    method: "get",
    path: "/robots.txt",
    summary: "Get what search engines may read",
    description:
      "Everything but downloads and the console; with `PUBLIC_BASE_URL`, the address of the sitemap.",
    access: anyone,
    responses: { 200: content("The rules", "text/plain") },
    // Without a library.
    problems: [404],
    isCacheable: true,
    handle: (_, { libraryFeeds }) => okContent(libraryFeeds.robots),
  }),
];
