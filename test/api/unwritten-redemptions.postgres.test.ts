/** A PostgreSQL server that takes no changes, or doesn't respond, while files are delivered. */
import { expect, it } from "vitest";
import type { TestApp } from "../support/app.ts";
import { eventually } from "../support/eventually.ts";
import { type ProxiedApp, startProxiedApp } from "../support/proxied-app.ts";
import { findOnlyEvent, linkTo } from "../support/reader.ts";

/** A published book, and a link to it. */
async function publish(app: TestApp): Promise<string> {
  await app.make.published("The Well", "en", "content");
  return linkTo(app.api, { slug: "the-well", languageCode: "en" });
}

const OUTAGES: [name: string, begin: (app: ProxiedApp) => void][] = [
  ["is cut off", ({ proxy }) => proxy.halfOpen()],
  ["doesn't respond", ({ proxy }) => proxy.swallow()],
];

it.each(OUTAGES)("what is delivered while the server %s is recorded when it is back", async (_, begin) => {
  const app = await startProxiedApp();
  const link = await publish(app);
  const { services, unwritten } = app.container;
  const reader = { address: "127.0.0.1", userAgent: "curl/8", referrer: "", isPrefetch: false };
  const { delivery } = await services.deliveries.open(link.replace("/api/download/", ""), reader);
  if (delivery.kind !== "file") throw new Error("It isn't a file");
  await delivery.handle.close();
  // The file is open, and its first byte is about to be sent.
  begin(app);
  await delivery.redeem();
  expect(await unwritten.readState()).toMatchObject({ waiting: 1 });
  app.proxy.forward();
  await eventually(async () => {
    await unwritten.writeAll();
    expect((await findOnlyEvent(app)).redeemedAt).toBe(app.clock.now());
  });
  expect(await unwritten.readState()).toMatchObject({ waiting: 0 });
});
