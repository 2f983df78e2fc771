/** A book in the vocabulary of schema.org, for search engines. */
import type { Markup } from "../lib/html.ts";
import type { Credits } from "../schemas/credits.schemas.ts";
import { absoluteAddress } from "./addresses.ts";
import { bookPath, type Frame, type LanguageName, type ShownBook, type TextIn } from "./frame.ts";

export interface BookFacts {
  language: LanguageName;
  book: ShownBook;
  credits: Pick<Credits, "contributors" | "publisher" | "license" | "isbn">;
  /** The book in its other languages. */
  others: readonly OtherEdition[];
}

export interface OtherEdition {
  language: LanguageName;
  title: TextIn;
}

const EBOOK = "https://schema.org/EBook";

/** As large as sites show it. */
export const pictureOf = ({ coverPath }: ShownBook): string => `${coverPath}&width=640`;

/** It is data: no browser runs it. */
export function renderBookData(frame: Frame, facts: BookFacts): Markup {
  const { book, language, credits, others } = facts;
  const addressIn = (code: string) => absoluteAddress(frame.sites, bookPath(code, book.slug), code);
  const { series } = book;
  const position = series?.position ?? undefined;
  const data = {
    "@context": "https://schema.org",
    "@type": "Book",
    name: book.title.text,
    inLanguage: language.code,
    url: addressIn(language.code),
    image: absoluteAddress(frame.sites, pictureOf(book), language.code),
    description: book.description.text || undefined,
    author: listOf(book.authors, (name) => ({ "@type": "Person", name })),
    contributor: listOf(credits.contributors, ({ name }) => ({ "@type": "Person", name })),
    publisher: credits.publisher === null ? undefined : { "@type": "Organization", name: credits.publisher },
    license: credits.license ?? undefined,
    isbn: credits.isbn ?? undefined,
    bookFormat: EBOOK,
    isAccessibleForFree: true,
    isPartOf: series === null ? undefined : { "@type": "BookSeries", name: series.name },
    position,
    workExample: [{ language, title: book.title }, ...others].map(({ language: { code }, title }) => ({
      "@type": "Book",
      name: title.text || undefined,
      inLanguage: code,
      url: addressIn(code),
      bookFormat: EBOOK,
    })),
  };
  return renderData(data);
}

const listOf = <T, R>(items: readonly T[], describe: (item: T) => R): R[] | undefined =>
  items.length === 0 ? undefined : items.map(describe);

/** Text in a script isn't escaped as elsewhere: only `<` could end it. */
const renderData = (data: object): Markup => ({
  markup: `<script type="application/ld+json">${JSON.stringify(data).replaceAll("<", "\\u003c")}</script>`,
});
