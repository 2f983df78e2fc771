/** What leaves the service about channels and what is published on them, field by field. */
import { isoTime } from "../lib/time.ts";
import type { ChannelRow } from "../repositories/channels.repository.ts";
import type { LanguageRow } from "../repositories/languages.repository.ts";
import type { MatrixBookRow } from "../repositories/matrix.repository.ts";
import type { Channel } from "../schemas/channels.schemas.ts";
import type { PublicationMatrix } from "../schemas/publications.schemas.ts";
import type { Placements } from "./placements.ts";

export const presentChannel = (row: ChannelRow): Channel => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  description: row.description,
  url: row.url,
  sortOrder: row.sortOrder,
  isActive: row.isActive,
  createdAt: isoTime(row.createdAt),
  updatedAt: isoTime(row.updatedAt),
});

export const presentMatrixChannel = ({ id, name, slug }: ChannelRow) => ({ id, name, slug });

/** Only a sub-language inherits, so only there it is said what. */
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
