/** Runs a command's work on the configured database and file store. */
import { createLogger } from "../adapters/logger.ts";
import type { Config } from "../config.ts";
import { type Container, createContainer } from "../container.ts";

/** Creates a missing database. Closes the container in every case. */
export async function withContainer<T>(
  config: Config,
  work: (container: Container) => Promise<T>,
): Promise<T> {
  const container = await createContainer(config, createLogger("warn", { pretty: false }));
  try {
    return await work(container);
  } finally {
    await container.close();
  }
}
