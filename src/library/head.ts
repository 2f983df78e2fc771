/** What the head of a page says to search engines, and to sites that show a link to it (Open Graph). */
import { html, type Markup } from "../lib/html.ts";
import { absoluteAddress } from "./addresses.ts";
import type { Frame } from "./frame.ts";

/** The same page in another language. */
interface Alternate {
  code: string;
  /** Relative to `/`. */
  path: string;
}

/** Without a code: the page of all languages. */
type Fallback = Alternate | { code?: undefined; path: string };

export interface FoundPage {
  /** Relative to `/`. */
  path: string;
  title: string;
  description: string;
  /** Undefined for a page of all languages. */
  code?: string | undefined;
  type?: "website" | "book";
  /** The path of a picture with its parameters, in the language. */
  picturePath?: string | undefined;
  /** In all languages, that of the page included. */
  alternates?: readonly Alternate[];
  /** For readers of all other languages. */
  fallback?: Fallback | undefined;
}

/** Without a configured address, there are only the texts. */
export function renderFoundPage(frame: Frame, page: FoundPage): Markup {
  const { sites } = frame;
  const { path, title, description, code, type = "website", picturePath } = page;
  const address = absoluteAddress(sites, path, code);
  const picture = picturePath === undefined ? undefined : absoluteAddress(sites, picturePath, code);
  const property = (name: string, content: string | undefined) =>
    content === undefined || content === "" ? [] : [html`<meta property="og:${name}" content="${content}">`];
  const lines = [
    ...(address === undefined ? [] : [html`<link rel="canonical" href="${address}">`]),
    ...renderAlternates(frame, page),
    ...property("type", type),
    ...property("title", title),
    ...property("description", description),
    ...property("url", address),
    ...property("image", picture),
  ];
  return html`${lines}`;
}

function renderAlternates({ sites }: Frame, { alternates = [], fallback }: FoundPage): Markup[] {
  if (alternates.length < 2) return [];
  const render = (language: string, { code, path }: Fallback) => {
    const address = absoluteAddress(sites, path, code);
    return address === undefined
      ? []
      : [html`<link rel="alternate" hreflang="${language}" href="${address}">`];
  };
  return [
    ...alternates.flatMap((alternate) => render(alternate.code, alternate)),
    ...(fallback ? render("x-default", fallback) : []),
  ];
}

/** The edition for readers of other languages: the English one, where there is one. */
export const chooseFallback = (alternates: readonly Alternate[]): Alternate | undefined =>
  alternates.find(({ code }) => code === "en") ?? alternates[0];
