/** The measured process: the whole service on a generated data folder, or on PostgreSQL. `<data folder> [DATABASE_URL]` */
import { enableCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { createLogger } from "../../src/adapters/logger.ts";
import { createApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { createContainer } from "../../src/container.ts";
import { createSystemAuthor } from "../../src/repositories/change.ts";
import { UNLIMITED } from "../lib/server-process.ts";
import { reportFacts } from "./measured-process.ts";
import { ADMIN, onPostgres } from "./service-process.ts";

export const EVENTS_PROCESS = import.meta.filename;

/** What the process tells once it listens. */
export const eventsFacts = z.object({ port: z.int() });

async function start(dataDir: string, databaseUrl?: string): Promise<void> {
  // As the server does.
  enableCompileCache(join(tmpdir(), "bench-compile-cache"));
  const database = databaseUrl === undefined ? {} : onPostgres(databaseUrl);
  const config = readConfig({ DATA_DIR: dataDir, ...UNLIMITED, ...database });
  const container = await createContainer(config, createLogger("info", { pretty: false }));
  process.once("SIGTERM", async () => {
    await container.close();
    process.exit();
  });
  const { users } = container.services;
  if (!(await users.hasAny())) {
    await users.create(createSystemAuthor("bench"), { ...ADMIN, name: "admin", role: "admin" });
  }
  await reportFacts(await createApp(container));
}

if (import.meta.main) await start(process.argv[2] ?? "", process.argv[3]);
