/** A download that a test may hold up in the middle, over a socket of its own. */
import { once } from "node:events";
import { get, type IncomingMessage, type Server } from "node:http";
import { onTestFinished } from "vitest";
import { portOf } from "../../tools/lib/listening.ts";

export interface SlowDownload {
  response: IncomingMessage;
  /** Takes the rest. @returns all bytes from the first on */
  finish(): Promise<Buffer>;
  /** Goes away without a word. */
  leave(): void;
}

/** Resolves with the headers; the body waits in the socket until `finish`. */
export async function startDownload(
  server: Server,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<SlowDownload> {
  const request = get({ host: "127.0.0.1", port: portOf(server), path, headers, agent: false });
  request.on("error", () => {});
  onTestFinished(() => void request.destroy());
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once("response", resolve).once("error", reject);
  });
  response.pause();
  return {
    response,
    async finish() {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.resume();
      await once(response, "end");
      return Buffer.concat(chunks);
    },
    leave: () => void request.destroy(),
  };
}
