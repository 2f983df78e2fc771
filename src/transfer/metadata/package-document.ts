/** Parses the package document of an EPUB 2 or 3, leniently: what the metadata has wrong is left out. */
import { SaxesParser } from "saxes";

/** An element of the metadata. */
export interface MetadataElement {
  /** Without its prefix, in lower case: `title`, `creator`, `meta`. */
  name: string;
  /** By name without prefix, in lower case. */
  attributes: ReadonlyMap<string, string>;
  text: string;
}

export interface ManifestItem {
  id: string;
  href: string;
  mediaType: string;
  properties: string;
}

export interface PackageDocument {
  metadata: MetadataElement[];
  items: ManifestItem[];
  /** The `href` of the guide's cover; EPUB 2. */
  guideCover: string | undefined;
}

/** Elements in the order of their end. A document that isn't well-formed yields what precedes and follows the error. */
interface XmlElement extends MetadataElement {
  parent: string | undefined;
}

/** @throws Error if the document defines entities of its own, which no EPUB needs and attacks do */
function elementsOf(xml: string): XmlElement[] {
  const parser = new SaxesParser();
  const open: XmlElement[] = [];
  const closed: XmlElement[] = [];
  const add = (text: string): void => {
    const last = open.at(-1);
    if (last) last.text += text;
  };
  parser.on("error", () => {});
  parser.on("doctype", (doctype) => {
    if (/<!ENTITY/i.test(doctype)) throw new Error("Its XML defines entities.");
  });
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

const localName = (name: string): string => name.slice(name.lastIndexOf(":") + 1).toLowerCase();

/** @throws Error if it isn't a package document */
export function parsePackage(bytes: Buffer): PackageDocument {
  const elements = elementsOf(decode(bytes));
  if (!elements.some(({ name }) => name === "package")) throw new Error("Its package document is not XML.");
  const items = elements.filter(({ name, parent }) => name === "item" && parent === "manifest");
  const guide = elements.find(
    ({ name, attributes }) => name === "reference" && attributes.get("type")?.toLowerCase() === "cover",
  );
  return {
    // OEBPS 1.x, and so some EPUB 2, has a level between.
    metadata: elements.filter(({ parent }) => parent !== undefined && METADATA.has(parent)),
    items: items.map(({ attributes }) => ({
      id: attributes.get("id") ?? "",
      href: attributes.get("href") ?? "",
      mediaType: attributes.get("media-type") ?? "",
      properties: attributes.get("properties") ?? "",
    })),
    guideCover: guide?.attributes.get("href"),
  };
}

const METADATA = new Set(["metadata", "dc-metadata", "x-metadata"]);

/** The path of the package document in `META-INF/container.xml`; undefined if that names none. */
export const packagePath = (container: Buffer): string | undefined =>
  elementsOf(decode(container))
    .find(({ name }) => name === "rootfile")
    ?.attributes.get("full-path");

function decode(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder().decode(bytes);
}
