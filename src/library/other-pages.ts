/** The languages, all books of a language, an editor's text, and messages to a reader who has come to a wrong address. */
import { html, type Markup } from "../lib/html.ts";
import { bookPath, type Frame, type LanguageName, linkTo, listPath, type TextIn } from "./frame.ts";
import { introductionOf, layOut, nameOrganisation, renderLanguages, renderPlain } from "./layout.ts";
import { type RequestForm, renderRequestForm } from "./request-form.ts";
import { NOTHING, renderText } from "./shell.ts";

export function renderLanguagesPage(frame: Frame): string {
  const { words, languages } = frame;
  const introduction = introductionOf(frame);
  const content = html`${renderText("h1", nameOrganisation(frame), words)}
<div class="intro">${renderPlain(introduction, words)}</div>
<h2>${words.say("languages")}</h2>
${languages.length === 0 ? html`<p class="nothing">${words.say("noBooks")}</p>` : renderLanguages(frame)}`;
  const title = nameOrganisation(frame).text;
  return layOut(frame, { title, description: introduction.text, found: { path: "library" } }, content);
}

export interface WholePage {
  language: LanguageName;
  booksCount: number;
  totalBytes: number;
  form: RequestForm;
}

/** All books of a language in one ZIP. */
export function renderWholePage(frame: Frame, page: WholePage): string {
  const { words } = frame;
  const { language, booksCount, totalBytes, form } = page;
  const size = words.size(totalBytes);
  const title = words.say("allBooks", language.nativeName);
  const content = html`<p class="up"><a href="${linkTo(frame, listPath(language.code))}" lang="${language.code}" dir="${language.direction}">${language.nativeName}</a></p>
<h1>${title}</h1>
<p>${words.countBooks(booksCount)}${size === "" ? NOTHING : html` · ZIP ${size}`}</p>
${renderRequestForm(frame, form)}`;
  if (form.invalid) return layOut(frame, { title: words.say("check") }, content);
  return layOut(frame, { title, found: { path: `${listPath(language.code)}/all` } }, content);
}

/** A text of the organisation. */
export function renderTextPage(
  frame: Frame,
  { title, text, path }: { title: string; text: TextIn; path: string },
): string {
  const content = html`<article class="text"><h1>${title}</h1>
${renderPlain(text, frame.words)}</article>`;
  return layOut(frame, { title, found: { path } }, content);
}

interface MessageLink {
  path: string;
  query?: Readonly<Record<string, string>>;
  text: string;
  /** Of the text, if it isn't that of the page. */
  language?: LanguageName;
}

export interface Message {
  title: string;
  text?: string | undefined;
  links: readonly MessageLink[];
  /** The book in the languages that it is in. */
  editions?: { slug: string; languages: readonly LanguageName[] } | undefined;
  /** Whether all languages are shown, for the reader to choose one. */
  offersLanguages?: boolean;
}

export function renderMessage(frame: Frame, message: Message): string {
  const { title, text, links, editions, offersLanguages = false } = message;
  const items = links.map(
    ({ path, query = {}, text: label, language }) =>
      html`<li><a href="${linkTo(frame, path, query)}"${attributesOf(language)}>${label}</a></li>`,
  );
  const content = html`<div class="message"><h1>${title}</h1>
${text === undefined ? NOTHING : html`<p>${text}</p>`}
${editions ? renderEditions(frame, editions) : NOTHING}
${items.length === 0 ? NOTHING : html`<ul class="links">\n${items}\n</ul>`}</div>
${offersLanguages && frame.languages.length > 0 ? html`<h2>${frame.words.say("languages")}</h2>\n${renderLanguages(frame)}` : NOTHING}`;
  return layOut(frame, { title }, content);
}

const attributesOf = (language: LanguageName | undefined): Markup =>
  language ? html` lang="${language.code}" dir="${language.direction}"` : NOTHING;

function renderEditions(frame: Frame, { slug, languages }: NonNullable<Message["editions"]>): Markup {
  const items = languages.map(
    ({ code, direction, nativeName }) =>
      html`<li><a href="${linkTo(frame, bookPath(code, slug))}" hreflang="${code}" lang="${code}" dir="${direction}">${nativeName}</a></li>`,
  );
  return html`<h2>${frame.words.say("otherLanguages")}</h2>
<ul class="links">
${items}
</ul>`;
}
