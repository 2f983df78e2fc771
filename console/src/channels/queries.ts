/** What the page of channels reads and changes. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, ifMatch, receive, type Schemas } from "../api/client.ts";

export const channelsQuery = queryOptions({
  queryKey: ["channels"],
  queryFn: () => receive(api.GET("/api/admin/channels")),
});

export function useChannelChange<Input, Result>(change: (input: Input) => Promise<Result>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: ["channels"] }),
  });
}

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
