/** Channels: their names, addresses and order. */
import type { Clock, NewId } from "../../adapters/system.ts";
import { pickGivenFields } from "../../lib/collections.ts";
import { freeSlug } from "../../lib/slug.ts";
import type { Author } from "../../repositories/change.ts";
import type { ChannelRow, ChannelsRepository } from "../../repositories/channels.repository.ts";
import type { ChangeCatalogue } from "../../repositories/index.ts";
import type { Channel, ChannelCreation, ChannelUpdate } from "../../schemas/channels.schemas.ts";
import { findChannel, findNextPosition } from "../shared/catalogue-lookup.ts";
import { assertVersion, type ExpectedVersions } from "../shared/record-versions.ts";
import { presentChannel } from "./presenters.ts";

interface ChannelsServiceDeps {
  channels: ChannelsRepository;
  change: ChangeCatalogue;
  newId: NewId;
  clock: Clock;
}

export class ChannelsService {
  readonly #deps: ChannelsServiceDeps;

  constructor(deps: ChannelsServiceDeps) {
    this.#deps = deps;
  }

  async list(): Promise<{ channels: Channel[] }> {
    return { channels: (await this.#deps.channels.list()).map(presentChannel) };
  }

  async create(by: Author, given: ChannelCreation): Promise<Channel> {
    const id = this.#deps.newId();
    const now = this.#deps.clock.now();
    const row = await this.#deps.change(by, async ({ channels }) => {
      const isTaken = async (slug: string) => (await channels.findBySlug(slug)) !== undefined;
      const after: ChannelRow = {
        id,
        name: given.name,
        slug: await freeSlug(given.name, `channel-${id.slice(-8)}`, isTaken),
        description: given.description ?? "",
        url: given.url ?? "",
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
    const row = await this.#deps.change(by, async ({ channels }) => {
      const before = await findChannel(channels, id);
      assertVersion(expected, presentChannel(before));
      const after = await channels.update(id, {
        ...pickGivenFields(given),
        updatedAt: this.#deps.clock.now(),
      });
      return { response: after, change: { action: "update", object: channelObject(after), before, after } };
    });
    return presentChannel(row);
  }

  /** Deletes the channel with its publications. */
  async delete(by: Author, id: string, expected?: ExpectedVersions): Promise<void> {
    await this.#deps.change(by, async ({ channels }) => {
      const before = await findChannel(channels, id);
      assertVersion(expected, presentChannel(before));
      await channels.delete(id);
      return { response: undefined, change: { action: "delete", object: channelObject(before), before } };
    });
  }
}

const channelObject = ({ id, name }: ChannelRow) => ({ kind: "channel", id, name }) as const;
