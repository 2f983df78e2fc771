/** The cover of an EPUB: which entry it is, and whether there is a picture in it. */
import type { ZipEntries } from "../../../adapters/file-types/zip-entries.ts";
import {
  findPictureType,
  findRoot,
  MAX_SIGNATURE_BYTES,
  type PictureType,
} from "../../../adapters/images/picture-types.ts";
import type { ManifestItem, PackageDocument } from "./package-document.ts";
import { decodeXml, parseElements } from "./xml.ts";

/** Pages of covers have one picture. */
const MAX_PAGE_BYTES = 256 * 1024;

interface FoundCover {
  /** The name of the entry; undefined if there is no cover. */
  name: string | undefined;
  /** Whether the package names a cover that isn't there. */
  isMissing: boolean;
}

/**
 * The first of the named covers that is a picture, by its content: EPUB 3's property, EPUB 2's `<meta name="cover">`, the
 * guide's, and a first page that says it is one. A page stands for its first picture.
 */
export async function findCover(
  zip: ZipEntries,
  document: PackageDocument,
  packagePath: string,
): Promise<FoundCover> {
  const candidates = [
    ...listNamed(document).map((href) => ({ href, isNamed: true })),
    ...listGuessed(document).map((href) => ({ href, isNamed: false })),
  ];
  let vector: string | undefined;
  let isMissing = false;
  for (const { href, isNamed } of candidates) {
    const path = resolvePath(href, packagePath);
    const entry = path === undefined ? undefined : zip.find(path);
    const found = entry === undefined ? undefined : await findPicture(zip, entry);
    if (found?.type === "svg") vector ??= found.name;
    else if (found?.name !== undefined) return { name: found.name, isMissing: false };
    else if (!found) isMissing ||= isNamed;
  }
  return { name: vector, isMissing: isMissing && vector === undefined };
}

function listNamed({ metadata, items, guideCover }: PackageDocument): string[] {
  const values = metadata
    .filter(
      ({ name, attributes }) => name === "meta" && attributes.get("name")?.trim().toLowerCase() === "cover",
    )
    .map(({ attributes }) => attributes.get("content")?.trim() ?? "");
  const named = values.map((value) => value.toLowerCase());
  const isNamed = ({ id, href }: ManifestItem) =>
    [id, `#${id}`, href].some((each) => named.includes(each.toLowerCase()));
  // A path in place of an id, from the package document or from the root of the book.
  const paths = values.filter((value) => /\.(?:jpe?g|png|gif|webp|svg)$/i.test(value));
  return [
    ...items.filter(({ properties }) => properties.split(/\s+/).includes("cover-image")),
    ...items.filter(isNamed),
    ...paths.flatMap((path) => [{ href: path }, { href: `/${path}` }]),
    ...(guideCover === undefined ? [] : [{ href: guideCover }]),
  ].map(({ href }) => href);
}

/** Covers that nothing names, and that are called so. */
function listGuessed({ items, firstPage }: PackageDocument): string[] {
  const called = items.filter(
    ({ id, href, mediaType }) => mediaType.startsWith("image/") && (isCover(id) || isCover(stemOf(href))),
  );
  return [...called.map(({ href }) => href), ...(firstPage && isCover(stemOf(firstPage)) ? [firstPage] : [])];
}

const isCover = (text: string): boolean =>
  /^(?:x-?|front[-_ .]?)?cover(?:[-_ .]?(?:image|img|page|pic))?$/i.test(text);
const stemOf = (href: string): string =>
  href
    .replace(/[?#].*$/, "")
    .replace(/^.*\//, "")
    .replace(/\.[^.]*$/, "");

interface Picture {
  /** Undefined for a page without a picture. */
  name: string | undefined;
  type?: PictureType;
}

/** Undefined for what is neither a picture nor a page. */
async function findPicture(zip: ZipEntries, name: string): Promise<Picture | undefined> {
  const start = await readStart(zip, name);
  const type = findPictureType(start);
  if (type !== undefined && type !== "svg") return { name, type };
  if (type === undefined && findRoot(start.toString("latin1")) !== "html") return undefined;
  // Nothing outside of it is drawn of an SVG, so that the picture to which it refers is the better one.
  const own = type === undefined ? { name: undefined } : { name, type };
  return (await findReferredPicture(zip, name)) ?? own;
}

/** The first picture of a page or an SVG; undefined if it has none. */
async function findReferredPicture(zip: ZipEntries, name: string): Promise<Picture | undefined> {
  const page = await zip.read(name, MAX_PAGE_BYTES).catch(() => undefined);
  const href = page && findFirstImage(page);
  const path = href === undefined ? undefined : resolvePath(href, name);
  const image = path === undefined ? undefined : zip.find(path);
  const type = image === undefined ? undefined : findPictureType(await readStart(zip, image));
  return type === undefined ? undefined : { name: image, type };
}

/** Its first bytes; empty if it is damaged, or isn't there. */
async function readStart(zip: ZipEntries, name: string): Promise<Buffer> {
  let start = Buffer.alloc(0);
  try {
    for await (const piece of (await zip.stream(name, Number.POSITIVE_INFINITY)) ?? []) {
      start = Buffer.concat([start, piece.subarray(0, MAX_SIGNATURE_BYTES)]);
      if (start.length >= MAX_SIGNATURE_BYTES) break;
    }
  } catch {
    // What could be read decides.
  }
  return start;
}

/** Of HTML's `img` or `object`, or SVG's `image`. */
function findFirstImage(page: Buffer): string | undefined {
  const images = parseElements(decodeXml(page)).filter(({ name }) => /^(?:img|image|object)$/.test(name));
  return images
    .map(({ attributes }) => attributes.get("src") ?? attributes.get("href") ?? attributes.get("data"))
    .find((href) => href !== undefined && !/^(?:data|https?):/i.test(href));
}

/** The path of an entry that another entry names by a relative URL; undefined for an address elsewhere. */
export function resolvePath(href: string, from: string): string | undefined {
  try {
    const base = new URL(from.split("/").map(encodeURIComponent).join("/"), "epub://book/");
    const url = new URL(href.trim().replaceAll("\\", "/"), base);
    if (url.protocol !== "epub:") return undefined;
    return decodeURIComponent(url.pathname).slice(1);
  } catch {
    return href; // No URL: perhaps the plain path
  }
}
