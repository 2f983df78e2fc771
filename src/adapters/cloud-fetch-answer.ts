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

/** The least that a host must send, averaged over each window while the reader isn't the slow one. */
export interface LeastRate {
  bytesPerSecond: number;
  windowMs: number;
}

export interface BodyBounds {
  maxBytes: number;
  leastRate: LeastRate;
}

/** The body, ended by an error beyond `maxBytes` or below the least rate. Destroying it closes the connection. */
export function boundedBody(
  body: Readable,
  { maxBytes, leastRate }: BodyBounds,
  patience: Patience,
): Readable {
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
  const stopWatching = watchRate(stream, () => received, leastRate);
  return pipeline(body, stream, () => {
    stopWatching();
    patience.end();
  });
}

const LOOKS_A_WINDOW = 10;

/** @returns what ends the watch */
function watchRate(stream: Transform, received: () => number, { bytesPerSecond, windowMs }: LeastRate) {
  const lookMs = windowMs / LOOKS_A_WINDOW;
  let looks = 0;
  let before = 0;
  const timer = setInterval(() => {
    // The reader is the slow one.
    if (stream.writableNeedDrain) return;
    looks += 1;
    if (looks < LOOKS_A_WINDOW) return;
    if (received() - before < (bytesPerSecond * windowMs) / 1000) stream.destroy(tooSlow(bytesPerSecond));
    looks = 0;
    before = received();
  }, lookMs).unref();
  return () => clearInterval(timer);
}

/** Gives a body up unread, with its connection: how much would follow isn't known. */
export function discard(body: Readable): void {
  body.on("error", () => {}).destroy();
}

const tooSlow = (bytesPerSecond: number) =>
  new CloudFetchError("timed_out", `The host sent less than ${bytesPerSecond} bytes a second.`);

const tooLarge = (maxBytes: number) =>
  new CloudFetchError("too_large", `The file has more than ${maxBytes} bytes.`);
