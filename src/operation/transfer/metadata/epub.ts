/** The metadata of EPUB books, from their package document (EPUB 3.3, 5.5; OPF 2.0, 2.2). */
import { ZipEntries } from "../../../adapters/file-types/zip-entries.ts";
import type { Inspectable } from "../../../adapters/files/file-store.ts";
import { parseIsbn } from "../../../lib/isbn.ts";
import { MAX_COVER_BYTES } from "../../../schemas/covers.schemas.ts";
import {
  type Contributor,
  type FileMetadata,
  MAX_ITEMS,
  MAX_TITLE,
  MAX_WORD,
  parseCode,
  parsePosition,
  type Series,
  toLine,
  toLines,
  toParagraphs,
} from "./metadata.ts";
import {
  findPackagePath,
  type MetadataElement,
  type PackageDocument,
  parsePackage,
} from "./package-document.ts";

const MAX_CONTAINER_BYTES = 64 * 1024;
/** Manifests of large books have a few hundred KiB. */
const MAX_PACKAGE_BYTES = 2 * 1024 * 1024;

export async function read(file: Inspectable): Promise<FileMetadata> {
  await using handle = await file.open();
  const { document, cover } = await openPackage(await ZipEntries.open(handle, file.sizeBytes));
  return { ...toMetadata(document.metadata), hasCover: cover !== undefined };
}

export async function readCover(file: Inspectable): Promise<Buffer> {
  await using handle = await file.open();
  const zip = await ZipEntries.open(handle, file.sizeBytes);
  const { cover = "" } = await openPackage(zip);
  const bytes = await zip.read(cover, MAX_COVER_BYTES);
  if (!bytes) throw new Error(`It has no cover ${cover}.`);
  return bytes;
}

/** @throws Error with a sentence if the file is damaged */
async function openPackage(zip: ZipEntries) {
  const container = await zip.read("META-INF/container.xml", MAX_CONTAINER_BYTES);
  const path = container && findPackagePath(container);
  if (path === undefined)
    throw new Error("It has no META-INF/container.xml that names its package document.");
  const bytes = await zip.read(path, MAX_PACKAGE_BYTES);
  if (!bytes) throw new Error(`It has no package document ${path}.`);
  const document = parsePackage(bytes);
  return { document, cover: findCoverPath(document, path) };
}

function toMetadata(elements: readonly MetadataElement[]): Omit<FileMetadata, "hasCover"> {
  const findNamed = (name: string) => elements.filter((element) => element.name === name);
  const text = (name: string) => findNamed(name).find((element) => element.text.trim() !== "")?.text;
  const refinements = collectRefinements(elements);
  const people = [
    ...findNamed("creator").map((element) => parsePerson(element, refinements, "aut")),
    ...findNamed("contributor").map((element) => parsePerson(element, refinements, "ctb")),
  ].filter((person) => person !== undefined);
  const authors = people.filter(({ role }) => role === "author").map(({ name }) => name);
  return {
    title: toLine(findMainTitle(findNamed("title"), refinements), MAX_TITLE),
    languageCode: parseCode(text("language")),
    authors: toLines(authors),
    contributors: people.filter(({ role }) => role !== "author" && !SOFTWARE.has(role)).slice(0, MAX_ITEMS),
    description: toParagraphs(text("description")),
    publisher: toLine(text("publisher")),
    license: toLine(text("rights"), MAX_TITLE),
    isbn: findIsbn(findNamed("identifier")),
    tags: toLines(
      findNamed("subject").map((subject) => subject.text),
      MAX_WORD,
    ),
    series: findSeries(findNamed("meta"), refinements),
  };
}

/** The values of `<meta refines="#id" property="…">`, by id and property. */
type Refinements = ReadonlyMap<string, string>;

const collectRefinements = (elements: readonly MetadataElement[]): Refinements =>
  new Map(
    elements.flatMap(({ attributes, text }) => {
      const refined = attributes.get("refines");
      return refined === undefined ? [] : [[`${refined} ${attributes.get("property")}`, text.trim()]];
    }),
  );

const findRefinement = (
  { attributes }: MetadataElement,
  property: string,
  refinements: Refinements,
): string | undefined => refinements.get(`#${attributes.get("id")} ${property}`);

/** EPUB 3 can have subtitles and other titles beside the main one. */
function findMainTitle(titles: readonly MetadataElement[], refinements: Refinements): string | undefined {
  const main = titles.find((title) => findRefinement(title, "title-type", refinements) === "main");
  return (main ?? titles.find(({ text }) => text.trim() !== ""))?.text;
}

function parsePerson(
  element: MetadataElement,
  refinements: Refinements,
  usual: string,
): Contributor | undefined {
  const name = toLine(element.text);
  const code = findRefinement(element, "role", refinements) ?? element.attributes.get("role") ?? usual;
  const role = ROLES.get(code.trim().toLowerCase()) ?? toLine(code, MAX_WORD);
  return name === undefined || role === undefined ? undefined : { name, role };
}

/** The usual ones of the MARC relators; others stay as they are written. */
const ROLES: ReadonlyMap<string, string> = new Map([
  ["aut", "author"],
  ["ctb", "contributor"],
  ["trl", "translator"],
  ["ill", "illustrator"],
  ["edt", "editor"],
  ["nrt", "narrator"],
  ["art", "artist"],
  ["pht", "photographer"],
  ["bkp", "producer"],
  ["aui", "author of introduction"],
]);

/** Programs that made the file name themselves as its producer. */
const SOFTWARE = new Set(["producer", "bkd"]);

/** The first identifier that is an ISBN, with or without a prefix that says so. */
const findIsbn = (identifiers: readonly MetadataElement[]): string | undefined =>
  identifiers
    .map(({ text }) => parseIsbn(text.slice(0, 100).replace(/^\s*(?:urn:)?isbn:?/i, "")))
    .find((isbn) => isbn !== undefined);

/** EPUB 3's collection of the type `series`, or what Calibre writes. */
function findSeries(metas: readonly MetadataElement[], refinements: Refinements): Series | undefined {
  const collection = metas.find(
    (meta) =>
      meta.attributes.get("property") === "belongs-to-collection" &&
      (findRefinement(meta, "collection-type", refinements) ?? "series") === "series",
  );
  const findCalibre = (name: string) =>
    metas.find(({ attributes }) => attributes.get("name") === `calibre:${name}`)?.attributes.get("content");
  const name = toLine(collection?.text ?? findCalibre("series"));
  if (name === undefined) return undefined;
  const position = collection
    ? findRefinement(collection, "group-position", refinements)
    : findCalibre("series_index");
  return { name, position: parsePosition(position) };
}

/** The path of the cover in the archive: EPUB 3's property, EPUB 2's `<meta name="cover">`, or the guide's image. */
function findCoverPath(
  { metadata, items, guideCover }: PackageDocument,
  packagePath: string,
): string | undefined {
  const named = metadata
    .find(({ attributes }) => attributes.get("name") === "cover")
    ?.attributes.get("content");
  const item =
    items.find(({ properties }) => properties.split(/\s+/).includes("cover-image")) ??
    items.find(({ id, href }) => named !== undefined && (id === named || href === named));
  const href = item?.mediaType.startsWith("image/") ? item.href : guideCover;
  if (href === undefined || !/\.(?:jpe?g|png|webp)$/i.test(href)) return undefined;
  return resolvePath(href, packagePath);
}

/** The path of an entry that a package document names by a relative URL. */
function resolvePath(href: string, packagePath: string): string | undefined {
  try {
    const base = new URL(packagePath.split("/").map(encodeURIComponent).join("/"), "epub://book/");
    return decodeURIComponent(new URL(href, base).pathname).slice(1);
  } catch {
    return undefined; // A malformed URL
  }
}
