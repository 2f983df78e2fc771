/** What the pages of the library have in common: whose library it is, its languages, and the addresses of its pages. */
import { escapeHtml } from "../lib/html.ts";
import type { FileType } from "../schemas/file-types.ts";
import type { Sites } from "./addresses.ts";
import type { Words } from "./words.ts";

/** A text of an editor with its language, which can be another one than that of the page. */
export interface TextIn {
  text: string;
  code: string;
  direction: "ltr" | "rtl";
}

export interface LanguageName {
  code: string;
  nativeName: string;
  direction: "ltr" | "rtl";
}

/** A language with published books. */
export interface LanguageLink extends LanguageName {
  booksCount: number;
}

export interface ShownFormat {
  /** Of the file. */
  id: string;
  fileType: FileType;
  /** 0 if unknown. */
  sizeBytes: number;
}

/** A book in a list. */
export interface ShownBook {
  slug: string;
  title: TextIn;
  description: TextIn;
  authors: readonly string[];
  series: { name: string; position: number | null } | null;
  formats: readonly ShownFormat[];
  /** The path of its cover, with the language. */
  coverPath: string;
}

/** The organisation's own. Its texts are empty where there are none, and can be in another language than the page. */
interface Organisation {
  name: TextIn;
  introduction: TextIn;
  footer: TextIn;
  hasAbout: boolean;
  hasPrivacy: boolean;
  /** Relative to `/`. */
  logoPath: string | undefined;
  offersAll: boolean;
}

export interface Frame {
  words: Words;
  organisation: Organisation;
  /** The address of `/`, relative to the page: a proxy may serve the service below a path of its own. */
  root: string;
  /** Relative to `/`. */
  stylePath: string;
  sites: Sites;
  languages: readonly LanguageLink[];
  /** Of the books on the page. */
  language: LanguageName | undefined;
}

/**
 * Addresses of pages have one of these marks, which no text contains: where a campaign goes that the reader came from,
 * as the first parameter of the address or as a further one. A kept page is the same for all campaigns.
 */
const FIRST_MARK = "\u0001";
const FURTHER_MARK = "\u0002";
/** The same for a form that adds its fields to the address. */
export const FIELDS_MARK = "\u0003";

/** The address of a page. @param path relative to `/` */
export function linkTo({ root }: Frame, path: string, query: Readonly<Record<string, string>> = {}): string {
  const parameters = new URLSearchParams(query).toString();
  const address = `${root}${path}` || "./";
  return parameters === "" ? `${address}${FIRST_MARK}` : `${address}?${parameters}${FURTHER_MARK}`;
}

/** The page as it is sent. @param campaign parameters by name, without empty ones */
export function fillInCampaign(page: string, campaign: Readonly<Record<string, string>>): string {
  const parameters = new URLSearchParams(campaign).toString().replaceAll("&", "&#38;");
  const fields = Object.entries(campaign).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  );
  return page
    .replaceAll(FIRST_MARK, parameters && `?${parameters}`)
    .replaceAll(FURTHER_MARK, parameters && `&#38;${parameters}`)
    .replaceAll(FIELDS_MARK, fields.join(""));
}

export const listPath = (code: string): string => `library/${code}`;
export const bookPath = (code: string, slug: string): string =>
  `library/${code}/books/${encodeURIComponent(slug)}`;
