/** Channels: the places where books are distributed, such as a site, an app or a newsletter. */
import { z } from "zod";
import {
  flag,
  flagField,
  int32,
  multilineText,
  optional,
  recordId,
  success,
  text,
  timestamp,
  uuid,
  webAddress,
} from "./atoms.ts";
import { withCode } from "./error-codes.ts";

/** An address on the web, or none. */
const url = text({ max: 2048 }).refine((given) => given === "" || webAddress.safeParse(given).success, {
  error: "must be an address on the web (http or https), or empty",
  params: withCode("invalid_format"),
});

const name = text({ min: 1, max: 200 });

export const channelCreation = z
  .strictObject({
    name: name.describe("Name that administrators see. The slug is derived from it."),
    description: optional(multilineText({ max: 2000 })).describe(
      "Notes for administrators; may have several lines.",
    ),
    url: optional(url).describe("Address of the channel on the web, or empty."),
    sortOrder: optional(int32).describe("Position in lists; lower numbers come first. New channels go last."),
    isActive: optional(flagField).describe(
      "1 for an active channel, 0 for one that public lists don't know.",
    ),
  })
  .meta({
    id: "ChannelCreation",
    description: "A channel to create.",
    examples: [{ name: "Children's site", url: "https://kids.example.org" }],
  });

export const channelUpdate = channelCreation
  .extend({ name: optional(name).describe("Name that administrators see. The slug doesn't follow it.") })
  .meta({
    id: "ChannelUpdate",
    description: "Fields of a channel to change; fields that are left out stay as they are.",
    examples: [{ description: "For readers up to twelve.", sortOrder: 2 }],
  });

export type ChannelCreation = z.output<typeof channelCreation>;
export type ChannelUpdate = z.output<typeof channelUpdate>;

export const channelParams = z.object({ channelId: recordId.describe("Identifier of the channel.") });

export const channel = z
  .object({
    id: uuid.describe("Identifier of the channel."),
    name: z.string().describe("Name that administrators see."),
    slug: z.string().describe("Short name in addresses, derived from the first name; it never changes."),
    description: z.string().describe("Notes for administrators."),
    url: z.string().describe("Address of the channel on the web; empty when it has none."),
    sortOrder: z.int().describe("Position in lists; lower numbers come first."),
    isActive: flag.describe("1 for an active channel, 0 for one that public lists don't know."),
    createdAt: timestamp.describe("When the channel was created."),
    updatedAt: timestamp.describe("When the channel was last changed."),
  })
  .meta({
    id: "Channel",
    description: "A distribution channel, such as a website or a newsletter.",
    examples: [
      {
        id: "01a1fb60-1a34-772b-a309-dba157e20a90",
        name: "Children's site",
        slug: "childrens-site",
        description: "For readers up to twelve.",
        url: "https://kids.example.org",
        sortOrder: 1,
        isActive: 1,
        createdAt: "2026-03-01T12:00:00.000Z",
        updatedAt: "2026-03-01T12:00:00.000Z",
      },
    ],
  });
export type Channel = z.infer<typeof channel>;

export const channelList = z.object({
  channels: z.array(channel).describe("Active and inactive channels, ordered by `sortOrder`."),
});
export const channelUpdated = success.extend({ channel });
