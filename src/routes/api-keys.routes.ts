/** API keys. */
import { session } from "../http/access.ts";
import { jsonBody } from "../http/requests/body.ts";
import { confirmDeletion, created, json, ok } from "../http/responses/responses.ts";
import { defineRoute } from "../http/route.ts";
import { apiKeyCreated, apiKeyCreation, apiKeyList, apiKeyParams } from "../schemas/api-keys.schemas.ts";
import { success } from "../schemas/atoms.ts";

export const apiKeysRoutes = [
  defineRoute({
    id: "listApiKeys",
    method: "get",
    path: "/api/admin/api-keys",
    summary: "List API keys",
    description:
      "Returns all keys that aren't revoked, including expired ones. The key itself is shown only at creation; identify a key by its `keyPrefix`.",
    access: session("manage_api_keys"),
    responses: { 200: json("The keys, without the secret part", apiKeyList) },
    handle: async (_, { apiKeys }) => ok(await apiKeys.list()),
  }),
  defineRoute({
    id: "createApiKey",
    method: "post",
    path: "/api/admin/api-keys",
    summary: "Create an API key",
    description: "The response contains the plaintext key. Store it now: it can't be retrieved again.",
    access: session("manage_api_keys"),
    body: jsonBody(apiKeyCreation),
    responses: { 201: json("The key", apiKeyCreated) },
    handle: async ({ actor, body }, { apiKeys }) =>
      created("/api/admin/api-keys", await apiKeys.create(actor, body)),
  }),
  defineRoute({
    id: "revokeApiKey",
    method: "delete",
    path: "/api/admin/api-keys/{keyId}",
    summary: "Revoke an API key",
    description: "The key stops working immediately. Revoking a revoked key returns 404.",
    access: session("manage_api_keys"),
    params: apiKeyParams,
    responses: { 200: json("Revoked", success) },
    handle: ({ params, actor }, { apiKeys }) => confirmDeletion(apiKeys.revoke(actor.author, params.keyId)),
  }),
];
