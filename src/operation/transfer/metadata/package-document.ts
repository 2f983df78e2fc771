/** Parses the container and the package document of an EPUB 2 or 3, leniently: invalid metadata is ignored. */
import { UnreadableError } from "./unreadable-error.ts";
import { decodeXml, parseElements, type XmlElement } from "./xml.ts";

export type MetadataElement = Pick<XmlElement, "name" | "attributes" | "text">;

export interface ManifestItem {
  id: string;
  href: string;
  mediaType: string;
  properties: string;
}

export interface PackageDocument {
  /** Those of Dublin Core, and `meta`. */
  metadata: MetadataElement[];
  items: ManifestItem[];
  /** The `href` of the guide's cover; EPUB 2. */
  guideCover: string | undefined;
  /** The `href` of the first page. */
  firstPage: string | undefined;
}

/** @throws UnreadableError if it isn't a package document */
export function parsePackage(bytes: Buffer): PackageDocument {
  const elements = parseElements(decodeXml(bytes));
  if (!elements.some(({ path }) => path === "package"))
    throw new UnreadableError("Its package document (OPF) is not XML.");
  const within = (folder: string, name: string) =>
    elements.filter(({ path }) => path === `package/${folder}/${name}`);
  const items = within("manifest", "item").map(({ attributes }) => ({
    id: attributes.get("id") ?? "",
    href: attributes.get("href") ?? "",
    mediaType: (attributes.get("media-type") ?? "").trim().toLowerCase(),
    properties: attributes.get("properties") ?? "",
  }));
  const guide = within("guide", "reference").find(({ attributes }) =>
    /^(?:cover|other\.ms-coverimage)/i.test(attributes.get("type")?.trim() ?? ""),
  );
  const first = within("spine", "itemref")[0]?.attributes.get("idref");
  return {
    metadata: elements.filter(isMetadata),
    items,
    guideCover: guide?.attributes.get("href"),
    firstPage: items.find(({ id }) => first !== undefined && id === first)?.href,
  };
}

/** OEBPS 1.x, and so some EPUB 2, has a level between. Collections and links have metadata of something else. */
const PLACE = /^package\/metadata\/(?:(?:dc|x)-metadata\/)?[^/]+$/;

/** Also of older versions, and of documents that don't declare the prefix. */
const DUBLIN_CORE = /^(?:dc|https?:\/\/purl\.org\/(?:dc\/|metadata\/dublin_core).*)$/i;
const PACKAGE = /^(?:|opf|https?:\/\/(?:www\.)?(?:idpf\.org\/2007\/opf|openebook\.org\/.*)\/?)$/i;

const isMetadata = ({ path, name, namespace }: XmlElement): boolean =>
  PLACE.test(path) && (name === "meta" ? PACKAGE : DUBLIN_CORE).test(namespace);

const PACKAGE_TYPE = "application/oebps-package+xml";

/** The paths of package documents in `META-INF/container.xml`, as they are written; the one of the book comes first. */
export function listPackagePaths(container: Buffer): string[] {
  const roots = parseElements(decodeXml(container))
    .filter(({ name }) => name === "rootfile")
    .map(({ attributes }) => ({
      path: attributes.get("full-path")?.trim() ?? "",
      type: attributes.get("media-type")?.trim().toLowerCase() ?? PACKAGE_TYPE,
    }))
    .filter(({ path }) => path !== "");
  const isPackage = ({ path, type }: (typeof roots)[number]) => type === PACKAGE_TYPE || /\.opf$/i.test(path);
  return [...roots.filter(isPackage), ...roots.filter((root) => !isPackage(root))].map(({ path }) => path);
}
