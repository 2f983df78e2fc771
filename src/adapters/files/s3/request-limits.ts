/** Limits of every request to a store: its duration, what is collected of its response, and whether it's still needed. */
import { AsyncLocalStorage } from "node:async_hooks";
import { Readable } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";
import { systemScheduler } from "../../system.ts";

interface Limits {
  /** Until the response begins, for each attempt. */
  responseMs: number;
  /** For all attempts, with the body of a response that is collected. */
  totalMs: number;
}

const SHORT: Limits = { responseMs: 10_000, totalMs: 15_000 };
/** A part of an upload is 8 MiB. */
const PART: Limits = { responseMs: 30_000, totalMs: 60_000 };
/** The store copies up to 5 GiB, and joins the parts of an upload, before it responds. */
const LONG: Limits = { responseMs: 5 * 60_000, totalMs: 5 * 60_000 };

const LIMITS: Readonly<Record<string, Limits>> = {
  PutObjectCommand: PART,
  UploadPartCommand: PART,
  CompleteMultipartUploadCommand: LONG,
  CopyObjectCommand: LONG,
};

/** The only one whose body isn't collected. */
const CONTENT = "GetObjectCommand";
/** Cleans up after an upload that isn't needed any more. */
const CLEAN_UP = "AbortMultipartUploadCommand";

/** A page of 1,000 keys takes about half of it. */
const MAX_COLLECTED_BYTES = 1024 * 1024;

/** For those to whom the bytes are sent, or from whom they come. */
const transfers = new AsyncLocalStorage<AbortSignal>();
const commands = new AsyncLocalStorage<{ signal: AbortSignal; responseMs: number; isCollected: boolean }>();

/** Runs requests that end when the signal aborts, also the body of a response that arrives later. */
export const runWhileNeeded = <T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> =>
  signal === undefined ? work() : transfers.run(signal, work);

/** Also limits the requests that the SDK's own helpers send by this client. */
export function limitRequests(client: S3Client): void {
  limitDuration(client);
  limitResponses(client);
}

function limitDuration({ middlewareStack }: S3Client): void {
  middlewareStack.add(
    (next, { commandName = "" }) =>
      async (args) => {
        const { responseMs, totalMs } = LIMITS[commandName] ?? SHORT;
        const deadline = new AbortController();
        const cancel = systemScheduler(totalMs, () => deadline.abort());
        const transfer = commandName === CLEAN_UP ? undefined : transfers.getStore();
        const signal = AbortSignal.any([deadline.signal, ...(transfer ? [transfer] : [])]);
        try {
          const command = { signal, responseMs, isCollected: commandName !== CONTENT };
          return await commands.run(command, () => next(args));
        } catch (error) {
          if (!deadline.signal.aborted) throw error;
          throw Object.assign(new Error(`The store took longer than ${totalMs} ms.`), {
            name: "TimeoutError",
          });
        } finally {
          cancel();
        }
      },
    // Around the repetitions.
    { step: "initialize", name: "limitDuration" },
  );
}

function limitResponses({ config: { requestHandler } }: S3Client): void {
  const handle = requestHandler.handle.bind(requestHandler);
  requestHandler.handle = async (request, options) => {
    const command = commands.getStore();
    if (command === undefined) return await handle(request, options);
    const { signal: abortSignal, responseMs: requestTimeout, isCollected } = command;
    const { response } = await handle(request, { ...options, abortSignal, requestTimeout });
    const isError = response.statusCode >= 300;
    if (response.body instanceof Readable && (isCollected || isError)) {
      response.body = Readable.from(boundBody(response.body), { objectMode: false });
    }
    return { response };
  };
}

async function* boundBody(body: Readable): AsyncGenerator<Buffer, void> {
  let bytes = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Buffer)) throw new TypeError("A body must come as bytes");
    bytes += chunk.length;
    if (bytes > MAX_COLLECTED_BYTES)
      throw new Error(`The store sent more than ${MAX_COLLECTED_BYTES} bytes.`);
    yield chunk;
  }
}
