/** XML from texts. HTML shows control characters as missing ones, XML doesn't permit them at all (XML 1.0, 2.2). */
import { escapeHtml } from "./html.ts";

const NOT_PERMITTED = /[\p{Cc}\ufffe\uffff]/gu;
const PERMITTED = "\t\n\r";

/** For the content of an element or an attribute in quotes. */
export const escapeXml = (text: string): string =>
  escapeHtml(
    text
      .toWellFormed()
      .replaceAll(NOT_PERMITTED, (character) => (PERMITTED.includes(character) ? character : "")),
  );
