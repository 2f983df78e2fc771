/** What the page of webhooks reads and changes. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, complete, ifMatch, receive, type Schemas } from "../api/client.ts";
import { listAll } from "../api/list-all.ts";
import { PAGE_SIZE } from "../api/list-request.ts";
import type { operations } from "../api/schema.d.ts";
import { useChange } from "../api/use-change.ts";

export type Webhook = Schemas["Webhook"];
export type Delivery = Schemas["WebhookDelivery"];
type WebhookEvent = Schemas["WebhookCreation"]["events"][number];
type DeliveryState = NonNullable<
  NonNullable<operations["listWebhookDeliveries"]["parameters"]["query"]>["state"]
>;

/** The names of the events in the texts: a dot would be a level of them. */
export const EVENTS = {
  "download.requested": "downloadRequested",
  "download.redeemed": "downloadRedeemed",
  "contact.created": "contactCreated",
  "contact.confirmed": "contactConfirmed",
  "contact.consent_changed": "contactConsentChanged",
  "contact.erased": "contactErased",
  "book.changed": "bookChanged",
  "catalogue.changed": "catalogueChanged",
  "webhook.test": "webhookTest",
} as const satisfies Record<WebhookEvent, string>;

export const isEvent = (name: string): name is WebhookEvent => Object.hasOwn(EVENTS, name);

export const DELIVERY_STATES = listAll<DeliveryState>()("waiting", "delivered", "failed", "dropped");

/** While something waits, which leaves within seconds as a rule. */
const AGAIN_MS = 3000;

export const webhooksQuery = queryOptions({
  queryKey: ["webhooks"],
  queryFn: () => receive(api.GET("/api/admin/webhooks")),
  refetchInterval: ({ state: { data } }) =>
    data?.webhooks.some(({ waiting }) => waiting > 0) ? AGAIN_MS : false,
});

const pathOf = (webhookId: string) => ({ path: { webhookId } });

export const deliveriesQuery = (webhookId: string, state: DeliveryState | undefined, page: number) =>
  queryOptions({
    queryKey: ["webhooks", webhookId, "deliveries", state, page],
    queryFn: () =>
      receive(
        api.GET("/api/admin/webhooks/{webhookId}/deliveries", {
          params: { ...pathOf(webhookId), query: { ...(state && { state }), page, limit: PAGE_SIZE } },
        }),
      ),
    refetchInterval: ({ state: { data } }) =>
      data?.deliveries.some((each) => each.state === "waiting") ? AGAIN_MS : false,
    placeholderData: keepPreviousData,
  });

export const useWebhookChange = <Input, Result>(change: (input: Input) => Promise<Result>) =>
  useChange(change, "webhooks");

export const createWebhook = (body: Schemas["WebhookCreation"]) =>
  receive(api.POST("/api/admin/webhooks", { body }));

/** @param version the only one that is changed */
export const updateWebhook = (id: string, body: Schemas["WebhookUpdate"], version: string | undefined) =>
  receive(
    api.PATCH("/api/admin/webhooks/{webhookId}", {
      params: { ...pathOf(id), header: ifMatch(version) },
      body,
    }),
  );

export const deleteWebhook = (id: string) =>
  complete(api.DELETE("/api/admin/webhooks/{webhookId}", { params: pathOf(id) }));

export const rotateSecret = (id: string) =>
  receive(api.POST("/api/admin/webhooks/{webhookId}/rotate-secret", { params: pathOf(id) }));

export const testWebhook = (id: string) =>
  receive(api.POST("/api/admin/webhooks/{webhookId}/test", { params: pathOf(id) }));

export const resendDelivery = ({ webhookId, deliveryId }: { webhookId: string; deliveryId: string }) =>
  receive(
    api.POST("/api/admin/webhooks/{webhookId}/deliveries/{deliveryId}/resend", {
      params: { path: { webhookId, deliveryId } },
    }),
  );
