/** A load of small requests over kept connections, as cheap as Node can make it: only status and length are read. */
import { connect } from "node:net";

export interface HttpLoad {
  port: number;
  connections: number;
  /** How long the load lasts. */
  milliseconds: number;
  /** The whole request, headers and body, as it goes over the wire; asked for anew each time. */
  request: () => string;
  /** The status that every answer must have. */
  status: number;
}

/** Answers a second. Throws at the first answer with another status. */
export async function responsesPerSecond(load: HttpLoad): Promise<number> {
  const start = performance.now();
  const until = start + load.milliseconds;
  const counts = await Promise.all(
    Array.from({ length: load.connections }, () => oneConnection(load, until)),
  );
  const total = counts.reduce((sum, count) => sum + count, 0);
  return total / ((performance.now() - start) / 1000);
}

function oneConnection({ port, request, status }: HttpLoad, until: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let responses = 0;
    let pending: Buffer = Buffer.alloc(0);
    socket.on("error", reject);
    socket.on("connect", () => socket.write(request()));
    socket.on("data", (chunk: Buffer) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const end = endOfResponse(pending);
      if (end === undefined || pending.length < end) return;
      const seen = Number(pending.toString("latin1", 9, 12));
      if (seen !== status) {
        socket.destroy();
        reject(
          new Error(`An answer came with ${seen} instead of ${status}: ${pending.toString("utf8", 0, 2000)}`),
        );
        return;
      }
      responses += 1;
      pending = pending.subarray(end);
      if (performance.now() < until) socket.write(request());
      else socket.end(() => resolve(responses));
    });
  });
}

const HEADER_END = "\r\n\r\n";

/** Where the answer ends; undefined as long as its headers haven't all come. */
function endOfResponse(bytes: Buffer): number | undefined {
  const headerEnd = bytes.indexOf(HEADER_END);
  if (headerEnd < 0) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(bytes.toString("latin1", 0, headerEnd))?.[1];
  return headerEnd + HEADER_END.length + Number(length ?? 0);
}
