/** Tells a file from the other things that hosts answer with, and reads no more of it than is allowed. */
import { pipeline, type Readable, Transform } from "node:stream";
import type { Dispatcher } from "undici";
import { CloudFetchError } from "./cloud-fetch-error.ts";
import type { Patience } from "./cloud-fetch-patience.ts";

export interface WantedFile {
  maxBytes: number;
  acceptHtml: boolean;
}

/** Why this answer isn't the wanted file, as far as its head tells. */
export function faultOfAnswer({ statusCode, headers }: Dispatcher.ResponseData, wanted: WantedFile) {
  const header = (name: string) => [headers[name] ?? ""].flat().join().trim().toLowerCase();
  if (statusCode !== 200) {
    return new CloudFetchError("bad_status", `The host answered with status ${statusCode}.`);
  }
  // A log-in page, or Google's warning that a file was too large to be scanned.
  if (!wanted.acceptHtml && /^(text\/html|application\/xhtml\+xml)\b/.test(header("content-type"))) {
    return new CloudFetchError("not_a_file", "The host answered with a web page in place of the file.");
  }
  if (!["", "identity"].includes(header("content-encoding"))) {
    return new CloudFetchError("not_a_file", "The host answered with a compressed form of the file.");
  }
  return Number(header("content-length")) > wanted.maxBytes ? tooLarge(wanted.maxBytes) : undefined;
}

/** The body, ended by an error beyond `maxBytes`. Destroying it closes the connection. */
export function boundedBody(body: Readable, maxBytes: number, patience: Patience): Readable {
  let received = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (received > maxBytes) done(tooLarge(maxBytes));
      else done(null, chunk);
    },
  });
  // Comes before pipeline's own listener, which would hand the error of undici on.
  body.once("error", (error) => stream.destroy(patience.explain(error)));
  return pipeline(body, stream, patience.end);
}

/** Gives a body up unread, with its connection: how much would follow isn't known. */
export function discard(body: Readable): void {
  body.on("error", () => {}).destroy();
}

const tooLarge = (maxBytes: number) =>
  new CloudFetchError("too_large", `The file has more than ${maxBytes} bytes.`);
