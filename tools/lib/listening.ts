/** Servers that listen on this machine. */
import { once } from "node:events";
import type { Server } from "node:net";

/** @throws Error unless it listens on a port */
export function portOf(server: Pick<Server, "address">): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return address.port;
}

export const addressOf = (server: Pick<Server, "address">): string => `http://127.0.0.1:${portOf(server)}`;

/** Resolves when it listens on a free port. @returns the port */
export async function listen(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return portOf(server);
}
