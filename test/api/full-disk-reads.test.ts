/** On a full disk those who are logged in or have a key still read. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { startApp, type TestApp } from "../support/app.ts";
import type { Client } from "../support/client.ts";
import { cookieOf } from "../support/factory.ts";
import { mountSmallDisk, type SmallDisk } from "../support/small-disk.ts";
import { isOnPostgres } from "../support/test-database.ts";

const DAY = 86_400_000;

const dropped = ({ logged }: TestApp) =>
  logged.filter(({ msg }) => String(msg).startsWith("can't record the last use of sessions and keys"));

/** What is left of the write-ahead log is filled, too. */
async function fill(disk: SmallDisk, admin: Client): Promise<void> {
  disk.fill();
  const description = "x".repeat(9000);
  for (let book = 0; book < 400; book++) {
    const { status } = await admin.post("/api/admin/books", { titleEn: `Book ${book}`, description });
    if (status === 507) return;
  }
  throw new Error("The disk isn't full");
}

it("a session due for renewal and a key that wasn't used for long can read on a full disk; the writes are made later", async ({
  skip,
}) => {
  if (isOnPostgres()) return skip("the database is not on the disk of the data folder");
  const disk = mountSmallDisk("16m");
  if (!disk) return skip("only root may mount a small disk");
  const app = await startApp({}, { dataDir: join(disk.path, "data") });
  const { cookie, client } = await createAccount(app, "admin");
  const key = await app.make.apiKey();
  await fill(disk, client);
  const begun = app.clock.now();
  app.clock.advance(2 * DAY);
  for (let round = 0; round < 3; round++) {
    for (const reader of [client, key]) {
      expect((await reader.get("/api/admin/books")).status).toBe(200);
    }
    const session = await client.get("/api/auth/session");
    expect(session.status).toBe(200);
    expect(session.get("Set-Cookie")).toBeUndefined();
    expect(session.body.expiresAt).toBe(new Date(begun + 7 * DAY).toISOString());
  }
  expect(dropped(app).length).toBe(1);
  expect(
    (await client.post("/api/admin/books", { titleEn: "One more", description: "x".repeat(9000) })).status,
  ).toBe(507);
  disk.empty();
  const renewed = await client.get("/api/auth/session");
  expect(renewed.body.expiresAt).toBe(new Date(app.clock.now() + 7 * DAY).toISOString());
  expect(cookieOf(renewed)).not.toBe(cookie);
  const { apiKeys } = (await client.get("/api/admin/api-keys")).body;
  expect((await key.get("/api/admin/books")).status).toBe(200);
  expect((await client.get("/api/admin/api-keys")).body.apiKeys).not.toEqual(apiKeys);
});
