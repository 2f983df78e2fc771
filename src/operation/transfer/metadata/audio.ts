/** The metadata of audio books, from their tags (ID3, MPEG-4), by music-metadata. */
import { openAsBlob } from "node:fs";
import { type IAudioMetadata, type ICommonTagsResult, type IPicture, parseBlob } from "music-metadata";
import { readId3Length } from "../../../adapters/file-types/mpeg-audio.ts";
import { findPictureType } from "../../../adapters/images/picture-types.ts";
import { readLatin1 } from "../../../lib/encodings.ts";
import { MAX_COVER_BYTES } from "../../../schemas/covers.schemas.ts";
import { type MetadataType, mediaTypeOf } from "../../../schemas/file-types.ts";
import type { LocalFile } from "../local-files.ts";
import { isMadeUpTitle, isNoName } from "./made-up.ts";
import {
  type FileMetadata,
  findCode,
  MAX_TITLE,
  MAX_WORD,
  toLine,
  toLines,
  toNames,
  toParagraphs,
} from "./metadata.ts";
import { UnreadableError } from "./unreadable-error.ts";

type Source = Pick<LocalFile, "path" | "open">;
type Tags = Pick<IAudioMetadata, "common" | "native">;

export async function read(file: Source, fileType: MetadataType): Promise<FileMetadata> {
  return toMetadata(await readTags(file, fileType));
}

export async function readCover(file: Source, fileType: MetadataType): Promise<Buffer> {
  const cover = findCover((await readTags(file, fileType)).common);
  if (!cover) throw new UnreadableError("It has no cover any more.");
  return Buffer.from(cover.data);
}

/** The library opens the path itself, in pieces. It is told the type, which the content has: it would look for one. */
async function readTags({ path, open }: Source, fileType: MetadataType): Promise<Tags> {
  await using _checked = await open();
  const blob = await openAsBlob(path, { type: mediaTypeOf(fileType) });
  try {
    return await parse(blob);
  } catch (error) {
    // Tags can be whole before sound that isn't.
    const tag = blob.slice(0, await findTagEnd(blob), blob.type);
    if (tag.size === 0) throw error;
    return await parse(tag);
  }
}

const parse = (blob: Blob): Promise<Tags> => parseBlob(blob, { skipPostHeaders: true });

async function findTagEnd(blob: Blob): Promise<number> {
  return readId3Length(Buffer.from(await blob.slice(0, ID3_HEADER_BYTES).arrayBuffer()));
}

const ID3_HEADER_BYTES = 10;

/** In an audio book of one file, the album is the book; its tracks are named after chapters. */
const toMetadata = ({ common, native }: Tags): FileMetadata => ({
  title: findTitle(common),
  languageCode: findCode([...listLanguages(native), common.language]),
  authors: toNames(findAuthors(common).flatMap(separateNames).map(readLatin1)),
  contributors: toNames((common.composer ?? []).flatMap(separateNames).map(readLatin1)).map((name) => ({
    name,
    role: "narrator",
  })),
  description: toParagraphs(
    readLatin1(common.longDescription ?? common.description?.[0] ?? findComment(common) ?? ""),
  ),
  publisher: toLine(common.publisher?.[0] ?? common.label?.[0]),
  license: toLine(common.license ?? common.copyright, MAX_TITLE),
  tags: toLines(common.genre ?? [], MAX_WORD),
  hasCover: findCover(common) !== undefined,
});

/** Those of ID3 in their order: a list, or three letters each without anything between (ID3v2.3, 4.2.1). */
const listLanguages = (native: IAudioMetadata["native"]): string[] =>
  Object.values(native)
    .flat()
    .filter(({ id }) => id === "TLAN" || id === "TLA")
    .map(({ value }) => String(value).slice(0, MAX_NAMES))
    .flatMap((text) => [text, ...(/^(?:[a-z]{3})+$/i.test(text) ? (text.match(/.{3}/g) ?? []) : [])]);

/** Programs put values of their own into comments, such as loudness, with names that say so. */
const findComment = ({ comment = [] }: ICommonTagsResult): string | undefined =>
  comment.find(({ text, descriptor = "" }) => text && !OF_PROGRAMS.test(descriptor))?.text;
const OF_PROGRAMS = /^(?:iTun|ID3v1|MusicMatch|Songs-DB|MusicBrainz|CDDB|LAME|replaygain)/i;

/** Tags in Latin 1 can have UTF-8, or the encoding of the system on which they were written. */
function findTitle({ album = "", title = "" }: ICommonTagsResult): string | undefined {
  const [found] = [album, title]
    .map((text) => toLine(readLatin1(text), MAX_TITLE))
    .filter((text) => text !== undefined && !isMadeUpTitle(text));
  return found;
}

function findAuthors(common: ICommonTagsResult): string[] {
  const { albumartists = [], albumartist = "", artists = [], artist = "" } = common;
  const lists = [albumartists, [albumartist], artists, [artist]];
  return lists.find((names) => names.some((name) => name.trim() !== "" && !isNoName(name))) ?? [];
}

/** ID3 separates names by NUL or a slash; a name can have a slash between letters, such as AC/DC. */
const separateNames = (names: string): string[] => names.slice(0, MAX_NAMES).split(/[\0;；؛]| \/ /);
const MAX_NAMES = 2000;

/** The front cover, or else the first picture. */
function findCover({ picture = [] }: ICommonTagsResult): IPicture | undefined {
  const usable = picture.filter(
    ({ data }) => findPictureType(data) !== undefined && data.length <= MAX_COVER_BYTES,
  );
  return usable.find(({ type }) => type === "Cover (front)") ?? usable[0];
}
