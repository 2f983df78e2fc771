/** All pages of the library, as its services compose them. */
import type { createLibraryServices } from "../../src/services/library/create-library.ts";
import type { LibraryReply, PageReply, Visit } from "../../src/services/library/library-places.ts";
import type { CatalogueModel } from "./model/catalogue-model.ts";

type Library = Pick<ReturnType<typeof createLibraryServices>, "libraryPages" | "libraryFeeds">;

const VISIT: Visit = { root: "../", campaign: {}, acceptedLanguages: () => ["en"] };

const textOf = (reply: LibraryReply | PageReply<200> | undefined): string => {
  if (reply === undefined) return "nothing";
  return reply.kind === "moved" ? `moved to ${reply.path}` : `${reply.status} ${reply.page.bytes}`;
};

/** By name. The books of each page are those of the model. */
export async function pagesOf(
  { libraryPages, libraryFeeds }: Library,
  { languages, books }: CatalogueModel,
): Promise<Record<string, string>> {
  const list = { page: 1, order: "listed" } as const;
  const pages: [string, Promise<LibraryReply | PageReply<200> | undefined>][] = [
    ["/", libraryPages.showHome("books.test", VISIT)],
    ["/library", libraryPages.showLanguages(VISIT)],
    ["/sitemap.xml", libraryFeeds.showSitemap(VISIT)],
    ...languages.flatMap(({ code }): [string, Promise<LibraryReply>][] => [
      [code, libraryPages.showList(code, list, VISIT)],
      [`${code} by title`, libraryPages.showList(code, { ...list, order: "title" }, VISIT)],
      [`${code} newest`, libraryPages.showList(code, { ...list, order: "newest" }, VISIT)],
      [`${code} searched`, libraryPages.showList(code, { ...list, q: "1" }, VISIT)],
      [`${code} whole`, libraryPages.showWhole(code, VISIT)],
      [`${code} about`, libraryPages.showText(code, "about", VISIT)],
      [`${code} feed`, libraryFeeds.showFeed(code, VISIT)],
      ...books
        .slice(0, 3)
        .map(({ slug }): [string, Promise<LibraryReply>] => [
          `${code} ${slug}`,
          libraryPages.showBook(code, slug, VISIT),
        ]),
    ]),
  ];
  return Object.fromEntries(
    await Promise.all(pages.map(async ([name, reply]) => [name, textOf(await reply)] as const)),
  );
}
