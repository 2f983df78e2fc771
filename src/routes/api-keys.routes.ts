/** API keys. */
import { session } from "../http/access.ts";
import { jsonBody } from "../http/requests/body.ts";
import { created, json, ok } from "../http/responses/responses.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { apiKeyCreated, apiKeyCreation, apiKeyList, apiKeyParams } from "../schemas/api-keys.schemas.ts";
import { success } from "../schemas/atoms.ts";

const tag = "API Keys";

export const apiKeysRoutes: readonly Route[] = [
  defineRoute({
    id: "listApiKeys",
    method: "get",
    path: "/api/admin/api-keys",
    tag,
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
    tag,
    summary: "Create an API key",
    description: "The response contains the plaintext key. Store it now: it can't be retrieved again.",
    access: session("manage_api_keys"),
    body: jsonBody(apiKeyCreation),
    responses: { 201: json("The key", apiKeyCreated) },
    handle: async ({ actor, body }, { apiKeys }) => {
      const apiKey = await apiKeys.create(actor, body);
      return created(`/api/admin/api-keys/${apiKey.id}`, apiKey);
    },
  }),
  defineRoute({
    id: "revokeApiKey",
    method: "delete",
    path: "/api/admin/api-keys/{keyId}",
    tag,
    summary: "Revoke an API key",
    description: "The key stops working immediately. Revoking a revoked key returns 404.",
    access: session("manage_api_keys"),
    params: apiKeyParams,
    responses: { 200: json("Revoked", success) },
    handle: async ({ params, actor }, { apiKeys }) => {
      await apiKeys.revoke(actor.author, params.keyId);
      return ok({ success: true });
    },
  }),
];
