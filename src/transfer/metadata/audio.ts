/** The metadata of audio books, from their tags (ID3, MPEG-4), by music-metadata. */
import type { ICommonTagsResult } from "music-metadata";
import { MAX_COVER_BYTES } from "../../schemas/covers.schemas.ts";
import type { LocalFile } from "../local-files.ts";
import { codeOf, lineOf, linesOf, MAX_TITLE, MAX_WORD, type Metadata, paragraphsOf } from "./metadata.ts";

/** @throws Error with a sentence if the file is damaged */
export async function audioMetadata({ path }: LocalFile): Promise<Metadata> {
  const { parseFile } = await import("music-metadata");
  const { common } = await parseFile(path, { skipPostHeaders: true });
  const hasCover = common.picture?.some(isUsable) ?? false;
  return { ...metadataOf(common), cover: hasCover ? () => readCover(path) : undefined };
}

/** In an audio book of one file, the album is the book; its tracks are named after chapters. */
const metadataOf = (common: ICommonTagsResult): Metadata => ({
  title: lineOf(common.album ?? common.title, MAX_TITLE),
  languageCode: codeOf(common.language),
  authors: linesOf(common.albumartists ?? [common.albumartist ?? common.artist]),
  contributors: linesOf(common.composer ?? []).map((name) => ({ name, role: "narrator" })),
  description: paragraphsOf(
    common.longDescription ?? common.description?.[0] ?? common.comment?.find(({ text }) => text)?.text,
  ),
  publisher: lineOf(common.publisher?.[0] ?? common.label?.[0]),
  license: lineOf(common.license ?? common.copyright, MAX_TITLE),
  tags: linesOf(common.genre ?? [], MAX_WORD),
});

const isUsable = ({ format, data }: { format: string; data: Uint8Array }): boolean =>
  /^image\/(?:jpe?g|png|webp)$/.test(format) && data.length <= MAX_COVER_BYTES;

async function readCover(path: string): Promise<Buffer> {
  const { parseFile } = await import("music-metadata");
  const { common } = await parseFile(path, { skipPostHeaders: true });
  const cover = common.picture?.find(isUsable);
  if (!cover) throw new Error("It has no cover any more.");
  return Buffer.from(cover.data);
}
