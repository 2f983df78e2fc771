/** A system that receives events over HTTP, and checks their signatures with the library that its authors would use. */
import type { ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { expect } from "vitest";
import { startHost } from "../adapters/cloud-fetch-host.ts";
import type { startApp } from "./app.ts";
import type { Client } from "./client.ts";

export interface Received {
  id: string;
  /** Epoch seconds, as signed. */
  timestamp: number;
  signatures: string[];
  raw: string;
  body: { type: string; timestamp: string; sequence: number; data: Record<string, unknown> };
}

/** @param answer how it responds to each request; default 204 */
export async function startReceiver(
  answer: (response: ServerResponse, received: Received) => void = (response) =>
    response.writeHead(204).end(),
) {
  const received: Received[] = [];
  const host = await startHost(async (request, response) => {
    const raw = await text(request);
    const {
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": signature,
    } = request.headers;
    const event = {
      id: String(id),
      timestamp: Number(timestamp),
      signatures: String(signature).split(" "),
      raw,
      body: JSON.parse(raw),
    };
    received.push(event);
    answer(response, event);
  });
  return { ...host, received, url: `http://${host.hostAndPort}/hook` };
}

export const settingsFor = (...receivers: { hostAndPort: string }[]) => ({
  PUBLIC_BASE_URL: "https://books.example.org",
  WEBHOOK_ALLOW_HOSTS: receivers.map(({ hostAndPort }) => hostAndPort).join(),
});

export async function addWebhook(
  client: Client,
  url: string,
  more: Record<string, unknown> = {},
): Promise<{ id: string; secret: string }> {
  const given = { url, events: ["download.requested"], ...more };
  const { status, body } = await client.post("/api/admin/webhooks", given);
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

/** Fails unless one of the signatures was made with the secret. */
export function expectSigned({ id, timestamp, signatures, raw }: Received, secret: string): void {
  expect(signatures).toContain(new Webhook(secret).sign(id, new Date(timestamp * 1000), raw));
}

/** Waits until what is due has been delivered, or has failed. */
export async function deliver({
  container,
}: Pick<Awaited<ReturnType<typeof startApp>>, "container">): Promise<void> {
  container.outbox.wake();
  await container.outbox.settle();
}
