/** The metadata of comics, from `ComicInfo.xml`; the cover is the first picture. */
import { ZipEntries } from "../../../adapters/file-types/zip-entries.ts";
import type { Inspectable } from "../../../adapters/files/file-store.ts";
import { findIsbn } from "../../../lib/isbn.ts";
import { MAX_COVER_BYTES } from "../../../schemas/covers.schemas.ts";
import {
  type Contributor,
  type FileMetadata,
  findCode,
  MAX_ITEMS,
  MAX_TITLE,
  MAX_WORD,
  parsePosition,
  splitWords,
  toLine,
  toLines,
  toNames,
  toParagraphs,
} from "./metadata.ts";
import { UnreadableError } from "./unreadable-error.ts";
import { decodeXml, parseElements, type XmlElement } from "./xml.ts";

const MAX_INFO_BYTES = 1024 * 1024;

export async function read(file: Inspectable): Promise<FileMetadata> {
  await using handle = await file.open();
  const zip = await ZipEntries.open(handle, file.sizeBytes);
  const elements = await readInfo(zip);
  const values = new Map(elements.map(({ name: each, text }) => [each, text]));
  return { ...toMetadata(values), hasCover: findCoverPage(zip, elements) !== undefined };
}

/** Archives of a folder have it in there. */
async function readInfo(zip: ZipEntries): Promise<XmlElement[]> {
  const [name] = zip
    .names()
    .filter((each) => /(?:^|[/\\])ComicInfo\.xml$/i.test(each) && !HIDDEN.test(each))
    .toSorted((one, other) => one.length - other.length);
  const bytes = name === undefined ? undefined : await zip.read(name, MAX_INFO_BYTES);
  return bytes ? parseElements(decodeXml(bytes)) : [];
}

const HIDDEN = /(?:^|[/\\])(?:\.(?!\.?[/\\])|__MACOSX[/\\])/;

export async function readCover(file: Inspectable): Promise<Buffer> {
  await using handle = await file.open();
  const zip = await ZipEntries.open(handle, file.sizeBytes);
  const name = findCoverPage(zip, await readInfo(zip));
  const bytes = name === undefined ? undefined : await zip.read(name, MAX_COVER_BYTES);
  if (!bytes) throw new UnreadableError("It has no cover.");
  return bytes;
}

/** The page that is named as the front cover, or else the first one. */
function findCoverPage(zip: ZipEntries, elements: readonly XmlElement[]): string | undefined {
  const pages = listPages(zip);
  const front = elements.find(
    ({ name, attributes }) => name === "page" && /^FrontCover$/i.test(attributes.get("type")?.trim() ?? ""),
  );
  const index = front?.attributes.get("image")?.trim() ?? "";
  return (/^\d{1,6}$/.test(index) ? pages[Number(index)] : undefined) ?? pages[0];
}

/** Pages are in the order of their names, in which numbers count as such. */
const listPages = (zip: ZipEntries): string[] =>
  zip
    .names()
    .filter((name) => /\.(?:jpe?g|png|webp|gif)$/i.test(name) && !HIDDEN.test(name))
    .toSorted(new Intl.Collator("en", { numeric: true }).compare);

const ROLES = [
  ["penciller", "artist"],
  ["inker", "inker"],
  ["colorist", "colorist"],
  ["letterer", "letterer"],
  ["coverartist", "cover artist"],
  ["editor", "editor"],
  ["translator", "translator"],
] as const;

function toMetadata(values: ReadonlyMap<string, string>): Omit<FileMetadata, "hasCover"> {
  const separate = (key: string) => splitWords(values.get(key) ?? "");
  const series = toLine(values.get("series"));
  const number = values.get("number")?.trim();
  const named = series && number ? `${series} ${number}` : series;
  const contributors = ROLES.flatMap(([key, role]) =>
    toLines(separate(key)).map((name): Contributor => ({ name, role })),
  );
  return {
    title: toLine(values.get("title"), MAX_TITLE) ?? named,
    languageCode: findCode([values.get("languageiso")]),
    authors: toNames(separate("writer")),
    contributors: contributors.slice(0, MAX_ITEMS),
    description: toParagraphs(values.get("summary")),
    publisher: toLine(values.get("publisher")),
    isbn: findIsbn(values.get("gtin") ?? ""),
    tags: toLines([...separate("genre"), ...separate("tags")], MAX_WORD),
    series: series === undefined ? undefined : { name: series, position: parsePosition(number) },
  };
}
