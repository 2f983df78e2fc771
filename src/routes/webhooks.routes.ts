/** Webhooks and their deliveries. */
import { session } from "../http/access.ts";
import { jsonBody } from "../http/requests/body.ts";
import {
  confirmDeletion,
  created,
  json,
  ok,
  reply,
  versioned,
  withVersion,
} from "../http/responses/responses.ts";
import { defineRoute } from "../http/route.ts";
import { success } from "../schemas/atoms.ts";
import {
  deliveriesQuery,
  deliveryAccepted,
  deliveryList,
  deliveryParams,
  webhook,
  webhookCreated,
  webhookCreation,
  webhookList,
  webhookParams,
  webhookSecret,
  webhookUpdate,
  webhookUpdated,
} from "../schemas/webhooks.schemas.ts";

const access = session("manage_settings");
const ADDRESS =
  "An address with `http`, or at a host that isn't public, is 400 `webhook_address_refused`. `includeContact` requires `view_contacts`.";

export const webhooksRoutes = [
  defineRoute({
    id: "listWebhooks",
    method: "get",
    path: "/api/admin/webhooks",
    summary: "List webhooks",
    description: "Returns all webhooks, without their secrets.",
    access,
    responses: { 200: json("The webhooks", webhookList) },
    handle: async (_, { webhooks }) => ok(await webhooks.list()),
  }),
  defineRoute({
    id: "createWebhook",
    method: "post",
    path: "/api/admin/webhooks",
    summary: "Create a webhook",
    description: `Events from now on are posted to it, signed by the secret in the response (Standard Webhooks). ${ADDRESS} There can be ten.`,
    access,
    body: jsonBody(webhookCreation),
    responses: { 201: json("The webhook with its secret", webhookCreated) },
    problems: [409],
    handle: async ({ actor, body }, { webhooks }) =>
      created("/api/admin/webhooks", await webhooks.create(actor, body)),
  }),
  defineRoute({
    id: "getWebhook",
    method: "get",
    path: "/api/admin/webhooks/{webhookId}",
    summary: "Get a webhook",
    description: "Returns the webhook, without its secret.",
    access,
    params: webhookParams,
    responses: { 200: versioned("The webhook", webhook) },
    handle: async ({ params }, { webhooks }) => {
      const found = await webhooks.get(params.webhookId);
      return withVersion(ok(found), found);
    },
  }),
  defineRoute({
    id: "updateWebhook",
    patchId: "patchWebhook",
    method: "put",
    path: "/api/admin/webhooks/{webhookId}",
    summary: "Update a webhook",
    description: `Changes only the fields in the request. \`isActive: 1\` also continues what has waited since it was disabled. ${ADDRESS}`,
    access,
    params: webhookParams,
    body: jsonBody(webhookUpdate),
    takesIfMatch: true,
    responses: { 200: versioned("The updated webhook", webhookUpdated) },
    handle: async ({ params, actor, body, expected }, { webhooks }) => {
      const updated = await webhooks.update(actor, params.webhookId, body, expected);
      return withVersion(ok({ success: true, webhook: updated }), updated);
    },
  }),
  defineRoute({
    id: "deleteWebhook",
    method: "delete",
    path: "/api/admin/webhooks/{webhookId}",
    summary: "Delete a webhook",
    description: "Also deletes its deliveries. What waits isn't sent.",
    access,
    params: webhookParams,
    takesIfMatch: true,
    responses: { 200: json("Deleted", success) },
    handle: ({ params, actor, expected }, { webhooks }) =>
      confirmDeletion(webhooks.delete(actor.author, params.webhookId, expected)),
  }),
  defineRoute({
    id: "rotateWebhookSecret",
    method: "post",
    path: "/api/admin/webhooks/{webhookId}/rotate-secret",
    summary: "Renew the secret of a webhook",
    description:
      "For 24 hours, requests have the signatures of both secrets. Also needed once after `AUTH_SECRET` has changed.",
    access,
    params: webhookParams,
    responses: { 200: json("The new secret", webhookSecret) },
    handle: async ({ params, actor }, { webhooks }) =>
      ok(await webhooks.rotateSecret(actor.author, params.webhookId)),
  }),
  defineRoute({
    id: "testWebhook",
    method: "post",
    path: "/api/admin/webhooks/{webhookId}/test",
    summary: "Send a test event",
    description: "Sends the event `webhook.test`, whose delivery is listed with the others.",
    access,
    params: webhookParams,
    responses: { 202: json("The delivery", deliveryAccepted) },
    handle: async ({ params }, { webhooks }) => reply(202, await webhooks.test(params.webhookId)),
  }),
  defineRoute({
    id: "listWebhookDeliveries",
    method: "get",
    path: "/api/admin/webhooks/{webhookId}/deliveries",
    summary: "List the deliveries of a webhook",
    description: "Returns a page of deliveries, newest first, without their contents.",
    access,
    params: webhookParams,
    query: deliveriesQuery,
    responses: { 200: json("A page of deliveries", deliveryList) },
    handle: async ({ params, query }, { webhooks }) =>
      ok(await webhooks.listDeliveries(params.webhookId, query)),
  }),
  defineRoute({
    id: "resendWebhookDelivery",
    method: "post",
    path: "/api/admin/webhooks/{webhookId}/deliveries/{deliveryId}/resend",
    summary: "Send a delivery again",
    description:
      "Sends an ended delivery once more, with the same `webhook-id`. One that still waits is 409 `delivery_waiting`; one about a contact that was erased since is 409 `contact_erased`.",
    access,
    params: deliveryParams,
    responses: { 202: json("The delivery", deliveryAccepted) },
    problems: [409],
    handle: async ({ params }, { webhooks }) =>
      reply(202, await webhooks.resend(params.webhookId, params.deliveryId)),
  }),
];
