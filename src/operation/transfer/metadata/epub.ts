/** The metadata of EPUB books, from their package document (EPUB 3.3, 5.5; OPF 2.0, 2.2). */
import { ZipEntries } from "../../../adapters/file-types/zip-entries.ts";
import type { Inspectable } from "../../../adapters/files/file-store.ts";
import { findIsbn } from "../../../lib/isbn.ts";
import { foldForSearch } from "../../../lib/text.ts";
import { MAX_COVER_BYTES } from "../../../schemas/covers.schemas.ts";
import { findCover } from "./epub-cover.ts";
import {
  type Contributor,
  type FileMetadata,
  findCode,
  MAX_ITEMS,
  MAX_TITLE,
  MAX_WORD,
  parsePosition,
  type Series,
  splitNames,
  toLine,
  toLines,
  toNames,
  toParagraphs,
} from "./metadata.ts";
import {
  listPackagePaths,
  type MetadataElement,
  type PackageDocument,
  parsePackage,
} from "./package-document.ts";
import { findRole } from "./roles.ts";
import { UnreadableError } from "./unreadable-error.ts";

const MAX_CONTAINER_BYTES = 64 * 1024;
/** Manifests of large books have a few hundred KiB. */
const MAX_PACKAGE_BYTES = 2 * 1024 * 1024;

export async function read(file: Inspectable): Promise<FileMetadata> {
  await using handle = await file.open();
  const zip = await ZipEntries.open(handle, file.sizeBytes);
  const { document, path } = await openPackage(zip);
  const cover = await findCover(zip, document, path);
  return {
    ...toMetadata(document.metadata),
    hasCover: cover.name !== undefined,
    ...(cover.isMissing && { coverIsMissing: true }),
  };
}

export async function readCover(file: Inspectable): Promise<Buffer> {
  await using handle = await file.open();
  const zip = await ZipEntries.open(handle, file.sizeBytes);
  const { document, path } = await openPackage(zip);
  const { name } = await findCover(zip, document, path);
  const bytes = name === undefined ? undefined : await zip.read(name, MAX_COVER_BYTES);
  if (!bytes) throw new UnreadableError("It has no cover.");
  return bytes;
}

/** @throws UnreadableError */
async function openPackage(zip: ZipEntries): Promise<{ document: PackageDocument; path: string }> {
  const containerPath = zip.find("META-INF/container.xml");
  const container = containerPath && (await zip.read(containerPath, MAX_CONTAINER_BYTES));
  const named = container ? listPackagePaths(container) : [];
  const found = named.map((each) => zip.find(each)).filter((each) => each !== undefined);
  const other = findAnyPackage(zip);
  const paths = [...new Set([...found, ...(other === undefined ? [] : [other])])];
  let failure: UnreadableError | undefined;
  for (const path of paths.slice(0, MAX_ITEMS)) {
    try {
      const bytes = await zip.read(path, MAX_PACKAGE_BYTES);
      if (bytes) return { document: parsePackage(bytes), path };
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      failure ??= error;
    }
  }
  throw failure ?? new UnreadableError(explainMissing(named[0]));
}

const explainMissing = (missing: string | undefined): string =>
  missing === undefined
    ? "It has no META-INF/container.xml that names its package document (OPF)."
    : `It has no package document ${missing.slice(0, 200)}.`;

/** The one with the shortest path: others are of parts. */
const findAnyPackage = (zip: ZipEntries): string | undefined =>
  zip
    .names()
    .filter((name) => /\.opf$/i.test(name) && !name.startsWith("__MACOSX/"))
    .toSorted((one, other) => one.length - other.length)[0];

function toMetadata(elements: readonly MetadataElement[]): Omit<FileMetadata, "hasCover"> {
  const findNamed = (name: string) => elements.filter((element) => element.name === name);
  const texts = (name: string) => findNamed(name).map(({ text }) => text);
  const text = (name: string) => texts(name).find((each) => each.trim() !== "");
  const refinements = collectRefinements(elements);
  const people = [
    ...sortByDisplay(findNamed("creator"), refinements).flatMap((element) =>
      parsePeople(element, refinements, "author"),
    ),
    ...findNamed("contributor").flatMap((element) => parsePeople(element, refinements, "contributor")),
  ];
  const authors = people.filter(({ role }) => role === "author").map(({ name }) => name);
  return {
    title: toLine(findMainTitle(findNamed("title"), refinements), MAX_TITLE),
    languageCode: findCode(texts("language")),
    authors: toNames(authors),
    contributors: people.filter(({ role }) => role !== "author" && !SOFTWARE.has(role)).slice(0, MAX_ITEMS),
    description: toParagraphs(text("description")),
    publisher: toLine(text("publisher")),
    license: toLine(text("rights"), MAX_TITLE),
    isbn: findIdentifier(findNamed("identifier")),
    tags: toLines(texts("subject"), MAX_WORD),
    series: findSeries(findNamed("meta"), refinements),
  };
}

/** The values of `<meta refines="#id" property="…">`, by id and property. */
type Refinements = ReadonlyMap<string, string[]>;

function collectRefinements(elements: readonly MetadataElement[]): Refinements {
  const found = new Map<string, string[]>();
  for (const { attributes, text } of elements) {
    const refined = attributes.get("refines")?.trim().replace(/^#?/, "#");
    if (refined === undefined) continue;
    const key = `${refined} ${attributes.get("property")?.trim()}`;
    found.set(key, [...(found.get(key) ?? []), text.trim()].slice(0, MAX_ITEMS));
  }
  return found;
}

const findRefinements = (
  { attributes }: MetadataElement,
  property: string,
  refinements: Refinements,
): string[] => refinements.get(`#${attributes.get("id")} ${property}`) ?? [];

/** In the order of their `display-seq`; those without one come last, as they are written. */
function sortByDisplay(elements: readonly MetadataElement[], refinements: Refinements): MetadataElement[] {
  const placeOf = (element: MetadataElement) => {
    const place = Number.parseFloat(findRefinements(element, "display-seq", refinements)[0] ?? "");
    return Number.isNaN(place) ? Number.MAX_VALUE : place;
  };
  return elements.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** EPUB 3 can have subtitles and other titles beside the main one, in an order of their own. */
function findMainTitle(titles: readonly MetadataElement[], refinements: Refinements): string | undefined {
  const withText = titles.filter(({ text }) => text.trim() !== "");
  const typeOf = (title: MetadataElement) =>
    findRefinements(title, "title-type", refinements)[0]?.toLowerCase() ?? "";
  const main = withText.find((title) => typeOf(title) === "main");
  const unnamed = withText.filter((title) => !OTHER_TITLES.has(typeOf(title)));
  const [first] = sortByDisplay(unnamed.length > 0 ? unnamed : withText, refinements);
  return (main ?? first)?.text;
}

const OTHER_TITLES = new Set(["subtitle", "short", "collection", "edition", "expanded"]);

/**
 * Those of one element: word processors write several into it. One for each role; an author has no others. A role that
 * isn't known makes no creator something else.
 */
function parsePeople(element: MetadataElement, refinements: Refinements, usual: string): Contributor[] {
  const names = toNames(splitNames(element.text));
  const written = [...findRefinements(element, "role", refinements), element.attributes.get("role") ?? ""];
  const found = written.flatMap((text) => text.split(/[\s,;]+(?=[a-z]{3}(?![a-z]))/i)).map(findRole);
  const roles = new Set(
    found.flatMap((role) => (role && (role.isKnown || usual !== "author") ? role.name : [])),
  );
  if (roles.has("author")) return names.map((name) => ({ name, role: "author" }));
  return names.flatMap((name) => [...(roles.size > 0 ? roles : [usual])].map((role) => ({ name, role })));
}

/** Programs that made the file name themselves as its producer. */
const SOFTWARE = new Set(["producer", "bkd"]);

/** The first that is an ISBN; a scheme can say that it is one. */
const findIdentifier = (identifiers: readonly MetadataElement[]): string | undefined =>
  identifiers
    .map(({ text, attributes }) => findIsbn(`${attributes.get("scheme") ?? ""} ${text}`))
    .find((isbn) => isbn !== undefined);

/** EPUB 3's collection of the type `series`, or what Calibre writes, which also completes it. */
function findSeries(metas: readonly MetadataElement[], refinements: Refinements): Series | undefined {
  const find = (property: string, meta: MetadataElement) => findRefinements(meta, property, refinements)[0];
  const collections = metas.filter(
    (meta) => meta.attributes.get("property")?.trim() === "belongs-to-collection" && meta.text.trim() !== "",
  );
  const collection =
    collections.find((meta) => find("collection-type", meta) === "series") ??
    collections.find((meta) => find("collection-type", meta) === undefined);
  const findCalibre = (name: string) => {
    const isNamed = ({ attributes }: MetadataElement) =>
      [attributes.get("name"), attributes.get("property")].some((each) => each?.trim() === `calibre:${name}`);
    const meta = metas.find(isNamed);
    return meta?.attributes.get("content") ?? meta?.text;
  };
  const ofCalibre = toLine(findCalibre("series"));
  const name = toLine(collection?.text) ?? ofCalibre;
  if (name === undefined) return undefined;
  const position = parsePosition(collection && find("group-position", collection));
  const isSame = ofCalibre === undefined || foldForSearch(ofCalibre) === foldForSearch(name);
  return { name, position: position ?? (isSame ? parsePosition(findCalibre("series_index")) : undefined) };
}
