/** Listening on a free port of this machine. */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";

/** @returns the port */
export async function listen(app: RequestListener): Promise<number> {
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error("The server is not listening on a port");
  return address.port;
}
