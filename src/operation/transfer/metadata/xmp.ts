/** Reads XMP (ISO 16684-1), the metadata of PDF documents: simple values, lists, and alternatives by language. */
import { escapeStrayAmpersands, parseElements, type XmlElement } from "./xml.ts";

/** The values of the properties by name without prefix, in lower case; of alternatives, the one for every language. */
export type Xmp = ReadonlyMap<string, readonly string[]>;

export function parseXmp(xml: string): Xmp {
  const properties = new Map<string, string[]>();
  for (const { name, values } of listProperties(parseElements(escapeStrayAmpersands(xml)))) {
    const texts = values.filter((value) => value.trim() !== "");
    properties.set(name, [...(properties.get(name) ?? []), ...texts].slice(0, MAX_VALUES));
  }
  return properties;
}

interface Property {
  name: string;
  values: readonly string[];
}

/** The items of a list end before it. */
function listProperties(elements: readonly XmlElement[]): Property[] {
  const properties: Property[] = [];
  let items: XmlElement[] = [];
  for (const element of elements) {
    const { path, name, namespace, text, attributes } = element;
    if (ITEM.test(path)) items.push(element);
    else if (PROPERTY.test(path)) {
      const values = items.length > 0 ? chooseItems(items) : [text];
      if (KNOWN.test(namespace)) properties.push({ name, values });
      items = [];
    } else if (DESCRIPTION.test(path))
      properties.push(...SHORT.map((short) => ({ name: short, values: [attributes.get(short) ?? ""] })));
  }
  return properties;
}

const MAX_VALUES = 100;

const DESCRIPTION = /(?:^|\/)rdf\/description$/;
const PROPERTY = /(?:^|\/)rdf\/description\/[^/]+$/;
const ITEM = /(?:^|\/)rdf\/description\/[^/]+\/(?:alt|bag|seq)\/li$/;

/** Dublin Core, rights, PRISM and PDF's keywords; a prefix that the document doesn't declare stands for itself. */
const KNOWN =
  /purl\.org\/dc\/|xap\/1\.0\/rights|prismstandard\.org|ns\.adobe\.com\/pdf\/|^(?:dc|xmpRights|prism|pdf)$/i;

/** Properties that are also written as attributes of the description. */
const SHORT = ["title", "creator", "language", "publisher", "description", "rights", "keywords"];

function chooseItems(items: readonly XmlElement[]): string[] {
  const [first] = items;
  if (first?.parent !== "alt") return items.map(({ text }) => text);
  const usual = items.find(({ attributes }) => attributes.get("lang")?.toLowerCase() === "x-default");
  const withText = items.find(({ text }) => text.trim() !== "");
  return [usual?.text.trim() ? usual.text : (withText?.text ?? "")];
}
