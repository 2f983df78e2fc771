/** Channels: their names, addresses and order. */
import { conflict } from "../../errors.ts";
import { pickGivenFields } from "../../lib/collections.ts";
import { freeSlug } from "../../lib/slug.ts";
import type { Author } from "../../repositories/change.ts";
import type { ChannelRow, ChannelsRepository } from "../../repositories/channels.repository.ts";
import type {
  Channel,
  ChannelCreation,
  ChannelUpdate,
  ListedChannel,
} from "../../schemas/channels.schemas.ts";
import { CatalogueCache } from "../shared/catalogue-cache.ts";
import { findChannel, findNextPosition } from "../shared/catalogue-lookup.ts";
import type { CatalogueVersions } from "../shared/catalogue-versions.ts";
import { assertVersion, type ExpectedVersions } from "../shared/record-versions.ts";
import { type CatalogueDeps, Service } from "../shared/service.ts";
import { presentChannel } from "./presenters.ts";

interface ChannelsServiceDeps extends Pick<CatalogueDeps, "report" | "change" | "newId" | "clock"> {
  channels: ChannelsRepository;
  versions: Pick<CatalogueVersions, "readCurrent">;
}

export class ChannelsService extends Service<ChannelsServiceDeps> {
  /** The number of published books by channel: all publications are read for it. */
  readonly #counts = new CatalogueCache<Map<string, number>>({ maxSize: 1, sizeCalculation: () => 1 });

  async list(): Promise<{ channels: ListedChannel[] }> {
    const { channels, versions, report } = this.deps;
    const state = await versions.readCurrent();
    const counts = await this.#counts.getOrCompose(state, "", async () => {
      const rows = await report.matrix.countPublishedBooks(state.at);
      return new Map(rows.map(({ channelId, publishedBooks }) => [channelId, publishedBooks]));
    });
    const rows = await channels.list();
    return {
      channels: rows.map((row) => ({ ...presentChannel(row), publishedBooks: counts.get(row.id) ?? 0 })),
    };
  }

  async create(by: Author, given: ChannelCreation): Promise<Channel> {
    const id = this.deps.newId();
    const now = this.deps.clock.now();
    const row = await this.deps.change(by, async ({ channels }) => {
      const isTaken = async (slug: string) => (await channels.findBySlug(slug)) !== undefined;
      const after: ChannelRow = {
        id,
        name: given.name,
        slug: await freeSlug(given.name, { noun: "channel", fallback: `channel-${id.slice(-8)}` }, isTaken),
        description: given.description ?? "",
        url: given.url ?? "",
        utmSource: given.utmSource ?? null,
        utmMedium: given.utmMedium ?? null,
        utmCampaign: given.utmCampaign ?? null,
        bookUrl: given.bookUrl ?? null,
        sortOrder: given.sortOrder ?? (await findNextPosition(channels)),
        isActive: given.isActive ?? 1,
        createdAt: now,
        updatedAt: now,
      };
      await channels.insert(after);
      return { response: after, change: { action: "create", object: channelObject(after), after } };
    });
    return presentChannel(row);
  }

  /** The slug doesn't change, because URLs of the public list contain it. */
  async update(by: Author, id: string, given: ChannelUpdate, expected?: ExpectedVersions): Promise<Channel> {
    const row = await this.deps.change(by, async ({ channels }) => {
      const before = await findChannel(channels, id);
      assertVersion(expected, presentChannel(before));
      const after = await channels.update(id, {
        ...pickGivenFields(given),
        updatedAt: this.deps.clock.now(),
      });
      return { response: after, change: { action: "update", object: channelObject(after), before, after } };
    });
    return presentChannel(row);
  }

  /** Deletes the channel with its publications. @throws AppError 409 for the one that the library shows */
  async delete(by: Author, id: string, expected?: ExpectedVersions): Promise<void> {
    await this.deps.change(by, async ({ channels, library }) => {
      const before = await findChannel(channels, id);
      assertVersion(expected, presentChannel(before));
      if (await library.isChannelShown(id))
        throw conflict("channel_in_use", "The library shows this channel. Choose another one for it first.");
      await channels.delete(id);
      return { response: undefined, change: { action: "delete", object: channelObject(before), before } };
    });
  }
}

const channelObject = ({ id, name }: ChannelRow) => ({ kind: "channel", id, name }) as const;
