/** The layout of all pages for readers. */
import { html, type Markup } from "../lib/html.ts";
import { renderPlainText } from "../lib/plain-text.ts";
import { type Frame, type LanguageLink, linkTo, listPath, type TextIn } from "./frame.ts";
import { type FoundPage, renderFoundPage } from "./head.ts";
import { NOTHING, renderShell } from "./shell.ts";

/** What is in the `head` of a page besides its title. */
export interface Head {
  title: string;
  description?: string | undefined;
  /** Undefined for a page that isn't to be found by search engines. */
  found?: Pick<FoundPage, "path" | "type" | "picturePath" | "alternates" | "fallback"> | undefined;
  /** Further elements. */
  more?: Markup;
}

export function layOut(frame: Frame, head: Head, content: Markup): string {
  const { words, root, stylePath, organisation } = frame;
  const name = nameOrganisation(frame);
  return renderShell(
    {
      code: words.code,
      direction: words.direction,
      root,
      title: head.title === name.text ? name.text : `${head.title} – ${name.text}`,
      look: { stylePath, logoPath: organisation.logoPath, name },
      home: linkTo(frame, ""),
      head: html`${head.description ? html`<meta name="description" content="${shorten(head.description)}">` : NOTHING}
${renderFound(frame, head)}
${head.more ?? NOTHING}
${renderFeedLink(frame)}`,
      before: html`<a class="skip" href="#main">${words.say("skip")}</a>`,
      menu: renderLanguageMenu(frame),
      footer: html`${renderPlain(organisation.footer, words)}
${renderFooterLinks(frame)}`,
    },
    content,
  );
}

function renderFound(frame: Frame, { found, title, description = "" }: Head): Markup {
  if (!found) return html`<meta name="robots" content="noindex">`;
  const page = { ...found, title, description: shorten(description), code: frame.language?.code };
  return renderFoundPage(frame, page);
}

const renderFeedLink = (frame: Frame): Markup =>
  frame.language
    ? html`<link rel="alternate" type="application/atom+xml" title="${frame.words.say("news")}" href="${frame.root}${listPath(frame.language.code)}/new.atom">`
    : NOTHING;

export const nameOrganisation = ({ organisation: { name }, words }: Frame): TextIn =>
  name.text === "" ? words.inOwn("title") : name;

export const introductionOf = ({ organisation: { introduction }, words }: Frame): TextIn =>
  introduction.text === "" ? words.inOwn("intro") : introduction;

/** With more, a menu is longer than the page: there is a page with all of them. */
const MAX_IN_MENU = 60;

function renderLanguageMenu(frame: Frame): Markup {
  const { languages, language, words } = frame;
  // Without a language, the page itself has them.
  if (languages.length < 2 || !language) return NOTHING;
  const label = html`<span lang="${language.code}" dir="${language.direction}">${language.nativeName}</span>`;
  if (languages.length > MAX_IN_MENU)
    return html`<nav class="menu" aria-label="${words.say("languages")}"><a href="${linkTo(frame, "library")}">${label}</a></nav>`;
  return html`<nav aria-label="${words.say("languages")}"><details class="menu"><summary>${label}</summary>
${renderLanguages(frame)}
</details></nav>`;
}

/** All languages by their own names, with the numbers of their books. */
export const renderLanguages = (frame: Frame): Markup => html`<ul class="languages">
${frame.languages.map((each) => renderLanguage(frame, each))}
</ul>`;

function renderLanguage(frame: Frame, { code, nativeName, direction, booksCount }: LanguageLink): Markup {
  const { words, language } = frame;
  const current = code === language?.code ? html` aria-current="true"` : NOTHING;
  return html`<li><a href="${linkTo(frame, listPath(code))}" hreflang="${code}"${current}><span lang="${code}" dir="${direction}">${nativeName}</span> <small>${words.number(booksCount)}</small></a></li>`;
}

function renderFooterLinks(frame: Frame): Markup {
  const { organisation, words, language, languages } = frame;
  const own = (page: "about" | "privacy") =>
    language
      ? html`<li><a href="${linkTo(frame, `${listPath(language.code)}/${page}`)}">${words.say(page)}</a></li>`
      : NOTHING;
  const links = [
    organisation.hasAbout ? own("about") : NOTHING,
    organisation.hasPrivacy ? own("privacy") : NOTHING,
    languages.length > 1
      ? html`<li><a href="${linkTo(frame, "library")}">${words.say("languages")}</a></li>`
      : NOTHING,
  ].filter(({ markup }) => markup !== "");
  return links.length === 0 ? NOTHING : html`<ul>\n${links}\n</ul>`;
}

/** The paragraphs of an organisation's text; nothing for an empty one. */
export function renderPlain({ text, code, direction }: TextIn, around: { code: string }): Markup {
  if (text === "") return NOTHING;
  const attributes = code === around.code ? NOTHING : html` lang="${code}" dir="${direction}"`;
  return html`<div${attributes}>${renderPlainText(text)}</div>`;
}

const MAX_DESCRIPTION = 200;

/** For search engines, which show about as much. */
export function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (line.length <= MAX_DESCRIPTION) return line;
  return `${line
    .slice(0, MAX_DESCRIPTION)
    .replace(/\s\S*$/, "")
    .toWellFormed()}…`;
}
