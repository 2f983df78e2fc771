/** Channels: the places where books are distributed, such as a site, an app or a newsletter. */
import { z } from "zod";
import {
  flag,
  flagField,
  identifier,
  int32,
  multilineText,
  optional,
  success,
  text,
  timestamp,
  webAddress,
} from "./atoms.ts";

/** An address on the web, or none. */
const url = text({ max: 2048 }).refine((given) => given === "" || webAddress.safeParse(given).success, {
  error: "must be an address on the web (http or https), or empty",
});

const name = text({ min: 1, max: 200 });

export const channelCreation = z
  .strictObject({
    name,
    description: optional(multilineText({ max: 2000 })),
    url: optional(url),
    sortOrder: optional(int32),
    isActive: optional(flagField),
  })
  .meta({
    id: "ChannelCreation",
    examples: [{ name: "Children's site", url: "https://kids.example.org" }],
  });

export const channelUpdate = channelCreation.extend({ name: optional(name) }).meta({
  id: "ChannelUpdate",
  examples: [{ description: "For readers up to twelve.", sortOrder: 2 }],
});

export type ChannelCreation = z.output<typeof channelCreation>;
export type ChannelUpdate = z.output<typeof channelUpdate>;

export const channelParams = z.object({ channelId: identifier });

export const channel = z
  .object({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
    description: z.string(),
    url: z.string(),
    sortOrder: z.int(),
    isActive: flag,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: "Channel",
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

export const channelList = z.object({ channels: z.array(channel) });
export const channelUpdated = success.extend({ channel });
