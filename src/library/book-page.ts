/** One book in a language. */
import { html, type Markup } from "../lib/html.ts";
import { renderLine } from "../lib/plain-text.ts";
import { type BookFacts, pictureOf, renderBookData } from "./book-data.ts";
import { renderCover, renderNames } from "./book-parts.ts";
import { bookPath, type Frame, linkTo, listPath, type TextIn } from "./frame.ts";
import { chooseFallback } from "./head.ts";
import { layOut } from "./layout.ts";
import { type RequestForm, renderRequestForm } from "./request-form.ts";
import { NOTHING, renderText } from "./shell.ts";

export interface BookPage extends BookFacts {
  /** Other books of its series. */
  parts: readonly SeriesPart[];
  form: RequestForm;
}

interface SeriesPart {
  slug: string;
  title: TextIn;
  position: number | null;
}

export function renderBookPage(frame: Frame, page: BookPage): string {
  const { book, language, form } = page;
  const { words } = frame;
  const inLanguage = html` lang="${language.code}" dir="${language.direction}"`;
  const content = html`<p class="up"><a href="${linkTo(frame, listPath(language.code))}"${inLanguage}>${language.nativeName}</a></p>
<article class="book">
<div>${renderCover(frame, book, { isEager: true, sizes: "book" })}</div>
<div>
<div${inLanguage}>
${renderText("h1", book.title, language)}
${book.authors.length > 0 ? html`<p class="authors">${renderNames(book.authors)}</p>` : NOTHING}
</div>
${renderDescription(book.description)}
${renderRequestForm(frame, form)}
${renderFacts(frame, page)}
</div>
</article>
${renderSeries(frame, page)}
${renderOthers(frame, page)}`;
  if (form.invalid) return layOut(frame, { title: words.say("check") }, content);
  const alternates = [language, ...page.others.map((other) => other.language)].map(({ code }) => ({
    code,
    path: bookPath(code, book.slug),
  }));
  const found = {
    path: bookPath(language.code, book.slug),
    type: "book",
    picturePath: pictureOf(book),
    alternates,
    fallback: chooseFallback(alternates),
  } as const;
  const description = book.description.text || undefined;
  const more = renderBookData(frame, page);
  return layOut(frame, { title: book.title.text, description, found, more }, content);
}

const renderDescription = ({ text, code, direction }: TextIn): Markup =>
  text === ""
    ? NOTHING
    : html`<div class="description" lang="${code}" dir="${direction}">${renderPlain(text)}</div>`;

/** Of a book, without links: its description was often copied from elsewhere. */
const renderPlain = (text: string): Markup => ({
  markup: text
    .split(/\n\s*\n/)
    .map((paragraph) => html`<p>${paragraph.trim()}</p>`.markup)
    // The style sheet keeps line breaks in a description, also between its paragraphs.
    .join(""),
});

function renderFacts(frame: Frame, { credits, language }: BookPage): Markup {
  const { words } = frame;
  const { contributors, publisher, license, isbn } = credits;
  const people = contributors.map(({ name, role }) => (role === "" ? name : `${name} (${role})`)).join(", ");
  const facts: [string, Markup][] = [
    ...(people === "" ? [] : [pair(words.say("contributors"), html`${people}`)]),
    ...(publisher === null ? [] : [pair(words.say("publisher"), html`${publisher}`)]),
    ...(license === null ? [] : [pair(words.say("license"), renderLicense(license))]),
    ...(isbn === null ? [] : [pair("ISBN", html`${isbn}`)]),
  ];
  if (facts.length === 0) return NOTHING;
  const rows = facts.map(
    ([label, value]) =>
      html`<div><dt>${label}</dt><dd lang="${language.code}"><bdi>${value}</bdi></dd></div>`,
  );
  return html`<dl>
${rows}
</dl>`;
}

const pair = (label: string, value: Markup): [string, Markup] => [label, value];

const CREATIVE_COMMONS = /^CC-(BY(?:-NC)?(?:-ND|-SA)?)-(\d\.\d)$/i;

/** A link if it is an address, or the identifier of a Creative Commons licence. */
function renderLicense(license: string): Markup {
  if (/^https:\/\/\S+$/.test(license)) return renderLine(license);
  const [, terms, version] = CREATIVE_COMMONS.exec(license) ?? [];
  if (terms !== undefined && version !== undefined) {
    const address = `https://creativecommons.org/licenses/${terms.toLowerCase()}/${version}/`;
    return html`<a href="${address}" rel="license">${license}</a>`;
  }
  if (/^CC0-1\.0$/i.test(license))
    return html`<a href="https://creativecommons.org/publicdomain/zero/1.0/" rel="license">${license}</a>`;
  return html`${license}`;
}

function renderSeries(frame: Frame, { book, parts, language }: BookPage): Markup {
  if (!book.series) return NOTHING;
  const { words } = frame;
  const { name, position } = book.series;
  const number = position === null ? NOTHING : html` · ${words.number(position)}`;
  const items = parts.map((part) => {
    const mark = part.position === null ? NOTHING : html`<small>${words.number(part.position)}</small> `;
    return html`<li>${mark}<a href="${linkTo(frame, bookPath(language.code, part.slug))}">${renderText("span", part.title, words)}</a></li>`;
  });
  const list = items.length === 0 ? NOTHING : html`<ul class="links">\n${items}\n</ul>`;
  return html`<section><h2>${words.say("series")}: <bdi>${name}</bdi>${number}</h2>
${list}</section>`;
}

function renderOthers(frame: Frame, { book, others }: BookPage): Markup {
  if (others.length === 0) return NOTHING;
  const items = others.map(
    ({ language: { code, direction, nativeName }, title }) =>
      html`<li><a href="${linkTo(frame, bookPath(code, book.slug))}" hreflang="${code}" lang="${code}" dir="${direction}">${nativeName}${title.text === "" ? NOTHING : html` · ${renderText("span", title, { code, direction })}`}</a></li>`,
  );
  return html`<section><h2>${frame.words.say("otherLanguages")}</h2>
<ul class="links">
${items}
</ul></section>`;
}
