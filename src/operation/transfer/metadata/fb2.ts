/** The metadata of FB2 books (FictionBook 2.2), from the description at their begin. The rest is read for the cover only. */

import { readBytes } from "../../../adapters/file-types/zip.ts";
import type { Inspectable } from "../../../adapters/files/file-store.ts";
import { chooseEncoding } from "../../../lib/encodings.ts";
import { findIsbn } from "../../../lib/isbn.ts";
import { MAX_COVER_BYTES } from "../../../schemas/covers.schemas.ts";
import {
  type FileMetadata,
  findCode,
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
import { createElementParser, escapeStrayAmpersands, findXmlEncoding, type XmlElement } from "./xml.ts";

const BLOCK_BYTES = 64 * 1024;
/** Descriptions have a few kilobytes, and annotations of many pages some more. */
const MAX_DESCRIPTION_BYTES = 2 * 1024 * 1024;

export async function read(file: Inspectable): Promise<FileMetadata> {
  const elements = await readDescription(file);
  const id = findCoverId(elements);
  if (id === undefined) return { ...toMetadata(elements), hasCover: false };
  const hasCover = (await readBinary(file, id)) !== undefined;
  return { ...toMetadata(elements), hasCover, ...(!hasCover && { coverIsMissing: true }) };
}

async function readDescription(file: Inspectable): Promise<XmlElement[]> {
  const elements: XmlElement[] = [];
  let isDone = false;
  const parser = createElementParser((element) => {
    elements.push(element);
    isDone ||= element.path === DESCRIPTION;
  });
  let length = 0;
  for await (const text of readText(file)) {
    parser.write(escapeStrayAmpersands(text));
    length += text.length;
    if (isDone || length > MAX_DESCRIPTION_BYTES) break;
  }
  if (!elements.some(({ path }) => path.startsWith(DESCRIPTION)))
    throw new UnreadableError("It has no description.");
  return elements;
}

const DESCRIPTION = "fictionbook/description";

/** In the declared encoding. */
async function* readText({ open, sizeBytes }: Inspectable): AsyncGenerator<string> {
  await using handle = await open();
  let decoder: TextDecoder | undefined;
  for (let position = 0; position < sizeBytes; position += BLOCK_BYTES) {
    const bytes = await readBytes(handle, position, BLOCK_BYTES);
    decoder ??= new TextDecoder(chooseEncoding(bytes, findXmlEncoding(bytes)));
    yield decoder.decode(bytes, { stream: true });
  }
}

function toMetadata(elements: readonly XmlElement[]): Omit<FileMetadata, "hasCover"> {
  const inTitle = (path: string) =>
    elements.filter((element) => element.path === `${DESCRIPTION}/title-info/${path}`);
  const inPublication = (path: string) =>
    elements.filter((element) => element.path === `${DESCRIPTION}/publish-info/${path}`);
  const [series] = [...inTitle("sequence"), ...inPublication("sequence")].map(({ attributes }) => attributes);
  const seriesName = toLine(series?.get("name"));
  const position = parsePosition(series?.get("number"));
  return {
    title: toLine(inTitle("book-title")[0]?.text, MAX_TITLE),
    languageCode: findCode(inTitle("lang").map(({ text }) => text)),
    authors: toNames(listPeople(elements, "author")),
    contributors: toLines(listPeople(elements, "translator")).map((name) => ({ name, role: "translator" })),
    description: toParagraphs(inTitle("annotation")[0]?.text),
    publisher: toLine(inPublication("publisher")[0]?.text),
    isbn: inPublication("isbn")
      .map(({ text }) => findIsbn(text))
      .find((isbn) => isbn !== undefined),
    tags: toLines(
      inTitle("keywords").flatMap(({ text }) => splitWords(text)),
      MAX_WORD,
    ),
    series: seriesName === undefined ? undefined : { name: seriesName, position },
  };
}

const NAMES = ["first-name", "middle-name", "last-name"];

/** The parts of a name end before the person. */
function listPeople(elements: readonly XmlElement[], role: "author" | "translator"): string[] {
  const path = `${DESCRIPTION}/title-info/${role}`;
  const people: string[] = [];
  let parts = new Map<string, string>();
  for (const { path: each, name, text } of elements) {
    if (each === path) {
      const names = NAMES.map((part) => parts.get(part)?.trim()).filter((part) => part);
      people.push(names.length > 0 ? names.join(" ") : (parts.get("nickname") ?? ""));
      parts = new Map();
    } else if (each.startsWith(`${path}/`)) parts.set(name, text);
  }
  return people;
}

const findCoverId = (elements: readonly XmlElement[]): string | undefined =>
  elements
    .filter(({ path }) => path === `${DESCRIPTION}/title-info/coverpage/image`)
    .map(({ attributes }) => /^#(.+)/s.exec(attributes.get("href")?.trim() ?? "")?.[1])
    .find((id) => id !== undefined);

/** Base64 takes four characters for three bytes, and line ends. */
const MAX_COVER_TEXT = MAX_COVER_BYTES * 1.5;

export async function readCover(file: Inspectable): Promise<Buffer> {
  const id = findCoverId(await readDescription(file));
  if (id !== undefined) {
    const text = await readBinary(file, id);
    if (text !== undefined) return Buffer.from(text, "base64");
  }
  throw new UnreadableError("It has no cover.");
}

/** The text of `<binary id="…">`, which is behind the book. Nothing else of it is kept. */
async function readBinary(file: Inspectable, id: string): Promise<string | undefined> {
  let found = "";
  let before = "";
  let isOpen = false;
  for await (const piece of readText(file)) {
    let text = before + piece;
    if (!isOpen) {
      const start = findBinary(text, id);
      if (start === undefined) {
        before = text.slice(-MAX_TAG);
        continue;
      }
      isOpen = true;
      text = text.slice(start);
    }
    before = "";
    const end = text.indexOf("<");
    found += end < 0 ? text : text.slice(0, end);
    if (end >= 0) return found;
    if (found.length > MAX_COVER_TEXT) throw new UnreadableError("Its cover is larger than 10 MB.");
  }
  return isOpen ? found : undefined;
}

const MAX_TAG = 1000;

/** Where the content of the element begins. */
function findBinary(text: string, id: string): number | undefined {
  for (let at = text.indexOf("<binary"); at >= 0; at = text.indexOf("<binary", at + 1)) {
    const end = text.indexOf(">", at);
    if (end < 0) return undefined;
    const tag = text.slice(at, Math.min(end, at + MAX_TAG));
    if (/\sid\s*=\s*["']([^"']*)/.exec(tag)?.[1] === id) return end + 1;
  }
  return undefined;
}
