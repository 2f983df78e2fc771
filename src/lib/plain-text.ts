/** Plain texts of an organisation as markup: paragraphs, line breaks, and links that begin with https. */
import { html, type Markup } from "./html.ts";

/** Longer ones are no addresses that somebody types. */
const MAX_LINK = 2000;

/** Up to white space, or a character that no address has unencoded; invisible ones could show another address. */
const HTTPS = new RegExp(`https://[^\\s\\p{C}<>"'\`{}|\\\\^]{1,${MAX_LINK}}`, "giu");

/** What ends a sentence or encloses an address in it. */
const PUNCTUATION = ".,:;!?…)]’”»。、，．：；！？」』】》〉）।॥۔؟،؛።፣";

/**
 * A blank line begins a paragraph, a line end a line; the text is escaped. Addresses with `https://` are links, without
 * what they tell other sites of the page.
 */
export function renderPlainText(text: string): readonly Markup[] {
  return text
    .replaceAll(/\r\n?|\u{2028}/gu, "\n")
    .split(/\n[^\S\n]*\n\s*|\u{2029}/u)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "")
    .map((paragraph) => html`<p>${renderLines(paragraph)}</p>`);
}

function renderLines(paragraph: string): Markup {
  const lines = paragraph.split("\n").map((line) => renderLine(line.trim()));
  return lines.reduce((before, line) => html`${before}<br>${line}`);
}

/** A line with its links. */
export function renderLine(line: string): Markup {
  let markup = html``;
  let end = 0;
  for (const { 0: found, index } of line.matchAll(HTTPS)) {
    const address = trimAddress(found);
    if (!isAddress(address)) continue;
    markup = html`${markup}${line.slice(end, index)}<a href="${address}" rel="noopener noreferrer">${address}</a>`;
    end = index + address.length;
  }
  return html`${markup}${line.slice(end)}`;
}

/** Without the punctuation of the sentence. A bracket that the address has opened belongs to it. */
function trimAddress(found: string): string {
  let address = found;
  while (PUNCTUATION.includes(address.at(-1) ?? " ")) {
    if (address.endsWith(")") && countOf(address, "(") >= countOf(address, ")")) break;
    address = address.slice(0, -1);
  }
  return address;
}

const countOf = (text: string, character: string): number => text.split(character).length - 1;

/** Only of a host, and without a user's name, which could make it look like another host. */
function isAddress(address: string): boolean {
  const url = URL.parse(address);
  return (
    url !== null &&
    url.protocol === "https:" &&
    url.hostname !== "" &&
    url.username === "" &&
    url.password === ""
  );
}
