/** Parses the package document of an EPUB 2 or 3, leniently: invalid metadata is ignored. */
import { decodeXml, parseElements, type XmlElement } from "./xml.ts";

export type MetadataElement = Omit<XmlElement, "parent">;

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

/** @throws Error if it isn't a package document */
export function parsePackage(bytes: Buffer): PackageDocument {
  const elements = parseElements(decodeXml(bytes));
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
export const findPackagePath = (container: Buffer): string | undefined =>
  parseElements(decodeXml(container))
    .find(({ name }) => name === "rootfile")
    ?.attributes.get("full-path");
