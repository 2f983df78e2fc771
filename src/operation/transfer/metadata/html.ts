/** The metadata of HTML documents: the title, the language, and what `meta` elements say. Only the begin is read. */
import { readBytes } from "../../../adapters/file-types/zip.ts";
import type { Inspectable } from "../../../adapters/files/file-store.ts";
import { decodeText } from "../../../lib/encodings.ts";
import { decodeReferences } from "../../../lib/entities.ts";
import { findIsbn } from "../../../lib/isbn.ts";
import {
  type FileMetadata,
  findCode,
  MAX_TITLE,
  MAX_WORD,
  splitNames,
  splitWords,
  toLine,
  toLines,
  toNames,
  toParagraphs,
  toTitle,
} from "./metadata.ts";
import { findXmlEncoding } from "./xml.ts";

const MAX_HEAD_BYTES = 64 * 1024;

export async function read(file: Inspectable): Promise<FileMetadata> {
  await using handle = await file.open();
  const bytes = await readBytes(handle, 0, MAX_HEAD_BYTES);
  const html = removeComments(decodeText(bytes, findXmlEncoding(bytes) ?? findCharset(bytes)));
  const metas = readMetas(html);
  const list = (...names: string[]) =>
    metas.filter(({ name }) => names.includes(name)).map(({ content }) => content);
  const element = decodeReferences(/<title(?:\s[^<>]*)?>([^<]*)/i.exec(removeOthers(html))?.[1] ?? "");
  const titles = [element, ...list("dc.title", "dcterms.title")];
  const root = readAttributes(/<html\s([^<>]*)/i.exec(html)?.[1] ?? "");
  return {
    title: titles.map(toTitle).find((title) => title !== undefined),
    languageCode: findCode([
      root.get("lang"),
      root.get("xml:lang"),
      ...list("language", "dc.language", "dcterms.language", "content-language"),
    ]),
    authors: toNames(list("author", "dc.creator", "dcterms.creator").flatMap(splitNames)),
    contributors: [],
    description: toParagraphs(list("description", "dc.description", "dcterms.description")[0]),
    publisher: toLine(list("dc.publisher", "dcterms.publisher")[0]),
    license: toLine(list("dc.rights", "dcterms.rights", "copyright")[0], MAX_TITLE),
    isbn: list("dc.identifier", "dcterms.identifier", "isbn", "citation_isbn", "book:isbn")
      .map(findIsbn)
      .find((isbn) => isbn !== undefined),
    tags: toLines(list("keywords", "dc.subject", "dcterms.subject").flatMap(splitWords), MAX_WORD),
    hasCover: false,
  };
}

function removeComments(html: string): string {
  const [first = "", ...others] = html.split("<!--");
  return first + others.map((piece) => piece.split("-->").slice(1).join("-->")).join("");
}

/** Scripts can have a title in a text, and pictures one of their own. */
const removeOthers = (html: string): string =>
  html
    .split(/<(?=(?:script|style|svg|noscript)[\s>])/i)
    .map((piece, index) => (index === 0 ? piece : piece.replace(ELEMENT, "")))
    .join("");
const ELEMENT = /^(script|style|svg|noscript)[\s>][\s\S]*?(?:<\/\1\s*>|$)/i;

const findCharset = (bytes: Buffer): string | undefined =>
  /<meta\s[^>]{0,300}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{1,40})/i.exec(bytes.toString("latin1"))?.[1];

const MAX_METAS = 200;
/** A value in quotes can have `>` in it. */
const META = /<meta\s(?:"[^"]{0,4000}"|'[^']{0,4000}'|[^<>"']){1,200}/gi;

function readMetas(html: string): { name: string; content: string }[] {
  const tags = html.match(META) ?? [];
  return tags.slice(0, MAX_METAS).map((tag) => {
    const attributes = readAttributes(tag);
    const name = attributes.get("name") ?? attributes.get("property") ?? attributes.get("http-equiv") ?? "";
    return { name: name.toLowerCase(), content: attributes.get("content") ?? "" };
  });
}

const readAttributes = (tag: string): ReadonlyMap<string, string> =>
  new Map(
    tag
      .slice(0, 4000)
      .matchAll(/([\w:-]{1,40})\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g)
      .map(([, name = "", ...values]): [string, string] => [
        name.toLowerCase(),
        decodeReferences(values.find((value) => value !== undefined) ?? ""),
      ]),
  );
