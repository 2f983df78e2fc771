/** A start without a server. */
import { pino } from "pino";
import { readConfig } from "../../src/config.ts";
import { createContainer } from "../../src/container.ts";

/** Starts a service, sweeps and ends. @returns the result of the sweep, and the hashes of all stored files */
export async function startAndEnd(settings: Record<string, string>) {
  const container = await createContainer(readConfig(settings), pino({ level: "silent" }));
  try {
    const swept = await container.sweep();
    return { ...swept, files: await Array.fromAsync(container.store.list()) };
  } finally {
    await container.close();
  }
}
