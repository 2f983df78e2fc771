/** The books of a language. */
import { html, type Markup } from "../lib/html.ts";
import { describeFormat, renderCover, renderNames } from "./book-parts.ts";
import {
  bookPath,
  FIELDS_MARK,
  type Frame,
  type LanguageName,
  linkTo,
  listPath,
  type ShownBook,
} from "./frame.ts";
import { introductionOf, layOut, renderPlain } from "./layout.ts";
import { NOTHING, renderText } from "./shell.ts";
import type { Words } from "./words.ts";

const ORDERS = ["listed", "newest", "title"] as const;
export type Order = (typeof ORDERS)[number];

interface ListPage {
  language: LanguageName;
  books: readonly ShownBook[];
  /** Of all pages. */
  total: number;
  page: number;
  totalPages: number;
  order: Order;
  /** What was searched for, as typed; empty if nothing. */
  typed: string;
}

/** The covers of the first screen aren't loaded lazily: their place is known, and the reader waits for them. */
const EAGER_COVERS = 4;

export function renderListPage(frame: Frame, list: ListPage): string {
  const { words, organisation } = frame;
  const { language, typed, page, books, total } = list;
  const introduction = introductionOf(frame);
  const isFirst = page === 1 && typed === "";
  const searched = words.say("found", typed);
  const content = html`<h1 lang="${language.code}" dir="${language.direction}">${language.nativeName}</h1>
${isFirst ? html`<div class="intro">${renderPlain(introduction, words)}</div>` : NOTHING}
${renderSearch(frame, list)}
<div class="bar"><h2>${typed === "" ? words.countBooks(total) : html`${searched} · ${words.countBooks(total)}`}</h2>
${renderOrders(frame, list)}</div>
${books.length === 0 ? renderNothing(frame, list) : renderGrid(frame, books, language)}
${renderPaging(frame, list)}
${organisation.offersAll && typed === "" && total > 0 ? renderOffer(frame, language) : NOTHING}`;
  const title = typed === "" ? language.nativeName : searched;
  const found = typed === "" ? { path: pathOf(list), ...(page === 1 && listAlternates(frame)) } : undefined;
  return layOut(frame, { title, description: introduction.text, found }, content);
}

/** Relative to `/`; other orders are for the same content. */
const pathOf = ({ language, page }: ListPage): string =>
  page === 1 ? listPath(language.code) : `${listPath(language.code)}?page=${page}`;

/** Each language has a list; readers of others choose one. */
const listAlternates = ({ languages }: Frame) => ({
  alternates: languages.map(({ code }) => ({ code, path: listPath(code) })),
  fallback: { path: "library" },
});

function renderSearch(frame: Frame, { language, typed, order }: ListPage): Markup {
  const { words, root } = frame;
  const label = words.say("findBook");
  return html`<form class="search" role="search" action="${root}${listPath(language.code)}" method="get">
<input type="search" name="q" value="${typed}" maxlength="200" aria-label="${label}" placeholder="${label}" enterkeyhint="search" dir="auto">
${order === "listed" ? NOTHING : html`<input type="hidden" name="order" value="${order}">`}${FIELDS_MARK}
<button type="submit">${words.say("search")}</button>
</form>
${typed === "" ? NOTHING : html`<p><a href="${linkTo(frame, listPath(language.code))}">${words.say("showAll")}</a></p>`}`;
}

const ORDER_TEXTS = { listed: "listed", newest: "newest", title: "byTitle" } as const;

function renderOrders(frame: Frame, { language, typed, order, total }: ListPage): Markup {
  if (total < 2) return NOTHING;
  const { words } = frame;
  const links = ORDERS.map((each) => {
    const query = queryOf({ typed, order: each, page: 1 });
    const current = each === order ? html` aria-current="true"` : NOTHING;
    return html`<li><a href="${linkTo(frame, listPath(language.code), query)}"${current}>${words.say(ORDER_TEXTS[each])}</a></li>`;
  });
  return html`<nav class="orders" aria-label="${words.say("order")}"><ul>
${links}
</ul></nav>`;
}

const queryOf = ({ typed, order, page }: { typed: string; order: Order; page: number }) => ({
  ...(typed !== "" && { q: typed }),
  ...(order !== "listed" && { order }),
  ...(page > 1 && { page: String(page) }),
});

const renderNothing = ({ words }: Frame, { typed }: ListPage): Markup =>
  html`<p class="nothing">${words.say(typed === "" ? "emptyLanguage" : "noMatch")}</p>`;

const renderGrid = (frame: Frame, books: readonly ShownBook[], language: LanguageName): Markup => {
  const { code, direction } = language;
  return html`<ul class="books" lang="${code}" dir="${direction}">
${books.map((book, index) => renderBook(frame, book, { language, isEager: index < EAGER_COVERS }))}
</ul>`;
};

function renderBook(
  frame: Frame,
  book: ShownBook,
  { language, isEager }: { language: LanguageName; isEager: boolean },
): Markup {
  const { words } = frame;
  const formats = book.formats.map((format) => describeFormat(words, format)).join(" · ");
  return html`<li>
<a href="${linkTo(frame, bookPath(language.code, book.slug))}">${renderCover(frame, book, { isEager, sizes: "list" })}
${renderText("h3", book.title, language)}</a>
${book.authors.length > 0 ? html`<p>${renderNames(book.authors)}</p>` : NOTHING}
${renderSeries(words, book)}
<p class="formats" lang="${words.code}" dir="${words.direction}">${formats}</p>
</li>`;
}

function renderSeries(words: Words, { series }: ShownBook): Markup {
  if (!series) return NOTHING;
  const number = series.position === null ? NOTHING : html` · ${words.number(series.position)}`;
  return html`<p class="series"><bdi>${series.name}</bdi>${number}</p>`;
}

function renderPaging(frame: Frame, list: ListPage): Markup {
  const { page, totalPages, language } = list;
  if (totalPages < 2) return NOTHING;
  const { words } = frame;
  const link = (to: number, rel: "prev" | "next") =>
    html`<a rel="${rel}" href="${linkTo(frame, listPath(language.code), queryOf({ ...list, page: to }))}">${words.say(rel === "prev" ? "previous" : "next")}</a>`;
  return html`<nav class="pages" aria-label="${words.say("pages")}">
${page > 1 ? link(page - 1, "prev") : NOTHING}
<span>${words.say("pageOf", { page, pages: totalPages })}</span>
${page < totalPages ? link(page + 1, "next") : NOTHING}
</nav>`;
}

const renderOffer = (frame: Frame, { code }: LanguageName): Markup =>
  html`<p class="offer"><a href="${linkTo(frame, `${listPath(code)}/all`)}">${frame.words.say("wholeLanguage")}</a></p>`;
