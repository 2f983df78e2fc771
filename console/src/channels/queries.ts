/** What the page of channels reads and changes. */
import { queryOptions } from "@tanstack/react-query";
import { api, ifMatch, receive, type Schemas } from "../api/client.ts";
import { useChange } from "../api/use-change.ts";

export const channelsQuery = queryOptions({
  queryKey: ["channels"],
  queryFn: () => receive(api.GET("/api/admin/channels")),
});

export const useChannelChange = <Input, Result>(change: (input: Input) => Promise<Result>) =>
  useChange(change, "channels");

export const createChannel = (body: Schemas["ChannelCreation"]) =>
  receive(api.POST("/api/admin/channels", { body }));

/** @param version the only one that is changed */
export const updateChannel = (
  channelId: string,
  body: Schemas["ChannelUpdate"],
  version: string | undefined,
) =>
  receive(
    api.PATCH("/api/admin/channels/{channelId}", {
      params: { path: { channelId }, header: ifMatch(version) },
      body,
    }),
  );

export const deleteChannel = (channelId: string) =>
  receive(api.DELETE("/api/admin/channels/{channelId}", { params: { path: { channelId } } }));
