/** The metadata of MOBI and AZW3 books: the first record of a Palm database, with a MOBI and an EXTH header. */

import { readBytes } from "../../../adapters/file-types/zip.ts";
import type { ByteHandle, Inspectable } from "../../../adapters/files/file-store.ts";
import { findPictureType, MAX_SIGNATURE_BYTES } from "../../../adapters/images/picture-types.ts";
import { decodeText, findEncoding } from "../../../lib/encodings.ts";
import { findIsbn } from "../../../lib/isbn.ts";
import { MAX_COVER_BYTES } from "../../../schemas/covers.schemas.ts";
import {
  type FileMetadata,
  findCode,
  MAX_TITLE,
  MAX_WORD,
  splitNames,
  toLine,
  toLines,
  toNames,
  toParagraphs,
} from "./metadata.ts";
import { UnreadableError } from "./unreadable-error.ts";

/** Of a Palm database: the number of its records, and then where each of them begins. */
const RECORD_COUNT_AT = 76;
const RECORDS_AT = 78;
const RECORD_ENTRY_BYTES = 8;
/** Headers with long descriptions have some tens of KiB. */
const MAX_HEADER_BYTES = 1024 * 1024;
const MAX_EXTH_RECORDS = 1000;

export async function read(file: Inspectable): Promise<FileMetadata> {
  await using handle = await file.open();
  const header = parseHeader(await readRecord(handle, file.sizeBytes, 0, MAX_HEADER_BYTES));
  const cover = await findCover(handle, file.sizeBytes, header);
  return { ...toMetadata(header), hasCover: cover !== undefined };
}

export async function readCover(file: Inspectable): Promise<Buffer> {
  await using handle = await file.open();
  const header = parseHeader(await readRecord(handle, file.sizeBytes, 0, MAX_HEADER_BYTES));
  const record = await findCover(handle, file.sizeBytes, header);
  if (record === undefined) throw new UnreadableError("It has no cover.");
  return await readRecord(handle, file.sizeBytes, record, MAX_COVER_BYTES);
}

/** At most so many bytes of a record; empty if there is none. */
async function readRecord(
  file: ByteHandle,
  sizeBytes: number,
  index: number,
  maxBytes: number,
): Promise<Buffer> {
  const count = (await readBytes(file, RECORD_COUNT_AT, 2)).readUInt16BE(0);
  if (index >= count) return Buffer.alloc(0);
  const entries = await readBytes(file, RECORDS_AT + index * RECORD_ENTRY_BYTES, 2 * RECORD_ENTRY_BYTES);
  const start = entries.readUInt32BE(0);
  const end = index + 1 < count ? entries.readUInt32BE(RECORD_ENTRY_BYTES) : sizeBytes;
  const length = Math.min(end, sizeBytes) - start;
  return length > 0 ? readBytes(file, start, Math.min(length, maxBytes)) : Buffer.alloc(0);
}

interface Header {
  title: string;
  /** A language of Windows; 0 if it isn't said. */
  locale: number;
  firstImage: number;
  /** Texts by the number of their type. */
  texts: ReadonlyMap<number, readonly string[]>;
  coverOffset: number | undefined;
}

/** Positions in the record; the MOBI header begins after 16 bytes of PalmDOC's. */
const MOBI_AT = 16;
const EXTH_FLAG = 0x40;
const NONE = 0xffffffff;

function parseHeader(record: Buffer): Header {
  if (record.toString("latin1", MOBI_AT, MOBI_AT + 4) !== "MOBI" || record.length < 132)
    throw new UnreadableError("It has no MOBI header.");
  const encoding = findEncoding(`${record.readUInt32BE(28)}`) ?? "windows-1252";
  const decode = (bytes: Buffer) => decodeText(bytes, encoding);
  const nameAt = record.readUInt32BE(84);
  const name = record.subarray(nameAt, nameAt + Math.min(record.readUInt32BE(88), MAX_TITLE * 4));
  const exthAt = MOBI_AT + record.readUInt32BE(20);
  const hasExth = (record.readUInt32BE(128) & EXTH_FLAG) !== 0;
  const values = hasExth ? parseExth(record.subarray(exthAt)) : [];
  const texts = new Map<number, string[]>();
  for (const { type, bytes } of values)
    texts.set(type, [...(texts.get(type) ?? []), decode(bytes)].slice(0, 100));
  const cover = values
    .find(({ type, bytes }) => type === COVER_OFFSET && bytes.length === 4)
    ?.bytes.readUInt32BE(0);
  return {
    title: decode(name),
    locale: record.readUInt32BE(92),
    firstImage: record.readUInt32BE(108),
    texts,
    coverOffset: cover === NONE ? undefined : cover,
  };
}

function parseExth(bytes: Buffer): { type: number; bytes: Buffer }[] {
  if (bytes.toString("latin1", 0, 4) !== "EXTH" || bytes.length < 12) return [];
  const found = [];
  const count = Math.min(bytes.readUInt32BE(8), MAX_EXTH_RECORDS);
  for (let at = 12; found.length < count && at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at + 4);
    if (length < 8) break;
    found.push({ type: bytes.readUInt32BE(at), bytes: bytes.subarray(at + 8, at + length) });
    at += length;
  }
  return found;
}

const AUTHOR = 100;
const PUBLISHER = 101;
const DESCRIPTION = 103;
const ISBN = 104;
const SUBJECT = 105;
const CONTRIBUTOR = 108;
const RIGHTS = 109;
const COVER_OFFSET = 201;
const UPDATED_TITLE = 503;
const LANGUAGE = 524;

function toMetadata({ title, locale, texts }: Header): Omit<FileMetadata, "hasCover"> {
  const list = (type: number) => texts.get(type) ?? [];
  const separated = (type: number) => list(type).flatMap(splitNames);
  return {
    title: toLine(list(UPDATED_TITLE)[0], MAX_TITLE) ?? toLine(title, MAX_TITLE),
    languageCode:
      findCode(list(LANGUAGE)) ?? REGIONS.get(locale & REGION_BITS) ?? LOCALES.get(locale & LANGUAGE_BITS),
    authors: toNames(separated(AUTHOR)),
    contributors: toLines(list(CONTRIBUTOR).filter((name) => !SOFTWARE.test(name))).map((name) => ({
      name,
      role: "contributor",
    })),
    description: toParagraphs(list(DESCRIPTION)[0]),
    publisher: toLine(list(PUBLISHER)[0]),
    license: toLine(list(RIGHTS)[0], MAX_TITLE),
    isbn: list(ISBN)
      .map((text) => findIsbn(text))
      .find((isbn) => isbn !== undefined),
    tags: toLines(separated(SUBJECT), MAX_WORD),
  };
}

/** Programs that made the file name themselves as a contributor. */
const SOFTWARE = /^(?:calibre|kindlegen|mobipocket)\b/i;

/** The languages of Windows (MS-LCID); the region is in the upper bits. Others are named in the EXTH header. */
const LANGUAGE_BITS = 0x3ff;
const REGION_BITS = 0xffff;

const parseLocales = (text: string): ReadonlyMap<number, string> =>
  new Map(
    text
      .trim()
      .split(/\s+/)
      .map((entry) => entry.split(":"))
      .map(([number = "", code = ""]): [number, string] => [Number.parseInt(number, 16), code]),
  );

const LOCALES = parseLocales(`
  01:ar 02:bg 03:ca 04:zh 05:cs 06:da 07:de 08:el 09:en 0a:es 0b:fi 0c:fr 0d:he 0e:hu 0f:is 10:it 11:ja 12:ko 13:nl
  14:no 15:pl 16:pt 17:rm 18:ro 19:ru 1a:hr 1b:sk 1c:sq 1d:sv 1e:th 1f:tr 20:ur 21:id 22:uk 23:be 24:sl 25:et 26:lv
  27:lt 28:tg 29:fa 2a:vi 2b:hy 2c:az 2d:eu 2e:hsb 2f:mk 30:st 31:ts 32:tn 33:ve 34:xh 35:zu 36:af 37:ka 38:fo 39:hi
  3a:mt 3b:se 3c:ga 3d:yi 3e:ms 3f:kk 40:ky 41:sw 42:tk 43:uz 44:tt 45:bn 46:pa 47:gu 48:or 49:ta 4a:te 4b:kn 4c:ml
  4d:as 4e:mr 4f:sa 50:mn 51:bo 52:cy 53:km 54:lo 55:my 56:gl 57:kok 59:sd 5b:si 5d:iu 5e:am 61:ne 62:fy 63:ps 64:fil
  65:dv 68:ha 6a:yo 6c:nso 6d:ba 6e:lb 6f:kl 70:ig 72:om 73:ti 74:gn 75:haw 76:la 77:so 7e:br 80:ug 81:mi 82:oc 83:co
  87:rw 88:wo 91:gd
`);

/** Regions that mean another language or script. */
const REGIONS = parseLocales(`
  0404:zh-TW 0804:zh-CN 0c04:zh-HK 1004:zh-SG 1404:zh-MO 0414:nb 0814:nn 081a:sr-Latn 0c1a:sr-Cyrl 101a:hr 141a:bs
  181a:sr-Latn 1c1a:sr-Cyrl 201a:bs-Cyrl 241a:sr-Latn 281a:sr-Cyrl 0416:pt-BR 0816:pt-PT 082e:dsb 083c:ga
`);

/** The record of the cover, if it is a picture. */
async function findCover(file: ByteHandle, sizeBytes: number, header: Header): Promise<number | undefined> {
  const { coverOffset, firstImage } = header;
  if (coverOffset === undefined || firstImage === NONE) return undefined;
  const record = firstImage + coverOffset;
  const start = await readRecord(file, sizeBytes, record, MAX_SIGNATURE_BYTES);
  return findPictureType(start) === undefined ? undefined : record;
}
