/** What the page of API keys reads and changes. */
import { queryOptions } from "@tanstack/react-query";
import { api, receive, type Schemas } from "../api/client.ts";
import { listAll } from "../api/list-all.ts";
import { useChange } from "../api/use-change.ts";

export const SCOPES = listAll<Schemas["ApiKeyScope"]>()("view_books", "edit_books", "submit_downloads");

export const isScope = (scope: string): scope is Schemas["ApiKeyScope"] =>
  SCOPES.some((known) => known === scope);

export const apiKeysQuery = queryOptions({
  queryKey: ["api-keys"],
  queryFn: () => receive(api.GET("/api/admin/api-keys")),
});

export const useKeyChange = <Input, Result>(change: (input: Input) => Promise<Result>) =>
  useChange(change, "api-keys");

export const createKey = (body: Schemas["ApiKeyCreation"]) =>
  receive(api.POST("/api/admin/api-keys", { body }));

export const revokeKey = (keyId: string) =>
  receive(api.DELETE("/api/admin/api-keys/{keyId}", { params: { path: { keyId } } }));
