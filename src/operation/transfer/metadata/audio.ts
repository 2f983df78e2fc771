/** The metadata of audio books, from their tags (ID3, MPEG-4), by music-metadata. */
import { type ICommonTagsResult, parseFile } from "music-metadata";
import { MAX_COVER_BYTES } from "../../../schemas/covers.schemas.ts";
import type { LocalFile } from "../local-files.ts";
import {
  type FileMetadata,
  MAX_TITLE,
  MAX_WORD,
  parseCode,
  toLine,
  toLines,
  toParagraphs,
} from "./metadata.ts";

type Source = Pick<LocalFile, "path" | "open">;

export async function read(file: Source): Promise<FileMetadata> {
  return toMetadata(await readTags(file));
}

export async function readCover(file: Source): Promise<Buffer> {
  const { picture } = await readTags(file);
  const cover = picture?.find(isUsable);
  if (!cover) throw new Error("It has no cover any more.");
  return Buffer.from(cover.data);
}

/** The library opens the path itself. */
async function readTags({ path, open }: Source): Promise<ICommonTagsResult> {
  await using _checked = await open();
  const { common } = await parseFile(path, { skipPostHeaders: true });
  return common;
}

/** In an audio book of one file, the album is the book; its tracks are named after chapters. */
const toMetadata = (common: ICommonTagsResult): FileMetadata => ({
  title: toLine(common.album ?? common.title, MAX_TITLE),
  languageCode: parseCode(common.language),
  authors: toLines(common.albumartists ?? [common.albumartist ?? common.artist]),
  contributors: toLines(common.composer ?? []).map((name) => ({ name, role: "narrator" })),
  description: toParagraphs(
    common.longDescription ?? common.description?.[0] ?? common.comment?.find(({ text }) => text)?.text,
  ),
  publisher: toLine(common.publisher?.[0] ?? common.label?.[0]),
  license: toLine(common.license ?? common.copyright, MAX_TITLE),
  tags: toLines(common.genre ?? [], MAX_WORD),
  hasCover: common.picture?.some(isUsable) ?? false,
});

const isUsable = ({ format, data }: { format: string; data: Uint8Array }): boolean =>
  /^image\/(?:jpe?g|png|webp)$/.test(format) && data.length <= MAX_COVER_BYTES;
