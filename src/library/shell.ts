/** What all pages for readers have in common: the frame of the document, the style sheet, and whose they are. */
import { html, type Markup } from "../lib/html.ts";
import type { TextIn } from "./frame.ts";

/** What pages show of the organisation that don't belong to the library. */
export interface Look {
  /** Of the style sheet, relative to `/`; likewise that of the logo. */
  stylePath: string;
  logoPath: string | undefined;
  /** Empty without a name. */
  name: TextIn;
}

/** As long as nothing is known: there is a style sheet at each such address. */
export const PLAIN_LOOK: Look = {
  stylePath: "library/style-0.css",
  logoPath: undefined,
  name: { text: "", code: "en", direction: "ltr" },
};

/** A page with its language. */
export interface Shell {
  code: string;
  direction: "ltr" | "rtl";
  title: string;
  /** The address of `/`, relative to the page: a proxy may serve the service below a path of its own. */
  root: string;
  look: Look;
  /** Where the name leads; undefined: nowhere. */
  home: string | undefined;
  /** Further elements of the head, of the body before the header, and of the header behind the name. */
  head?: Markup;
  before?: Markup;
  menu?: Markup;
  footer?: Markup;
}

export const NOTHING = html``;

export function renderShell(shell: Shell, content: Markup): string {
  const { code, direction, title, root, look, head = NOTHING, before = NOTHING } = shell;
  const page = html`<!DOCTYPE html>
<html lang="${code}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${head}
<link rel="icon" href="${root}api/favicon">
<link rel="stylesheet" href="${root}${look.stylePath}">
</head>
<body>
${before}
${renderHeader(shell)}
<main id="main">
${content}
</main>
${shell.footer ? html`<footer>\n${shell.footer}\n</footer>` : NOTHING}
</body>
</html>
`;
  return page.markup.replaceAll(/\n{2,}/g, "\n");
}

function renderHeader({
  root,
  home,
  look: { logoPath, name },
  menu = NOTHING,
  code,
  direction,
}: Shell): Markup {
  const logo = html`<img src="${root}${logoPath ?? "api/favicon"}" alt="" width="40" height="40">`;
  const brand = html`${logo}${renderText("span", name, { code, direction })}`;
  // A link without a text has no name.
  const link =
    home === undefined || name.text === ""
      ? html`<div class="brand">${brand}</div>`
      : html`<a class="brand" href="${home}">${brand}</a>`;
  return html`<header>
${link}
${menu}
</header>`;
}

/**
 * What renews an expired link. The browser stays on the page after a click, because a download follows: the sentence below
 * the button appears with the focus that a click gives.
 */
export const renderRenewalButton = ({
  renew,
  begins,
}: {
  renew: string;
  begins?: string | undefined;
}): Markup =>
  html`<button type="submit" class="primary">${renew}</button>${begins === undefined ? NOTHING : html`\n<p class="begins" role="status">${begins}</p>`}`;

/** A text with its own language and direction, where these aren't those of the element around it. */
export const renderText = (
  tag: "h1" | "h2" | "h3" | "p" | "span" | "div",
  { text, code, direction }: TextIn,
  around: { code: string; direction: string },
): Markup => {
  const isOwn = code === around.code && direction === around.direction;
  const attributes = isOwn ? NOTHING : html` lang="${code}" dir="${direction}"`;
  return { markup: `<${tag}${attributes.markup}>${html`${text}`.markup}</${tag}>` };
};
