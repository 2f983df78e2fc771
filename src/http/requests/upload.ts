/** Uploads: multipart parts and raw bodies stream into the file store and are never whole in memory. */
import type { Readable } from "node:stream";
import type { Request, Response } from "express";
import multer, { type StorageEngine } from "multer";
import type { ReceivedFile } from "../../adapters/files/file-store.ts";
import { systemScheduler } from "../../adapters/system.ts";
import { badRequest } from "../../errors.ts";
import { fieldErrorCodeOf } from "../../schemas/error-codes.ts";
import type { UploadedFile } from "../../services/files/files.service.ts";

/** Takes bytes in; throws 413 above the limit of every upload or above `maxBytes`, 507 on a full disk. */
export type ReceiveFile = (source: Readable, maxBytes?: number) => Promise<ReceivedFile>;

/** How long the file of a form may bring nothing after the whole form has come. */
const STUCK_MS = 2000;
const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 64 * 1024;

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
  const engine = new FormFile(receive);
  const read = multer({
    storage: engine,
    // Names in any script: the default reads them as latin1.
    defParamCharset: "utf8",
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
      // multer would first read the rest of the form, however much that is.
      engine.reject = reject;
      read(req, res, (error: unknown) => (error ? reject(error) : resolve()));
    });
  } catch (error) {
    await engine.settled;
    await engine.received?.discard();
    throw engine.error ?? malformed(error);
  }
  return { fields: { ...req.body }, file: engine.received };
}

/** Reads a body that is the file itself. */
export async function receiveRaw(req: Request, receive: ReceiveFile): Promise<UploadedFile> {
  return withName(await receive(req), "");
}

/** multer's storage for one form: what it receives, and what went wrong on our side of it. */
class FormFile implements StorageEngine {
  readonly #receive: ReceiveFile;
  received: UploadedFile | undefined;
  error: unknown;
  reject: (failure: unknown) => void = () => {};
  /** The file is whole or gone from the disk. */
  settled: Promise<void> = Promise.resolve();

  constructor(receive: ReceiveFile) {
    this.#receive = receive;
  }

  _handleFile(req: Request, part: Express.Multer.File, done: (error?: unknown) => void): void {
    req.once("end", () => destroyWhenStuck(part.stream));
    this.settled = this.#receive(part.stream).then(
      (received) => {
        this.received = withName(received, part.originalname);
        done();
      },
      (error: unknown) => {
        // multer reports a form that is incomplete.
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
 * When a boundary interrupts the headers of a part, busboy may take the content of the next one for the end of the form,
 * and never ends the stream of that part.
 */
function destroyWhenStuck(stream: Readable): void {
  systemScheduler(STUCK_MS, () => {
    if (stream.readableEnded || stream.destroyed) return;
    if (stream.readableLength > 0) destroyWhenStuck(stream);
    else stream.destroy(new Error("The form ended within a file"));
  });
}

const withName = (received: ReceivedFile, originalName: string): UploadedFile => ({
  ...received,
  originalName,
});

/** Whatever multer and its parser object to, the form is what is wrong. */
function malformed(cause: unknown) {
  if (cause instanceof multer.MulterError) {
    const path = cause.field ?? "";
    return badRequest("malformed_multipart", `${cause.message}${path && `: ${path}`}.`, {
      cause,
      errors: [
        { in: "body", path, message: cause.message, code: fieldErrorCodeOf(cause.code.toLowerCase()) },
      ],
    });
  }
  return badRequest("malformed_multipart", "The form is malformed or was cut off.", {
    cause,
  });
}
