/** Maps channels and publications to API objects. */

import { mapInTurns } from "../../lib/event-loop.ts";
import type {
  ChannelRow,
  GridBookRow,
  MatrixBookRow,
  MatrixRepository,
} from "../../repositories/channels.repository.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import type { LanguageScope } from "../../repositories/publication-rules.ts";
import { type Channel, channel, type PublicationMatrix } from "../../schemas/channels.schemas.ts";
import type { PublicationGrid } from "../../schemas/publication-grid.schemas.ts";
import { versionOf } from "../shared/record-versions.ts";
import { timesOf } from "../shared/stored-values.ts";

export const presentChannel = (row: ChannelRow): Channel =>
  channel.encode({
    ...row,
    ...timesOf(row),
    version: versionOf(
      row.name,
      row.description,
      row.url,
      row.isActive,
      row.utmSource,
      row.utmMedium,
      row.utmCampaign,
      row.bookUrl,
    ),
  });

export const presentMatrixChannel = ({ id, name, slug }: ChannelRow) => ({ id, name, slug });

/** Only a sub-language inherits publications, so the inherited state is presented only for it. */
export const presentMatrixBook = (
  { id, titleEn, sortOrder }: MatrixBookRow,
  channels: readonly ChannelRow[],
  { placements, language }: { placements: Placements; language: LanguageRow },
): PublicationMatrix["books"][number] => ({
  id,
  titleEn,
  sortOrder,
  publications: Object.fromEntries(channels.map((channel) => [channel.id, placements.isOn(id, channel.id)])),
  ...(language.parentId !== null && {
    inherited: channels
      .filter((channel) => placements.isInherited(id, channel.id))
      .map((channel) => channel.id),
  }),
});

interface GridLanguage extends Pick<LanguageRow, "code" | "parentId"> {
  parentCode: string | undefined;
}

/** A row of the grid. @param places the place of each channel in the order of the channels, by its id */
export function presentGridBook(
  { id, titleEn, title, parentTitle, hasFile, channelIds, parentChannelIds }: GridBookRow,
  places: ReadonlyMap<string, number>,
  { code, parentId, parentCode }: GridLanguage,
): PublicationGrid["books"][number] {
  const inherited = Buffer.alloc(places.size, OFF);
  setFlags(inherited, parentChannelIds, places);
  const own = Buffer.alloc(places.size, OFF);
  setFlags(own, channelIds, places);
  // Of the characters 0 and 1, the bits of either give the character.
  const published = own.map((flag, place) => flag | (inherited[place] ?? OFF));
  return {
    bookId: id,
    titleEn,
    ...(title !== null && { title, titleLanguageCode: code }),
    ...(title === null &&
      parentTitle !== null &&
      parentCode !== undefined && { title: parentTitle, titleLanguageCode: parentCode }),
    published: Buffer.from(published).toString("latin1"),
    ...(parentId !== null && { inherited: inherited.toString("latin1"), own: own.toString("latin1") }),
    available: hasFile ? 1 : 0,
  };
}

/** The characters 0 and 1. */
const [OFF, ON] = [0x30, 0x31];

function setFlags(flags: Buffer, channelIds: string | null, places: ReadonlyMap<string, number>): void {
  if (channelIds === null) return;
  // Without a list of the ids: a page has a quarter of a million.
  for (let start = 0, end = 0; start < channelIds.length; start = end + 1) {
    const space = channelIds.indexOf(" ", start);
    end = space === -1 ? channelIds.length : space;
    const place = places.get(channelIds.slice(start, end));
    // A channel that was created since the channels were read has none.
    if (place !== undefined) flags[place] = ON;
  }
}

/** The channels of each book in a language, by its own publications or by inherited ones. */
export interface Placements {
  /** Whether the book is on the channel, by its own or an inherited publication. */
  isOn(bookId: string, channelId: string): boolean;
  /** Whether the publication is inherited from the parent language, where alone it can be removed. */
  isInherited(bookId: string, channelId: string): boolean;
}

export async function readPlacements(
  matrix: MatrixRepository,
  { id, parentId }: LanguageScope,
): Promise<Placements> {
  const readBooksByChannel = async (
    languageId: number,
  ): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
    const published = await matrix.listPublishedBooks(languageId);
    return new Map(
      await mapInTurns(published, ({ channelId, bookIds }) => [channelId, new Set(bookIds.split(" "))]),
    );
  };
  const own = await readBooksByChannel(id);
  const inherited = parentId === null ? undefined : await readBooksByChannel(parentId);
  const isInherited = (bookId: string, channelId: string) => inherited?.get(channelId)?.has(bookId) ?? false;
  return {
    isOn: (bookId, channelId) => own.get(channelId)?.has(bookId) || isInherited(bookId, channelId),
    isInherited,
  };
}
