/** DATABASE_REPORT_URL: what is read from the replica. */
import { expect, inject, it, onTestFinished } from "vitest";
import { TcpProxy } from "../../tools/lib/tcp-proxy.ts";
import { startApp } from "../support/app.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { addDatabase, createDatabaseSettings } from "../support/test-database.ts";

it("a first report reads all events from the replica", async () => {
  const proxy = await TcpProxy.start(inject("postgres")?.url ?? "");
  onTestFinished(() => proxy.close());
  const dataDir = createTempFolder();
  addDatabase(dataDir);
  const { DATABASE_URL = "" } = await createDatabaseSettings(dataDir);
  const app = await startApp({ DATABASE_REPORT_URL: proxy.createUrl(DATABASE_URL) }, { dataDir });
  expect(proxy.connections).toBe(0);
  const admin = await app.admin();
  expect((await admin.get("/api/admin/analytics/by-country")).status).toBe(200);
  expect(proxy.connections).toBe(1);
});
