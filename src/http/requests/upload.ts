/** Streams multipart and raw uploads into the file store; they are never completely in memory. */
import type { Readable } from "node:stream";
import type { Request, Response } from "express";
import type { MulterError, StorageEngine } from "multer";
import type { ReceivedFile } from "../../adapters/files/file-store.ts";
import { systemScheduler } from "../../adapters/system.ts";
import { badRequest } from "../../errors.ts";
import { readMisread } from "../../lib/encodings.ts";
import { fieldErrorCodeOf } from "../../schemas/error-codes.ts";
import type { UploadedFile } from "../../services/files/files.service.ts";

/** Receives bytes; throws 413 above the upload limit or `maxBytes`, 507 on a full disk. */
export type ReceiveFile = (
  source: Readable,
  options: { maxBytes?: number | undefined; signal: AbortSignal },
) => Promise<ReceivedFile>;

/** Aborts if the client leaves before it has the response: what is still being stored for it isn't needed then. */
export function signalLeaving(res: Response): AbortSignal {
  const left = new AbortController();
  res.once("close", () => {
    if (!res.writableEnded) left.abort();
  });
  return left.signal;
}

/** How long the file part may send nothing after the whole form has arrived. */
const STUCK_MS = 2000;
const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 64 * 1024;

/** Blocks the event loop for about 20 ms the first time. */
export const loadMulter = () => import("multer");

interface ReceivedForm {
  fields: Record<string, unknown>;
  file: UploadedFile | undefined;
}

/** Reads `multipart/form-data` with at most one file, in the part `file`. */
export async function receiveMultipart(
  req: Request,
  res: Response,
  receive: ReceiveFile,
): Promise<ReceivedForm> {
  const { default: multer, MulterError } = await loadMulter();
  const signal = signalLeaving(res);
  const engine = new FormFile((source) => receive(source, { signal }));
  const read = multer({
    storage: engine,
    // Bytes as they are: `readMisread` finds the encoding, which in a form is nearly always UTF-8.
    defParamCharset: "latin1",
    limits: {
      files: 1,
      fields: MAX_FIELDS,
      fieldSize: MAX_FIELD_BYTES,
      fieldNameSize: 100,
      parts: MAX_FIELDS + 1,
    },
  }).single("file");
  try {
    await new Promise<void>((resolve, reject) => {
      // multer would first read the rest of the form, of any size.
      engine.reject = reject;
      read(req, res, (error: unknown) => (error ? reject(error) : resolve()));
    });
  } catch (error) {
    await engine.settled;
    await engine.received?.discard();
    throw engine.error ?? explainMalformed(error, error instanceof MulterError ? error : undefined);
  }
  const fields = Object.entries<unknown>(req.body ?? {}).map(([name, value]) => [readMisread(name), value]);
  return { fields: Object.fromEntries(fields), file: engine.received };
}

/** multer's storage for one form: the received file, and errors on the server's side. */
class FormFile implements StorageEngine {
  readonly #receive: (source: Readable) => Promise<ReceivedFile>;
  received: UploadedFile | undefined;
  error: unknown;
  reject: (failure: unknown) => void = () => {};
  /** Resolves when the file is complete or deleted. */
  settled: Promise<void> = Promise.resolve();

  constructor(receive: (source: Readable) => Promise<ReceivedFile>) {
    this.#receive = receive;
  }

  _handleFile(req: Request, part: Express.Multer.File, done: (error?: unknown) => void): void {
    req.once("end", () => destroyWhenStuck(part.stream));
    this.settled = this.#receive(part.stream).then(
      (received) => {
        this.received = { ...received, originalName: readMisread(part.originalname) };
        done();
      },
      (error: unknown) => {
        // multer reports an incomplete form.
        if (error !== part.stream.errored) {
          this.error = error;
          this.reject(error);
        }
        done(error);
      },
    );
  }

  _removeFile(_req: Request, _part: Express.Multer.File, done: (error: Error | null) => void): void {
    this.received?.discard().then(() => done(null), done);
  }
}

/**
 * If a boundary interrupts the headers of a part, busboy can mistake the content of the next part for the end of the
 * form, and never ends the stream of that part.
 */
function destroyWhenStuck(stream: Readable): void {
  systemScheduler(STUCK_MS, () => {
    if (stream.readableEnded || stream.destroyed) return;
    if (stream.readableLength > 0) destroyWhenStuck(stream);
    else stream.destroy(new Error("The form ended within a file"));
  });
}

/** Any error of multer and its parser means that the form is malformed; multer's own name the part. */
function explainMalformed(cause: unknown, own: MulterError | undefined) {
  if (own) {
    const { message } = own;
    const path = readMisread(own.field ?? "");
    return badRequest("malformed_multipart", `${message}${path && `: ${path}`}.`, {
      cause,
      errors: [{ in: "body", path, message, code: fieldErrorCodeOf(own.code.toLowerCase()) }],
    });
  }
  return badRequest("malformed_multipart", "The form is malformed or was cut off.", {
    cause,
  });
}
