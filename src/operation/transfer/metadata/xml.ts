/** Parses XML in files that others made. */
import { SaxesParser } from "saxes";

/** An element without children, or with their text. */
export interface XmlElement {
  /** Without its prefix, in lower case: `title`, `creator`, `meta`. */
  name: string;
  /** By name without prefix, in lower case. */
  attributes: ReadonlyMap<string, string>;
  text: string;
  parent: string | undefined;
}

export const localName = (name: string): string => name.slice(name.lastIndexOf(":") + 1).toLowerCase();

/** A parser that rejects entities of the document's own, which no book or spreadsheet needs and attacks do. */
export function createParser(): SaxesParser {
  const parser = new SaxesParser();
  parser.on("doctype", (doctype) => {
    if (/<!ENTITY/i.test(doctype)) throw new Error("Its XML defines entities.");
  });
  return parser;
}

/**
 * Elements in the order of their end. A document that isn't well-formed yields what precedes and follows the error.
 * @throws Error if it defines entities
 */
export function parseElements(xml: string): XmlElement[] {
  const parser = createParser();
  const open: XmlElement[] = [];
  const closed: XmlElement[] = [];
  const add = (text: string): void => {
    const last = open.at(-1);
    if (last) last.text += text;
  };
  parser.on("error", () => {});
  parser.on("text", add);
  parser.on("cdata", add);
  parser.on("opentag", ({ name, attributes }) => {
    const local = new Map(Object.entries(attributes).map(([key, value]) => [localName(key), value]));
    open.push({ name: localName(name), attributes: local, text: "", parent: open.at(-1)?.name });
  });
  parser.on("closetag", () => {
    const last = open.pop();
    if (last) closed.push(last);
  });
  parser.write(xml.replace(STRAY_AMPERSAND, "&amp;")).close();
  return closed;
}

/** A frequent mistake in titles, after which nothing could be read. */
const STRAY_AMPERSAND = /&(?!#?\w{1,32};)/g;

/** UTF-8 or UTF-16. */
export function decodeXml(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder().decode(bytes);
}
