/** The pages of the library: composed once for each version of the catalogue, and kept as the API's responses are. */
import { type BookPage, renderBookPage } from "../../library/book-page.ts";
import { bookPath, listPath } from "../../library/frame.ts";
import { type Order, renderListPage } from "../../library/list-page.ts";
import {
  renderLanguagesPage,
  renderTextPage,
  renderWholePage,
  type WholePage,
} from "../../library/other-pages.ts";
import type { Look } from "../../library/shell.ts";
import type { ArchivePlans } from "../downloads/archive-plan.ts";
import { CatalogueCache } from "../shared/catalogue-cache.ts";
import { Service } from "../shared/service.ts";
import { BOOKS_A_PAGE, type LibraryCatalogue } from "./library-catalogue.ts";
import type { LibraryLooks } from "./library-looks.ts";
import {
  type ComposedPage,
  composeOnce,
  type LibraryPlaces,
  type LibraryReply,
  type Missed,
  moveTo,
  offersWhole,
  type PageReply,
  type Place,
  type PlainPlace,
  type Visit,
} from "./library-places.ts";
import type { LibraryReader, LogoImage } from "./library-reader.ts";
import type { LibraryStyle } from "./library-style.ts";

const PAGES_BYTES = 32 * 1024 * 1024;
/** Upper bound of an entry's size besides its bytes. */
const ENTRY_BYTES = 1024;

interface ListRequest {
  q?: string | undefined;
  page: number;
  order: Order;
}

interface PartOfList {
  page: number;
  order: Order;
  /** What was searched for. */
  typed: string;
}

interface LibraryPagesDeps {
  places: LibraryPlaces;
  libraryCatalogue: LibraryCatalogue;
  libraryReader: LibraryReader;
  style: LibraryStyle;
  looks: LibraryLooks;
  plans: ArchivePlans;
}

export class LibraryPages extends Service<LibraryPagesDeps> {
  readonly #pages = new CatalogueCache<ComposedPage | undefined>({
    maxSize: PAGES_BYTES,
    sizeCalculation: ({ source, bytes }) => ENTRY_BYTES + 2 * source.length + bytes.length,
  });

  /** The list of the language of the host or the browser; without books in any of them, all languages. */
  async showHome(host: string, visit: Visit): Promise<PageReply<200>> {
    const place = await this.deps.places.findHome(host, visit);
    if (!hasLanguage(place)) return this.#showLanguages(place);
    const list = { page: 1, order: "listed", typed: "" } as const;
    const kept = await this.#keepList(place, list);
    return kept ? this.deps.places.reply(place, kept) : this.#showLanguages(place);
  }

  async showLanguages(visit: Visit): Promise<PageReply<200>> {
    return this.#showLanguages(await this.deps.places.findStart(visit));
  }

  async showList(code: string, request: ListRequest, visit: Visit): Promise<LibraryReply> {
    const found = await this.deps.places.find(code, formatQuery(request), visit);
    return isPlace(found) ? this.#showList(found, request) : found;
  }

  async showBook(code: string, slug: string, visit: Visit): Promise<LibraryReply> {
    const found = await this.deps.places.find(code, `/books/${encodeURIComponent(slug)}`, visit);
    if (!isPlace(found)) return found;
    const compose = async () => {
      const page = await this.findBook(found, slug);
      return page && renderBookPage(await this.deps.places.frame(found), page);
    };
    const kept = await this.#keep(found, ["book", slug], compose);
    return kept ? this.deps.places.reply(found, kept) : this.missBook(found, slug);
  }

  async showWhole(code: string, visit: Visit): Promise<LibraryReply> {
    const found = await this.deps.places.find(code, "/all", visit);
    if (!isPlace(found)) return found;
    const compose = async () => {
      const page = await this.findWhole(found);
      return page && renderWholePage(await this.deps.places.frame(found), page);
    };
    const kept = await this.#keep(found, ["all"], compose);
    return kept ? this.deps.places.reply(found, kept) : this.missPage(found);
  }

  async showText(code: string, name: "about" | "privacy", visit: Visit): Promise<LibraryReply> {
    const found = await this.deps.places.find(code, `/${name}`, visit);
    if (!isPlace(found)) return found;
    const kept = await this.#keep(found, [name], async () => {
      const text = await this.deps.places.findText(found, name);
      if (!text) return undefined;
      const path = `${listPath(found.language.code)}/${name}`;
      return renderTextPage(await this.deps.places.frame(found), {
        title: found.words.say(name),
        text,
        path,
      });
    });
    return kept ? this.deps.places.reply(found, kept) : this.missPage(found);
  }

  /** What other pages show of the organisation. @param mayWait whether the database may be asked; otherwise, what is known */
  readLook(languageCode: string, mayWait: boolean): Promise<Look> {
    return this.deps.looks.read(languageCode, mayWait);
  }

  /** The style sheet, also if the database doesn't respond. Only that of the hash may be kept for good. */
  async readStyle(hash: string): Promise<ReturnType<LibraryStyle["read"]>> {
    const { libraryReader, style } = this.deps;
    const settings = await libraryReader.readLibrary().catch(() => undefined);
    return style.read(hash, settings?.accent);
  }

  /** Undefined unless it is that of the hash. */
  async readLogo(sha256: string): Promise<LogoImage | undefined> {
    const logo = await this.deps.libraryReader.readLogo();
    return logo?.sha256 === sha256 ? logo : undefined;
  }

  /** Undefined if the book isn't published here. */
  async findBook(place: Place, slug: string): Promise<BookPage | undefined> {
    const { language } = place;
    const { libraryCatalogue, places } = this.deps;
    const found = await this.#readBook(place, slug);
    if (!found?.isHere) return undefined;
    const { id, book, credits, others } = found;
    const series = book.series?.name;
    const parts =
      series === undefined ? [] : await libraryCatalogue.listSeries({ id, series }, scopeOf(place));
    const form = await places.createForm(place, bookPath(language.code, slug));
    return { language, book, credits, others, parts, form: { ...form, formats: book.formats } };
  }

  /** Undefined if whole languages aren't offered. */
  async findWhole(place: Place): Promise<WholePage | undefined> {
    const { language, settings } = place;
    if (!offersWhole(settings)) return undefined;
    const { bookIds, totalBytes } = await this.deps.plans.getPlan(language.row);
    const form = await this.deps.places.createForm(place, `${listPath(language.code)}/all`);
    return { language, booksCount: bookIds.length, totalBytes, form };
  }

  /**
   * 404 that names the languages in which the book is; a former slug leads to the present one.
   * @param rest of the path, behind the slug
   */
  async missBook(place: Place, slug: string, rest = ""): Promise<Missed> {
    const { language, words } = place;
    const found = await this.#readBook(place, slug);
    const current = found ? undefined : await this.deps.libraryCatalogue.findSlugAfter(slug);
    // The slug of a book that isn't published is for administrators only.
    if (current !== undefined && (await this.#readBook(place, current)))
      return moveTo(bookPath(language.code, current) + rest, place.visit);
    return this.deps.places.miss(place, {
      title: found ? words.say("notInLanguage") : words.say("unknownBook"),
      editions: found && { slug, languages: found.others.map((edition) => edition.language) },
      links: [{ path: listPath(language.code), text: words.say("back") }],
    });
  }

  /** 404 for a link that isn't valid, or whose file is gone. @param path of its form */
  missLink(place: Place, path: string): Promise<PageReply<404>> {
    const { heading, text } = this.deps.places.findUnknownTexts(place);
    const links = [{ path, text: place.words.say("back") }];
    return this.deps.places.miss(place, { title: heading, text, links });
  }

  /** Whether the published book has this slug. */
  isBook(id: string, slug: string): Promise<boolean> {
    return this.deps.libraryCatalogue.isBook(id, slug);
  }

  missPage(place: Place): Promise<PageReply<404>> {
    const { language, words } = place;
    return this.deps.places.miss(place, {
      title: words.say("unknownPage"),
      links: [{ path: listPath(language.code), text: words.say("back") }],
    });
  }

  #readBook({ language, languages, settings, state: { at } }: Place, slug: string) {
    const channelId = settings.channelId ?? undefined;
    return this.deps.libraryCatalogue.readBook(slug, language.row, { languages, channelId, at });
  }

  async #showLanguages(place: PlainPlace): Promise<PageReply<200>> {
    const { places } = this.deps;
    const kept = await this.#keep(place, ["languages"], async () =>
      renderLanguagesPage(await places.frame(place)),
    );
    if (!kept) throw new Error("The languages are always there");
    return places.reply(place, kept);
  }

  async #showList(place: Place, { q: typed = "", page, order }: ListRequest): Promise<LibraryReply> {
    const { language, words } = place;
    const { places } = this.deps;
    const list = { page, order, typed };
    // Only a search has to be looked for to know its pages.
    const found = typed === "" ? undefined : await this.#readPart(place, list);
    const lastPage = countPages(found?.total ?? language.booksCount);
    const kept = await (found
      ? composeOnce(() => this.#renderPart(place, list, found))
      : this.#keepList(place, list));
    if (kept) return places.reply(place, kept);
    return places.miss(place, {
      title: words.say("pastEnd"),
      links: [
        { path: listPath(language.code), query: queryOf(typed, lastPage), text: words.say("lastPage") },
      ],
    });
  }

  /** A list without a search; undefined for a page past its end. What visitors type isn't kept. */
  async #keepList(place: Place, list: PartOfList): Promise<ComposedPage | undefined> {
    if (list.page > countPages(place.language.booksCount)) return undefined;
    return this.#keep(place, ["list", list.page, list.order], async () =>
      this.#renderPart(place, list, await this.#readPart(place, list)),
    );
  }

  #readPart(place: Place, list: PartOfList) {
    return this.deps.libraryCatalogue.readList({ ...scopeOf(place), ...list });
  }

  async #renderPart(
    place: Place,
    list: PartOfList,
    { books, total }: Awaited<ReturnType<LibraryCatalogue["readList"]>>,
  ): Promise<string | undefined> {
    const totalPages = countPages(total);
    if (list.page > totalPages) return undefined;
    const frame = await this.deps.places.frame(place);
    return renderListPage(frame, { language: place.language, books, total, totalPages, ...list });
  }

  /** Undefined if `compose` finds nothing, which isn't kept. */
  #keep(
    { state, words, language, visit }: PlainPlace,
    key: readonly (string | number)[],
    compose: () => Promise<string | undefined>,
  ): Promise<ComposedPage | undefined> {
    const whole = JSON.stringify([words.code, visit.root, language?.row.id, ...key]);
    return this.#pages.getOrCompose(state, whole, () => composeOnce(compose), visit.admit);
  }
}

/** An empty list has a page, too. */
const countPages = (total: number): number => Math.max(1, Math.ceil(total / BOOKS_A_PAGE));

const scopeOf = ({ language, settings, state: { at } }: Place) => ({
  language: language.row,
  channelId: settings.channelId ?? undefined,
  at,
});

/** Without what is the same as no parameter. */
function formatQuery({ q = "", page, order }: ListRequest): string {
  const query = { ...queryOf(q, page), ...(order !== "listed" && { order }) };
  const parameters = new URLSearchParams(query).toString();
  return parameters === "" ? "" : `?${parameters}`;
}

const queryOf = (q: string, page: number): Record<string, string> => ({
  ...(q !== "" && { q }),
  ...(page > 1 && { page: String(page) }),
});

const hasLanguage = (place: PlainPlace): place is Place => place.language !== undefined;

export const isPlace = (found: Place | Missed): found is Place => "words" in found;
