/** What all pages of the library are made from: the language that an address means, texts, settings, and pages for wrong addresses. */
import { canonicalizeLanguageCode } from "../../lib/bcp47.ts";
import { chooseLanguage } from "../../lib/choose-language.ts";
import { entityTag } from "../../lib/entity-tag.ts";
import { type Frame, fillInCampaign, listPath, type TextIn } from "../../library/frame.ts";
import { type Message, renderMessage } from "../../library/other-pages.ts";
import { choosePageLanguage, type PageLanguages } from "../../library/page-languages.ts";
import type { RequestForm } from "../../library/request-form.ts";
import { findWords, type Words } from "../../library/words.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import type { Campaign } from "../../schemas/download-requests.schemas.ts";
import { CatalogueCache } from "../shared/catalogue-cache.ts";
import type { CatalogueState, CatalogueVersions } from "../shared/catalogue-versions.ts";
import { Service } from "../shared/service.ts";
import {
  type LibraryCatalogue,
  type LibraryLanguage,
  type LibraryLanguages,
  nameOfLanguage,
} from "./library-catalogue.ts";
import { logoPathOf } from "./library-looks.ts";
import type { LibraryReader, LibrarySettings } from "./library-reader.ts";
import type { LibraryStyle } from "./library-style.ts";
import type { TextLanguage } from "./library-texts.ts";

/** Who asks for a page, and in what way. */
export interface Visit {
  /** The address of `/`, relative to the page. */
  root: string;
  campaign: Campaign;
  /** The codes that the browser prefers. A page for which they are read isn't kept by its address alone. */
  acceptedLanguages(): readonly string[];
  /** Called before a page is composed for this request. */
  admit?: (() => Promise<void>) | undefined;
}

export interface LibraryPage {
  bytes: Buffer;
  /** Undefined for a page that isn't kept. */
  etag: string | undefined;
  /** Of the page's own texts; undefined for a document that has none. */
  contentLanguage: string | undefined;
  /** Of the books on it, if they are in one language. */
  languageCode: string | undefined;
  /** Whether its address has a link's token. */
  isSecret?: boolean;
  /** If it isn't HTML. */
  mediaType?: string;
}

export interface PageReply<Status extends number> {
  kind: "page";
  status: Status;
  page: LibraryPage;
}

/** An address that isn't in its canonical form. */
export interface Moved {
  kind: "moved";
  /** Relative to `/`. */
  path: string;
}

/** What a wrong address gets. */
export type Missed = PageReply<404> | Moved;
export type LibraryReply = PageReply<200> | Missed;

/** A page with the places for a campaign, and without one. */
export interface ComposedPage {
  source: string;
  bytes: Buffer;
  etag: string;
}

/** At one version of the catalogue. */
interface Opened {
  state: CatalogueState;
  settings: LibrarySettings;
  languages: LibraryLanguages;
}

/** Where a page is: its texts, and the language of its books. */
export interface PlainPlace extends Opened {
  visit: Visit;
  words: Words;
  language: LibraryLanguage | undefined;
}

export interface Place extends PlainPlace {
  language: LibraryLanguage;
}

interface LibraryPlacesDeps {
  versions: CatalogueVersions;
  libraryCatalogue: LibraryCatalogue;
  libraryReader: LibraryReader;
  style: LibraryStyle;
  pageLanguages: PageLanguages;
  publicBaseUrl: string | undefined;
}

export class LibraryPlaces extends Service<LibraryPlacesDeps> {
  /** The page languages that have texts of the library. */
  readonly #withTexts: PageLanguages;
  /** One entry. */
  readonly #opened = new CatalogueCache<Omit<Opened, "state">>({ maxSize: 1, sizeCalculation: () => 1 });

  constructor(deps: LibraryPlacesDeps) {
    super(deps);
    const { byCode, fallback } = deps.pageLanguages;
    const withTexts = [...byCode].filter(([, { texts }]) => texts.library !== undefined);
    this.#withTexts = { byCode: new Map(withTexts), fallback };
  }

  /** The place in the language of the host, or else in one that the browser prefers; without books in any, in none. */
  async findHome(host: string, visit: Visit): Promise<PlainPlace> {
    const opened = await this.#open();
    const { withBooks } = opened.languages;
    const ofHost = withBooks.find(({ row }) => row.customDomain === host);
    const codes = withBooks.map(({ code }) => code);
    const code = ofHost?.code ?? chooseLanguage(visit.acceptedLanguages(), codes);
    const language = withBooks.find((each) => each.code === code);
    return { ...opened, visit, language, words: this.#chooseWords(language?.code, visit) };
  }

  /** The place of all languages. */
  async findStart(visit: Visit): Promise<PlainPlace> {
    return {
      ...(await this.#open()),
      visit,
      language: undefined,
      words: this.#chooseWords(undefined, visit),
    };
  }

  /**
   * The place in the language of the code, or the reply to an address that isn't right.
   * @param rest of the path, behind the code
   */
  async find(code: string, rest: string, visit: Visit): Promise<Place | Missed> {
    const opened = await this.#open();
    const { withBooks, active } = opened.languages;
    const canonical = canonicalizeLanguageCode(code) ?? "";
    const isMeant = (each: { code: string }) => each.code.toLowerCase() === canonical.toLowerCase();
    const language = withBooks.find(isMeant);
    if (language && language.code !== code) return moveTo(listPath(language.code) + rest, visit);
    const empty = language ? undefined : active.find(isMeant);
    if (!language && !empty) {
      const id = this.deps.libraryCatalogue.findLanguageAfter(canonical, opened.languages);
      const after = withBooks.find(({ row }) => row.id === id);
      if (after) return moveTo(listPath(after.code) + rest, visit);
    }
    const words = this.#chooseWords(language?.code ?? canonical, visit);
    if (language) return { ...opened, visit, language, words };
    return this.#missLanguage({ ...opened, visit, language, words }, canonical, empty);
  }

  async frame({ settings, languages, words, language, visit }: PlainPlace): Promise<Frame> {
    const { libraryReader, style, publicBaseUrl: baseUrl } = this.deps;
    const domains = languages.withBooks.flatMap(({ code, row: { customDomain } }): [string, string][] =>
      customDomain === null ? [] : [[code, customDomain]],
    );
    const texts = await libraryReader.readTexts(language?.code ?? words.code);
    const { logo, accent } = settings;
    const own = (name: "name" | "introduction" | "footer") =>
      textIn(texts[name], texts.languages[name], words);
    return {
      words,
      organisation: {
        name: own("name"),
        introduction: own("introduction"),
        footer: own("footer"),
        hasAbout: texts.about !== "",
        hasPrivacy: texts.privacy !== "",
        logoPath: logoPathOf(logo),
        offersAll: offersWhole(settings),
      },
      root: visit.root,
      stylePath: style.pathFor(accent),
      sites: { baseUrl, domains: new Map(domains) },
      languages: languages.withBooks,
      language: language && nameOfLanguage(language.row),
    };
  }

  /** A new form. @param path to which it is sent */
  async createForm({ settings, language, words }: Place, path: string): Promise<RequestForm> {
    const texts = await this.deps.libraryReader.readTexts(language.code);
    const { consent, consentVersion: version } = texts;
    const { contactFields } = settings;
    const text = textIn(consent, texts.languages.consent, words);
    return {
      path,
      formats: [],
      contactFields,
      consent: consent === "" ? undefined : { ...text, version },
      typed: {},
    };
  }

  /** An organisation's text in the language; undefined if there is none. */
  async findText({ language, words }: Place, name: "about" | "privacy"): Promise<TextIn | undefined> {
    const texts = await this.deps.libraryReader.readTexts(language.code);
    return texts[name] === "" ? undefined : textIn(texts[name], texts.languages[name], words);
  }

  /** Of an expired link. */
  findLinkTexts({ words }: PlainPlace) {
    const { expired, renew, begins } = this.#findPageTexts(words);
    return { ...expired, renew, begins };
  }

  /** Of a link that delivers once its reader's address is confirmed; undefined if there are none. */
  findWithheldTexts({ words }: PlainPlace) {
    return this.#findPageTexts(words).letters;
  }

  /** Of a link that isn't valid. */
  findUnknownTexts({ words }: PlainPlace) {
    return this.#findPageTexts(words).unknown;
  }

  #findPageTexts({ code }: Words) {
    return choosePageLanguage([code], this.#withTexts).texts;
  }

  /** A page that is kept, unless it carries a campaign. */
  reply({ words, visit, language }: PlainPlace, { source, bytes, etag }: ComposedPage): PageReply<200> {
    const campaign = pickCampaign(visit.campaign);
    const isPlain = Object.keys(campaign).length === 0;
    const page = {
      bytes: isPlain ? bytes : Buffer.from(fillInCampaign(source, campaign)),
      etag: isPlain ? etag : undefined,
      contentLanguage: words.code,
      languageCode: language?.code,
    };
    return { kind: "page", status: 200, page };
  }

  /** A page that is composed for this request only. */
  replyOnce<Status extends number>(place: PlainPlace, status: Status, source: string): PageReply<Status> {
    const bytes = Buffer.from(fillInCampaign(source, pickCampaign(place.visit.campaign)));
    const { words, language } = place;
    const page = { bytes, etag: undefined, contentLanguage: words.code, languageCode: language?.code };
    return { kind: "page", status, page };
  }

  /** 404 with what helps. */
  async miss(place: PlainPlace, message: Message): Promise<PageReply<404>> {
    return this.replyOnce(place, 404, renderMessage(await this.frame(place), message));
  }

  async #open(): Promise<Opened> {
    const { versions, libraryReader, libraryCatalogue } = this.deps;
    const state = await versions.readCurrent();
    const opened = await this.#opened.getOrCompose(state, "", async () => {
      const settings = await libraryReader.readLibrary();
      const languages = await libraryCatalogue.listLanguages(settings.channelId ?? undefined, state);
      return { settings, languages };
    });
    return { ...opened, state };
  }

  /** The texts in the language of the books; where there are none, in one of the browser's. */
  #chooseWords(code: string | undefined, visit: Visit): Words {
    const codes = [...this.#withTexts.byCode.keys()];
    const own = code === undefined ? undefined : chooseLanguage([code], codes);
    const wanted = own === undefined ? visit.acceptedLanguages() : [own];
    const words = findWords(choosePageLanguage(wanted, this.#withTexts));
    if (!words) throw new Error("assets/pages/en.json has no texts of the library");
    return words;
  }

  /** @param empty the language, if it is active and has no books */
  #missLanguage(place: PlainPlace, code: string, empty: LanguageRow | undefined): Promise<PageReply<404>> {
    const { words, languages } = place;
    const codes = languages.withBooks.map((each) => each.code);
    const nearest = chooseLanguage([code], codes);
    const near = languages.withBooks.find((each) => each.code === nearest);
    return this.miss(place, {
      title: words.say(empty ? "emptyLanguage" : "unknownLanguage"),
      text: words.say(codes.length === 0 ? "noBooks" : "chooseLanguage"),
      links: near ? [{ path: listPath(near.code), text: near.nativeName, language: near }] : [],
      offersLanguages: true,
    });
  }
}

/** The ZIP of a language has all published books, also those that aren't on the channel that is shown. */
export const offersWhole = ({ offersAll, channelId }: LibrarySettings): boolean =>
  offersAll && channelId === null;

const textIn = (text: string, language: TextLanguage | null, { code, direction }: Words): TextIn => ({
  text,
  code: language?.code ?? code,
  direction: language?.direction ?? direction,
});

/** The reply that leads to another address, with the campaign. @param path relative to `/`, also with parameters */
export function moveTo(path: string, { campaign }: Visit): Moved {
  const parameters = new URLSearchParams(pickCampaign(campaign)).toString();
  const sign = path.includes("?") ? "&" : "?";
  return { kind: "moved", path: parameters === "" ? path : path + sign + parameters };
}

/** Only the parameters that there are. */
function pickCampaign(campaign: Campaign): Record<string, string> {
  return Object.fromEntries(
    Object.entries(campaign).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
}

/** Undefined if there is nothing to show. */
export async function composeOnce(
  compose: () => Promise<string | undefined>,
): Promise<ComposedPage | undefined> {
  const source = await compose();
  if (source === undefined) return undefined;
  const bytes = Buffer.from(fillInCampaign(source, {}));
  return { source, bytes, etag: entityTag(bytes) };
}
