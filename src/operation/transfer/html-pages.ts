/** Pages of the published catalogue for browsers without scripts: every download is a form. */
import { html, type Markup } from "../../lib/html.ts";
import type { PublicBook, PublicLanguageList } from "../../schemas/public.schemas.ts";

/** Texts of the public page, in one of its languages. */
export interface SiteTexts {
  /** The language of the texts. */
  code: string;
  direction: "ltr" | "rtl";
  title: string;
  intro: string;
  languages: string;
  /** `{}` is the name of a language. */
  allBooks: string;
  wholeLanguage: string;
  format: string;
  firstName: string;
  email: string;
  marketing: string;
  download: string;
  privacy: string;
}

export type PageLanguage = PublicLanguageList["languages"][number];

export interface FormOptions {
  /** The address of the service without a slash at its end; empty if it has the origin of the pages. */
  serviceUrl: string;
  /** The version of the consent text. */
  textVersion: string;
}

/** The first page: links to those of the languages. */
export function renderLanguages(languages: readonly PageLanguage[], texts: SiteTexts): string {
  const items = languages.map(
    ({ code, nativeName, direction }) =>
      html`<li><a href="${code}.html" lang="${code}" dir="${direction}" hreflang="${code}">${nativeName}</a></li>`,
  );
  return layOut(
    texts,
    texts.title,
    html`<p class="intro">${texts.intro}</p>
<h2>${texts.languages}</h2>
<ul id="languages">
${items}
</ul>`,
  );
}

/** The books of a language, each with its form, and a form for all of them. */
export function renderBooks(
  language: PageLanguage,
  books: readonly PublicBook[],
  texts: SiteTexts,
  options: FormOptions,
): string {
  const all = renderForm("submit-all", { languageCode: language.code }, texts, options);
  const items = books.map((book) => renderBook(book, language, texts, options));
  return layOut(
    texts,
    texts.allBooks.replace("{}", language.nativeName),
    html`<p><a href="index.html">${texts.languages}</a></p>
<section><details><summary>${texts.wholeLanguage}</summary>${all}</details></section>
<ul id="book-list">
${items}
</ul>`,
  );
}

function renderBook(
  book: PublicBook,
  language: PageLanguage,
  texts: SiteTexts,
  options: FormOptions,
): Markup {
  const { slug, title, authors, description, coverUrl, files } = book;
  const types = files.map(
    ({ fileType }) => html`<option value="${fileType}">${fileType.toUpperCase()}</option>`,
  );
  const format = html`<label>${texts.format} <select name="fileType">${types}</select></label>`;
  const form = renderForm("submit", { slug, languageCode: language.code }, texts, options, format);
  return html`<li id="${slug}" lang="${language.code}" dir="${language.direction}">
<img alt="" width="320" height="480" loading="lazy" src="${options.serviceUrl}${coverUrl}&width=320">
<div>
<h2>${title}</h2>
<p class="authors">${authors.join(", ")}</p>
<p class="description">${description}</p>
<details lang="${texts.code}" dir="${texts.direction}"><summary>${texts.download}</summary>${form}</details>
</div>
</li>`;
}

/** @param more a further field */
function renderForm(
  operation: "submit" | "submit-all",
  hidden: Readonly<Record<string, string>>,
  texts: SiteTexts,
  { serviceUrl, textVersion }: FormOptions,
  more: Markup = html``,
): Markup {
  const inputs = Object.entries({ ...hidden, textVersion }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`
<form method="post" action="${serviceUrl}/api/download/${operation}" accept-charset="utf-8">
${inputs}
${more}
<label>${texts.firstName} <input name="firstName" autocomplete="given-name" required></label>
<label>${texts.email} <input name="email" type="email" autocomplete="email" required></label>
<p><label><input type="checkbox" name="marketing"> ${texts.marketing}</label></p>
<p><button type="submit" class="primary">${texts.download}</button></p>
</form>`;
}

function layOut(texts: SiteTexts, heading: string, body: Markup): string {
  const page = html`<!doctype html>
<html lang="${texts.code}" dir="${texts.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading}</title>
<link rel="icon" href="icon.svg">
<link rel="stylesheet" href="style.css">
</head>
<body>
<main>
<h1>${heading}</h1>
${body}
</main>
<footer><a href="privacy.html">${texts.privacy}</a></footer>
</body>
</html>
`;
  return page.markup;
}
