/** What programs read of the library: the feed of new books, the sitemap, and what search engines may read. */
import { createHash } from "node:crypto";
import { entityTag } from "../../lib/entity-tag.ts";
import { isoTime } from "../../lib/time.ts";
import { absoluteAddress, type Sites } from "../../library/addresses.ts";
import { type FeedEntry, renderFeed } from "../../library/feed.ts";
import { bookPath, listPath } from "../../library/frame.ts";
import { nameOrganisation, shorten } from "../../library/layout.ts";
import { renderRobots, renderSitemap, renderSitemapIndex, type SitemapEntry } from "../../library/sitemap.ts";
import { CatalogueCache } from "../shared/catalogue-cache.ts";
import { Service } from "../shared/service.ts";
import type { LibraryCatalogue, LibraryLanguage } from "./library-catalogue.ts";
import { isPlace } from "./library-pages.service.ts";
import type { LibraryPlaces, LibraryReply, PageReply, Place, PlainPlace, Visit } from "./library-places.ts";

const NEWEST = 50;
/** More make an index; the protocol permits 50,000. */
const ADDRESSES_A_PART = 10_000;
const KEPT_BYTES = 16 * 1024 * 1024;
const ENTRY_BYTES = 512;

const XML = "application/xml; charset=utf-8";
const ATOM = "application/atom+xml; charset=utf-8";

interface Document {
  bytes: Buffer;
  etag: string;
}

interface LibraryFeedsDeps {
  places: LibraryPlaces;
  libraryCatalogue: LibraryCatalogue;
  publicBaseUrl: string | undefined;
}

export class LibraryFeeds extends Service<LibraryFeedsDeps> {
  readonly #kept = new CatalogueCache<Document | undefined>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ bytes }) => ENTRY_BYTES + bytes.length,
  });
  readonly robots: { mediaType: string; text: string };

  constructor(deps: LibraryFeedsDeps) {
    super(deps);
    const sitemap = absoluteAddress({ baseUrl: deps.publicBaseUrl, domains: new Map() }, "sitemap.xml");
    this.robots = { mediaType: "text/plain; charset=utf-8", text: renderRobots(sitemap) };
  }

  async showFeed(code: string, visit: Visit): Promise<LibraryReply> {
    const found = await this.deps.places.find(code, "/new.atom", visit);
    if (!isPlace(found)) return found;
    const kept = await this.#keep(found, `feed ${found.language.code}`, () => this.#composeFeed(found));
    return documentReply(kept, ATOM, found.language.code);
  }

  /** Undefined without PUBLIC_BASE_URL, because a sitemap has absolute addresses only. */
  async showSitemap(visit: Visit): Promise<PageReply<200> | undefined> {
    if (this.deps.publicBaseUrl === undefined) return undefined;
    const place = await this.deps.places.findStart(visit);
    const parts = countParts(place);
    if (parts === 1) return this.showSitemapPart(1, visit);
    const kept = await this.#keep(place, "index", async () => {
      const { sites } = await this.deps.places.frame(place);
      const numbers = Array.from({ length: parts }, (_, index) => index + 1);
      return renderSitemapIndex(
        numbers.flatMap((number) => absoluteAddress(sites, `sitemaps/${number}.xml`) ?? []),
      );
    });
    return documentReply(kept, XML);
  }

  /** Undefined if there is no such part. @param number from 1 */
  async showSitemapPart(number: number, visit: Visit): Promise<PageReply<200> | undefined> {
    if (this.deps.publicBaseUrl === undefined) return undefined;
    const place = await this.deps.places.findStart(visit);
    if (number > countParts(place)) return undefined;
    const kept = await this.#keep(place, `part ${number}`, async () => {
      const { sites } = await this.deps.places.frame(place);
      return renderSitemap(await this.#listEntries(place, number, sites));
    });
    return documentReply(kept, XML);
  }

  /** The pages of all languages, the lists, and then the books of one language after the other. */
  async #listEntries(place: PlainPlace, number: number, sites: Sites): Promise<SitemapEntry[]> {
    const from = (number - 1) * ADDRESSES_A_PART;
    const { withBooks } = place.languages;
    const entryOf = (path: string, code?: string, modifiedAt?: string): SitemapEntry[] => {
      const address = absoluteAddress(sites, path, code);
      return address === undefined ? [] : [{ address, modifiedAt }];
    };
    const first = [
      ...entryOf("library"),
      ...withBooks.flatMap(({ code }) => entryOf(listPath(code), code)),
    ].slice(from, from + ADDRESSES_A_PART);
    const entries = [first];
    let start = countLists(withBooks);
    for (const { row, code, booksCount } of withBooks) {
      const offset = Math.max(0, from - start);
      const limit = Math.min(start + booksCount, from + ADDRESSES_A_PART) - (start + offset);
      start += booksCount;
      if (limit <= 0) continue;
      const scope = { language: row, channelId: place.settings.channelId ?? undefined, at: place.state.at };
      const books = await this.deps.libraryCatalogue.listChanges(scope, { limit, offset });
      entries.push(
        books.flatMap(({ slug, modifiedAt }) => entryOf(bookPath(code, slug), code, isoTime(modifiedAt))),
      );
    }
    return entries.flat();
  }

  async #composeFeed(place: Place): Promise<string> {
    const { language, settings } = place;
    const { code, row } = language;
    const frame = await this.deps.places.frame(place);
    const scope = { language: row, channelId: settings.channelId ?? undefined, at: place.state.at };
    const newest = await this.deps.libraryCatalogue.listNewest(scope, NEWEST);
    const feed = `${row.id} ${row.createdAt}`;
    const entries = newest.map(({ id, book, publishedAt }): FeedEntry => {
      const path = bookPath(code, book.slug);
      return {
        id: stableId(`${feed} ${id}`),
        title: book.title,
        summary: { ...book.description, text: shorten(book.description.text) },
        authors: book.authors,
        address: absoluteAddress(frame.sites, path, code) ?? `../../${path}`,
        publishedAt: isoTime(publishedAt),
      };
    });
    const name = nameOrganisation(frame).text;
    const path = listPath(code);
    return renderFeed({
      id: stableId(feed),
      title: `${language.nativeName} – ${name}`,
      author: name,
      code,
      self: absoluteAddress(frame.sites, `${path}/new.atom`, code) ?? "new.atom",
      list: absoluteAddress(frame.sites, path, code) ?? `../../${path}`,
      entries,
    });
  }

  async #keep({ state, visit }: PlainPlace, key: string, compose: () => Promise<string>): Promise<Document> {
    const composeDocument = async () => {
      const bytes = Buffer.from(await compose());
      return { bytes, etag: entityTag(bytes) };
    };
    return (await this.#kept.getOrCompose(state, key, composeDocument, visit.admit)) ?? composeDocument();
  }
}

/** The page of all languages, and the list of each. */
const countLists = (withBooks: readonly LibraryLanguage[]): number => 1 + withBooks.length;

function countParts({ languages: { withBooks } }: PlainPlace): number {
  const books = withBooks.reduce((sum, { booksCount }) => sum + booksCount, 0);
  return Math.ceil((countLists(withBooks) + books) / ADDRESSES_A_PART);
}

const documentReply = (
  { bytes, etag }: Document,
  mediaType: string,
  languageCode?: string,
): PageReply<200> => ({
  kind: "page",
  status: 200,
  page: { bytes, etag, contentLanguage: languageCode, languageCode, mediaType },
});

/** A UUID of the name (RFC 9562, 5.8), as an IRI: it stays the same when the service moves to another address. */
function stableId(name: string): string {
  const bytes = createHash("sha256").update(`library ${name}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  const groups = [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ] as const;
  return `urn:uuid:${groups.map(([start, end]) => hex.slice(start, end)).join("-")}`;
}
