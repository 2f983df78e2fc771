/** Where the publications of a language have gaps, out of its books and active channels. */
import { turns } from "../lib/turns.ts";
import type { ChannelRow } from "../repositories/channels.repository.ts";
import type { BookInLanguageRow } from "../repositories/matrix.repository.ts";
import type { PublicationGaps } from "../schemas/publications.schemas.ts";
import type { Placements } from "./placements.ts";

/** A book that is hidden in the language is no gap, whatever it lacks. */
export async function gapsOf(
  books: readonly BookInLanguageRow[],
  channels: readonly ChannelRow[],
  placements: Placements,
): Promise<Omit<PublicationGaps, "language">> {
  const notOnAnyChannel: PublicationGaps["notOnAnyChannel"] = [];
  const withoutFile: PublicationGaps["withoutFile"] = [];
  const published = new Map<string, number>();
  let publishable = 0;
  const nextTurn = turns();
  for (const { id: bookId, slug, titleEn, hasFile, isHidden } of books) {
    await nextTurn();
    if (isHidden) continue;
    const there = channels.filter((channel) => placements.isOn(bookId, channel.id));
    if (hasFile) {
      publishable += 1;
      for (const { id } of there) published.set(id, (published.get(id) ?? 0) + 1);
      if (there.length === 0) notOnAnyChannel.push({ bookId, slug, titleEn });
    } else if (there.length > 0) {
      withoutFile.push({ bookId, slug, titleEn, channels: there.map((channel) => channel.slug) });
    }
  }
  const coverage = channels.map(({ id: channelId, name, slug }) => {
    const there = published.get(channelId) ?? 0;
    return { channelId, name, slug, published: there, publishable, percent: percentOf(there, publishable) };
  });
  return { notOnAnyChannel, withoutFile, coverage };
}

/** With one decimal, rounded down: 100 means all. */
const percentOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.floor((part * 1000) / whole) / 10;
