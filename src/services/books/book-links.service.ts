/** The addresses under which readers find a book, by language and channel, and their QR codes. */
import { drawSvg, encodeSquares, MAX_QR_BYTES } from "../../adapters/images/qr-code.ts";
import type { Config } from "../../config.ts";
import { conflict, notFound } from "../../errors.ts";
import { addParameters, fillTemplate } from "../../lib/address-template.ts";
import { entityTag } from "../../lib/entity-tag.ts";
import { absoluteAddress } from "../../library/addresses.ts";
import { bookPath } from "../../library/frame.ts";
import type { BookRow } from "../../repositories/books.repository.ts";
import type { ChannelRow } from "../../repositories/channels.repository.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import type { BookLinks, BookLinksQuery, BookQrQuery } from "../../schemas/book-links.schemas.ts";
import { findBook } from "../shared/catalogue-lookup.ts";
import type { ImageBytes } from "../shared/results.ts";
import { type CatalogueDeps, Service } from "../shared/service.ts";

interface BookLinksDeps extends Pick<CatalogueDeps, "reads" | "images" | "clock"> {
  config: Pick<Config, "publicBaseUrl" | "publicSiteUrl" | "publicBookUrl" | "hasLibrary">;
}

/** Where readers find the book; without an address if nothing says one. */
interface Link {
  channel: ChannelRow | undefined;
  language: LanguageRow;
  url: string | undefined;
}

export class BookLinksService extends Service<BookLinksDeps> {
  /** @throws AppError 409 `no_public_site` if nothing says where readers find books */
  async list(bookId: string, { languageCode, channel: slug }: BookLinksQuery): Promise<BookLinks> {
    const book = await findBook(this.deps.reads.books, bookId);
    const language = languageCode === undefined ? undefined : await this.#findLanguage(languageCode);
    const found = await this.#findLinks(book, language, slug);
    const links = found.flatMap(({ channel, language: { code }, url }) =>
      url === undefined
        ? []
        : {
            channelId: channel?.id ?? null,
            channelSlug: channel?.slug ?? null,
            languageCode: code,
            url,
            qrUrl: qrPath(bookId, code, channel?.slug),
          },
    );
    if (links.length === 0 && !this.#hasAddress) throw noPublicSite();
    return { links };
  }

  /** @throws AppError 404 for a book that isn't published there, 409 for a link without an address, or with a long one */
  async drawCode(bookId: string, { languageCode, channel, format, size }: BookQrQuery): Promise<ImageBytes> {
    const book = await findBook(this.deps.reads.books, bookId);
    const found = await this.#findLinks(book, await this.#findLanguage(languageCode), channel);
    const link = found.find((each) => each.channel?.slug === channel);
    if (!link) throw notFound("not_published", "This book isn't published there.");
    if (link.url === undefined) throw noPublicSite();
    if (link.url.length > MAX_QR_BYTES)
      throw conflict(
        "address_too_long",
        `A QR code has room for ${MAX_QR_BYTES} bytes; shorten the address.`,
      );
    const squares = encodeSquares(link.url);
    if (format === "svg") return imageOf(Buffer.from(drawSvg(squares)), "image/svg+xml");
    return imageOf(
      (await this.deps.images.drawSquares(squares, Math.max(size, squares.length))).bytes,
      "image/png",
    );
  }

  async #findLanguage(code: string): Promise<LanguageRow> {
    const language = await this.deps.reads.languages.findByCode(code);
    if (!language) throw notFound("language_not_found", "Language not found.");
    return language;
  }

  /** By language; of the channel with this slug or, without one, of all and of none. */
  async #findLinks(
    book: BookRow,
    language: LanguageRow | undefined,
    slug: string | undefined,
  ): Promise<Link[]> {
    const { languages, publication } = this.deps.reads;
    const channels = await this.#listChannels(slug);
    // Links to a book that isn't due yet are printed before.
    const at = Math.max(this.deps.clock.now(), book.publishAt ?? 0);
    const inAny = new Set((await publication.findPlaces([book.id], at)).map(({ languageId }) => languageId));
    const places = await publication.findChannelPlaces(book.id, at);
    const onChannels = new Set(places.map(({ channelId, languageId }) => `${channelId} ${languageId}`));
    const published = (language ? [language] : await languages.list()).filter(({ id }) => inAny.has(id));
    return published.flatMap((each) =>
      [
        ...(slug === undefined ? [undefined] : []),
        ...channels.filter(({ id }) => onChannels.has(`${id} ${each.id}`)),
      ].map((channel) => ({ channel, language: each, url: this.#createAddress(book, each, channel) })),
    );
  }

  async #listChannels(slug: string | undefined): Promise<ChannelRow[]> {
    const all = await this.deps.reads.channels.list();
    const channels = all.filter((each) => each.isActive === 1 && (slug === undefined || each.slug === slug));
    if (slug !== undefined && channels.length === 0)
      throw notFound("channel_not_found", "Channel not found.");
    return channels;
  }

  /** Whether there is one without those of channels and languages. */
  get #hasAddress(): boolean {
    const { publicBookUrl, publicSiteUrl, publicBaseUrl, hasLibrary } = this.deps.config;
    return (publicBookUrl ?? publicSiteUrl) !== undefined || (hasLibrary && publicBaseUrl !== undefined);
  }

  #createAddress(book: BookRow, language: LanguageRow, channel: ChannelRow | undefined): string | undefined {
    const template = channel?.bookUrl ?? this.deps.config.publicBookUrl;
    const place = { language: language.code, slug: book.slug, channel: channel?.slug ?? "" };
    const address =
      template === undefined ? this.#findDefault(book, language) : fillTemplate(template, place);
    return address && addCampaign(address, channel);
  }

  /** In the library where it is on, or else on the organisation's site. */
  #findDefault({ slug }: BookRow, { code, customDomain }: LanguageRow): string | undefined {
    const { publicBaseUrl: baseUrl, publicSiteUrl, hasLibrary } = this.deps.config;
    const domains = new Map(customDomain === null ? [] : [[code, customDomain]]);
    const inLibrary = hasLibrary
      ? absoluteAddress({ baseUrl, domains }, bookPath(code, slug), code)
      : undefined;
    if (inLibrary !== undefined || publicSiteUrl === undefined) return inLibrary;
    return addParameters(publicSiteUrl, [
      ["language", code],
      ["book", slug],
    ]);
  }
}

const qrPath = (bookId: string, code: string, slug: string | undefined): string =>
  `/api/admin/books/${bookId}/qr?languageCode=${code}${slug === undefined ? "" : `&channel=${slug}`}`;

const imageOf = (bytes: Buffer, contentType: string): ImageBytes => ({
  bytes,
  contentType,
  etag: entityTag(bytes),
});

const noPublicSite = () =>
  conflict(
    "no_public_site",
    "Nothing says where readers find the books. Set PUBLIC_BASE_URL, PUBLIC_SITE_URL or PUBLIC_BOOK_URL, or give the channel a bookUrl.",
  );

const addCampaign = (address: string, channel: ChannelRow | undefined): string =>
  addParameters(address, [
    ["utm_source", channel?.utmSource ?? null],
    ["utm_medium", channel?.utmMedium ?? null],
    ["utm_campaign", channel?.utmCampaign ?? null],
  ]);
