/** An application whose connections to PostgreSQL pass through a proxy that can break them. */
import { inject, onTestFinished } from "vitest";
import { TcpProxy } from "../../tools/lib/tcp-proxy.ts";
import { startApp, type TestApp } from "./app.ts";
import { createTempFolder } from "./temp-folder.ts";
import { addDatabase, createDatabaseSettings } from "./test-database.ts";

/** Statements may take a second on the server, and so three on the side of the service. */
const SHORT = { DATABASE_CONNECT_TIMEOUT_SECONDS: "1", DATABASE_STATEMENT_TIMEOUT_SECONDS: "1" };

export interface ProxiedApp extends TestApp {
  proxy: TcpProxy;
}

/** @param first an instance with which this one shares its database and files */
export async function startProxiedApp(
  variables: Readonly<Record<string, string>> = {},
  first?: TestApp,
): Promise<ProxiedApp> {
  const server = inject("postgres");
  if (!server) throw new Error("There is no PostgreSQL server");
  const proxy = await TcpProxy.start(server.url);
  const dataDir = first?.dataDir ?? createTempFolder();
  if (!first) addDatabase(dataDir);
  const { DATABASE_URL = "" } = await createDatabaseSettings(dataDir);
  const app = await startApp(
    { ...SHORT, DATABASE_URL: proxy.createUrl(DATABASE_URL), ...variables },
    { dataDir },
  );
  // Registered last, so it runs first: connections that are silent would delay the end of the application.
  onTestFinished(() => proxy.close());
  return { ...app, proxy };
}
