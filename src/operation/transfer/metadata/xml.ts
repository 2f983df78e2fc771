/** Parses XML in files that others made. */
import { type SaxesAttributeNS, SaxesParser } from "saxes";
import { decodeText } from "../../../lib/encodings.ts";
import { findNamedCharacter } from "../../../lib/entities.ts";
import { UnreadableError } from "./unreadable-error.ts";

/** An element, with the text of all that is in it. */
export interface XmlElement {
  /** Without its prefix, in lower case: `title`, `creator`, `meta`. */
  name: string;
  /** Of its namespace; the prefix itself if the document doesn't declare it, and empty without one. */
  namespace: string;
  /** By name without prefix, in lower case. */
  attributes: ReadonlyMap<string, string>;
  /** Blocks such as paragraphs end with U+2029, and lines with U+2028. */
  text: string;
  parent: string | undefined;
  /** The names of the elements around it and its own, with slashes. */
  path: string;
}

export const localName = (name: string): string => name.slice(name.lastIndexOf(":") + 1).toLowerCase();

/** A parser that rejects entities of the document's own, which no spreadsheet needs and attacks do. */
export function createParser(): SaxesParser {
  const parser = new SaxesParser();
  parser.on("doctype", (doctype) => {
    if (/<!ENTITY/i.test(doctype)) throw new UnreadableError("Its XML defines entities.");
  });
  return parser;
}

/** Of the texts by which a document replaces entities of its own, together. */
const MAX_ENTITY_TEXT = 64 * 1024;
const MAX_ENTITIES = 1000;

/**
 * Names of characters have their character, and entities of the document their text if that is plain: references in it
 * aren't followed, so that nothing grows, and no file is read. Other entities are left out.
 */
class Entities {
  readonly #own = new Map<string, string>();
  #length = 0;

  /** @param doctype with its internal subset */
  declare(doctype: string): void {
    ENTITY.lastIndex = 0;
    for (const [, name = "", quoted = ""] of doctype.matchAll(ENTITY)) {
      if (this.#own.size >= MAX_ENTITIES) break;
      const value = quoted.slice(1, -1);
      if (!this.#own.has(name))
        this.#own.set(name, /^['"]/.test(quoted) && !/[&%<]/.test(value) ? value : "");
    }
  }

  find(name: string): string | undefined {
    const text = this.#own.get(name);
    if (text === undefined) return findNamedCharacter(name);
    this.#length += text.length;
    return this.#length > MAX_ENTITY_TEXT ? "" : text;
  }
}

/** An internal entity with its text in quotes, or an external one. */
const ENTITY = /<!ENTITY\s{1,20}([\w.-]{1,100})\s{1,20}("[^"]{0,1000}"|'[^']{0,1000}'|SYSTEM\s|PUBLIC\s)/g;

/** Of an element; more is left out. */
const MAX_TEXT = 64 * 1024;
const MAX_DEPTH = 200;

const BLOCKS = new Set([
  "p",
  "div",
  "li",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "blockquote",
  "tr",
  "empty-line",
  "v",
]);

/** How the characters beside them are read, and the signs around that. */
const READINGS = new Set(["rt", "rp"]);

/** Elements in the order of their end. A document that isn't well-formed yields what precedes and follows the error. */
export function parseElements(xml: string): XmlElement[] {
  const closed: XmlElement[] = [];
  const parser = createElementParser((element) => closed.push(element));
  parser.write(escapeStrayAmpersands(xml)).close();
  return closed;
}

/** @param onElement receives each element at its end */
export function createElementParser(onElement: (element: XmlElement) => void): SaxesParser<{ xmlns: true }> {
  const parser = new SaxesParser({ xmlns: true });
  const entities = new Entities();
  const open: XmlElement[] = [];
  const add = (text: string, element = open.at(-1)): void => {
    if (element && element.text.length < MAX_TEXT) element.text += text.slice(0, MAX_TEXT);
  };
  parser.ENTITIES = new Proxy<Record<string, string>>({}, { get: (_, name) => entities.find(String(name)) });
  parser.on("doctype", (doctype) => entities.declare(doctype));
  parser.on("error", () => {});
  parser.on("text", (text) => add(text));
  parser.on("cdata", (text) => add(text));
  parser.on("opentag", ({ local, uri, prefix, attributes }) => {
    if (open.length > MAX_DEPTH) throw new UnreadableError("Its XML has too many levels.");
    const parent = open.at(-1);
    const name = local.toLowerCase();
    open.push({
      name,
      namespace: uri || prefix,
      attributes: new Map(Object.values(attributes).map(nameAttribute)),
      text: "",
      parent: parent?.name,
      path: parent ? `${parent.path}/${name}` : name,
    });
  });
  parser.on("closetag", () => {
    const last = open.pop();
    if (!last) return;
    if (!READINGS.has(last.name)) add(last.text);
    if (BLOCKS.has(last.name)) add("\u2029");
    if (last.name === "br") add("\u2028");
    onElement(last);
  });
  return parser;
}

const nameAttribute = ({ local, value }: SaxesAttributeNS): [string, string] => [local.toLowerCase(), value];

/** A frequent mistake in titles, after which nothing could be read. */
export const escapeStrayAmpersands = (xml: string): string => xml.replace(/&(?!#?\w{1,32};)/g, "&amp;");

/** As the byte order mark, the first bytes or the declaration say. */
export function decodeXml(bytes: Buffer): string {
  return decodeText(bytes, findXmlEncoding(bytes));
}

/** The label of the encoding; undefined if nothing says it. */
export function findXmlEncoding(head: Buffer): string | undefined {
  const start = head.toString("latin1", 0, 4);
  if (/^\xfe\xff|^\0<\0/.test(start)) return "utf-16be";
  if (/^\xff\xfe|^<\0.\0/s.test(start)) return "utf-16le";
  if (head.toString("latin1", 0, 3) === "\xef\xbb\xbf") return "utf-8";
  const declaration = head.toString("latin1", 0, 200);
  const label = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']\s*([\w.:-]{1,40})/.exec(declaration)?.[1];
  // The declaration could be read, so it is none of these.
  return label === undefined || /^(?:utf-?16|ucs-?2|iso-10646-ucs-2)/i.test(label) ? undefined : label;
}
