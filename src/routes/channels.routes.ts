/** Channels. */
import { session } from "../http/access.ts";
import { created, json, ok } from "../http/answers.ts";
import { jsonBody } from "../http/body.ts";
import { defineRoute, type Route } from "../http/define-route.ts";
import { success } from "../schemas/atoms.ts";
import {
  channel,
  channelCreation,
  channelList,
  channelParams,
  channelUpdate,
  channelUpdated,
} from "../schemas/channels.schemas.ts";

const tag = "Channels";

export const channelsRoutes: readonly Route[] = [
  defineRoute({
    id: "listChannels",
    method: "get",
    path: "/api/admin/channels",
    tag,
    summary: "List channels",
    description: "Returns active and inactive channels, ordered by `sortOrder`.",
    access: session("view_channels"),
    answers: { 200: json("The channels", channelList) },
    handle: async (_, { channels }) => ok(await channels.list()),
  }),
  defineRoute({
    id: "createChannel",
    method: "post",
    path: "/api/admin/channels",
    tag,
    summary: "Create a channel",
    description:
      "Derives the slug from the name, numbered if another channel has it. The slug never changes: the public book list names the channel by it. New channels go last.",
    access: session("edit_channels"),
    body: jsonBody(channelCreation),
    answers: { 201: json("The channel", channel) },
    handle: async ({ body, actor }, { channels }) => {
      const added = await channels.create(actor.author, body);
      return created(`/api/admin/channels/${added.id}`, added);
    },
  }),
  defineRoute({
    id: "updateChannel",
    method: "put",
    path: "/api/admin/channels/{channelId}",
    tag,
    summary: "Update a channel",
    description:
      "Changes only the fields in the request. Public lists don't know an inactive channel; its publications stay.",
    access: session("edit_channels"),
    params: channelParams,
    body: jsonBody(channelUpdate),
    answers: { 200: json("The updated channel", channelUpdated) },
    problems: [404],
    handle: async ({ params, body, actor }, { channels }) =>
      ok({ success: true, channel: await channels.update(actor.author, params.channelId, body) }),
  }),
  defineRoute({
    id: "deleteChannel",
    method: "delete",
    path: "/api/admin/channels/{channelId}",
    tag,
    summary: "Delete a channel",
    description: "Also deletes its publications in all languages. The books themselves stay.",
    access: session("edit_channels"),
    params: channelParams,
    answers: { 200: json("Deleted", success) },
    problems: [404],
    handle: async ({ params, actor }, { channels }) => {
      await channels.delete(actor.author, params.channelId);
      return ok({ success: true });
    },
  }),
];
