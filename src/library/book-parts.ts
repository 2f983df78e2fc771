/** Parts of a book that several pages show: its cover and its formats. */
import { html, type Markup } from "../lib/html.ts";
import type { Frame, ShownBook, ShownFormat } from "./frame.ts";
import type { Words } from "./words.ts";

/** The widths of the cover operation that a page needs. */
const WIDTHS = { list: [160, 320], book: [320, 640] } as const;
/** How wide the style sheet shows a cover. */
const SIZES = { list: "(max-width: 30rem) 42vw, 10rem", book: "(max-width: 40rem) 60vw, 18rem" } as const;

interface CoverOptions {
  isEager: boolean;
  sizes: keyof typeof WIDTHS;
}

/** Its text is the title beside it. */
export function renderCover(
  { root }: Frame,
  { coverPath }: Pick<ShownBook, "coverPath">,
  { isEager, sizes }: CoverOptions,
): Markup {
  const address = (width: number) => `${root}${coverPath}&width=${width}`;
  const [smallest] = WIDTHS[sizes];
  const sources = WIDTHS[sizes].map((width) => `${address(width)} ${width}w`).join(", ");
  const loading = isEager ? html`` : html` loading="lazy"`;
  return html`<img class="cover" src="${address(smallest)}" srcset="${sources}" sizes="${SIZES[sizes]}" alt="" width="160" height="240"${loading}>`;
}

/** Each name is of its own direction: signs at its ends stay there, also in a page of the other one. */
export const renderNames = (names: readonly string[]): Markup => ({
  markup: names.map((name) => html`<bdi>${name}</bdi>`.markup).join(", "),
});

/** `EPUB 1.2 MB` */
export const describeFormat = (words: Words, { fileType, sizeBytes }: ShownFormat): string =>
  `${fileType.toUpperCase()} ${words.size(sizeBytes)}`.trim();
