/** The requests to a bucket of an S3 store, within time limits, and with errors of the API. */
import { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { notFound } from "../../../errors.ts";
import type { BucketAddress } from "../../../schemas/variables.ts";
import { createHistogram } from "../../metrics.ts";
import type { DirectAccess } from "../file-store.ts";
import { limitRequests, runWhileNeeded } from "./request-limits.ts";
import {
  assertOfStore,
  assertUsable,
  isMissingObject,
  isNotFound,
  onStore,
  storeError,
} from "./store-errors.ts";

export interface BucketOptions extends BucketAddress {
  /** Undefined: the SDK looks for them. */
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } | undefined;
}

export interface ObjectFacts {
  sizeBytes: number;
  /** Epoch milliseconds. */
  modifiedAt: number;
  /** The store's own, in quotes. */
  etag: string;
  metadata: Readonly<Record<string, string>>;
}

export interface ListedObject {
  /** The key without the prefix of the bucket's address. */
  path: string;
  sizeBytes: number;
  /** Epoch milliseconds. */
  modifiedAt: number;
}

const CONNECT_MS = 3000;
/** With the first. */
const ATTEMPTS = 2;

/** An upload holds a part that is being filled and those that are being sent. With 10,000 parts, 78 GiB fit. */
const PART_BYTES = 8 * 1024 * 1024;
const PARTS_AT_ONCE = 2;

/** Enough to follow a redirect: a transfer that has begun isn't cut. Unpublished files stay readable that long. */
const ADDRESS_SECONDS = 60;

/** From the duration of a small object to the time limit of a part. */
const BUCKETS_SECONDS = [0.005, 0.02, 0.1, 0.5, 2, 10, 30];

/** A path is the part of a key after the prefix. Every method throws 507 `disk_full` and 503 `storage_unavailable`. */
export class Bucket {
  /** Every request until its response begins, also further attempts. */
  readonly requests = createHistogram({
    name: "bookdist_storage_request_duration_seconds",
    help: "From a request to the store to the beginning of its response.",
    labelNames: ["operation", "outcome"],
    buckets: BUCKETS_SECONDS,
  });
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;

  constructor({ bucket, prefix, region, endpoint, credentials }: BucketOptions) {
    this.#bucket = bucket;
    this.#prefix = prefix;
    // Every slow client holds a connection, and none may make others wait: the service bounds its own connections.
    const agent = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY };
    this.#client = new S3Client({
      region,
      ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
      ...(credentials && { credentials }),
      maxAttempts: ATTEMPTS,
      // Checksums in trailers are unknown to many stores.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        throwOnRequestTimeout: true,
        // A slow client is no reason to end a transfer; `Transfer` limits how long the store may send nothing.
        socketTimeout: 0,
        httpAgent: agent,
        httpsAgent: agent,
      },
    });
    limitRequests(this.#client);
    this.#measureRequests();
  }

  /** @throws OperatorError if the bucket can't be used: what an operator must change, in one line without secrets */
  async check(): Promise<void> {
    const command = new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: this.#prefix, MaxKeys: 1 });
    await assertUsable(this.#bucket, () => this.#client.send(command));
  }

  /** Undefined if the object doesn't exist. */
  async head(path: string): Promise<ObjectFacts | undefined> {
    try {
      const command = new HeadObjectCommand(this.#at(path));
      const { ContentLength: sizeBytes, ETag: etag, ...found } = await this.#client.send(command);
      assertOfStore(sizeBytes !== undefined && etag !== undefined);
      const modifiedAt = found.LastModified?.getTime() ?? 0;
      return { sizeBytes, modifiedAt, etag, metadata: found.Metadata ?? {} };
    } catch (error) {
      if (isMissingObject(error)) return undefined;
      throw storeError(error);
    }
  }

  /**
   * The bytes from `start` up to and including `end`; a changed object is an error if `etag` is given. Throws 404
   * `file_unavailable` if the object doesn't exist. An aborted signal ends the request and its response.
   */
  async get(
    path: string,
    range: { start: number; end: number; etag: string | undefined },
    signal: AbortSignal,
  ): Promise<Readable> {
    const { start, end, etag } = range;
    const command = new GetObjectCommand({
      ...this.#at(path),
      Range: `bytes=${start}-${end}`,
      ...(etag !== undefined && { IfMatch: etag }),
    });
    const found = await onStore(() =>
      runWhileNeeded(signal, () => this.#client.send(command)).catch((error: unknown) => {
        if (!isMissingObject(error)) throw error;
        throw notFound("file_unavailable", "The file is not available.", { cause: error });
      }),
    );
    const { Body: body, ContentLength: length, ETag } = found;
    if (!(body instanceof Readable)) throw new TypeError("The response of the store has no body");
    try {
      assertOfStore(length === end - start + 1 && ETag !== undefined);
    } catch (error) {
      body.destroy();
      throw error;
    }
    return body;
  }

  /**
   * Writes an object in parts while its bytes arrive; it exists only when all have arrived. Throws the error of the
   * source as it is. An aborted signal ends the requests.
   */
  async upload(
    path: string,
    chunks: AsyncIterable<Uint8Array>,
    { metadata = {}, signal }: { metadata?: Record<string, string>; signal?: AbortSignal | undefined } = {},
  ): Promise<void> {
    let sourceError: { error: unknown } | undefined;
    async function* watchChunks() {
      try {
        yield* chunks;
      } catch (error) {
        sourceError = { error };
        throw error;
      }
    }
    const upload = new Upload({
      client: this.#client,
      params: { ...this.#at(path), Body: Readable.from(watchChunks()), Metadata: metadata },
      partSize: PART_BYTES,
      queueSize: PARTS_AT_ONCE,
    });
    try {
      const { ETag } = await runWhileNeeded(signal, () => upload.done());
      assertOfStore(ETag !== undefined);
    } catch (error) {
      throw sourceError === undefined ? storeError(error) : sourceError.error;
    }
  }

  async copy(from: string, to: string): Promise<void> {
    const source = `${this.#bucket}/${this.#prefix}${from}`.split("/").map(encodeURIComponent).join("/");
    const command = new CopyObjectCommand({ ...this.#at(to), CopySource: source });
    const { CopyObjectResult: copied } = await onStore(() => this.#client.send(command));
    assertOfStore(copied?.ETag !== undefined);
  }

  /** A missing object is fine. */
  async delete(path: string): Promise<void> {
    const command = new DeleteObjectCommand(this.#at(path));
    await onStore(() => this.#client.send(command));
  }

  /** All objects whose path begins with `start`, page by page, in the order of their keys. */
  async *list(start: string): AsyncGenerator<ListedObject, void> {
    let after: string | undefined;
    do {
      const command = new ListObjectsV2Command({
        Bucket: this.#bucket,
        Prefix: this.#prefix + start,
        ContinuationToken: after,
      });
      const page: ListObjectsV2CommandOutput = await onStore(() => this.#client.send(command));
      assertOfStore(page.Name !== undefined);
      for (const { Key = "", Size = 0, LastModified } of page.Contents ?? []) {
        const path = Key.slice(this.#prefix.length);
        yield { path, sizeBytes: Size, modifiedAt: LastModified?.getTime() ?? 0 };
      }
      after = page.NextContinuationToken;
    } while (after !== undefined);
  }

  /** Deletes the parts of unfinished uploads that began before an instant (epoch milliseconds). @returns their number */
  async abortUploads(before: number): Promise<number> {
    let aborted = 0;
    let position: Pick<ListMultipartUploadsCommandOutput, "NextKeyMarker" | "NextUploadIdMarker"> = {};
    do {
      const command = new ListMultipartUploadsCommand({
        Bucket: this.#bucket,
        Prefix: this.#prefix,
        KeyMarker: position.NextKeyMarker,
        UploadIdMarker: position.NextUploadIdMarker,
      });
      const page: ListMultipartUploadsCommandOutput = await onStore(() => this.#client.send(command));
      for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
        if ((Initiated?.getTime() ?? 0) >= before) continue;
        const abort = new AbortMultipartUploadCommand({ Bucket: this.#bucket, Key, UploadId });
        await onStore(() => this.#client.send(abort));
        aborted += 1;
      }
      position = page.IsTruncated ? page : {};
    } while (position.NextKeyMarker !== undefined);
    return aborted;
  }

  /** An address at which anybody can fetch the object for a minute. */
  async signAddress(path: string, access: DirectAccess): Promise<string> {
    const command = new GetObjectCommand({
      ...this.#at(path),
      ResponseContentType: access.contentType,
      ResponseContentDisposition: access.contentDisposition,
      ResponseCacheControl: "private, no-store",
    });
    return await onStore(() => getSignedUrl(this.#client, command, { expiresIn: ADDRESS_SECONDS }));
  }

  /** For people: it names the bucket, the prefix and the path. */
  nameOf(path: string): string {
    return `s3://${this.#bucket}/${this.#prefix}${path}`;
  }

  close(): void {
    this.#client.destroy();
  }

  #measureRequests(): void {
    const { requests } = this;
    this.#client.middlewareStack.add(
      (send, { commandName = "" }) =>
        async (args) => {
          const end = requests.startTimer({ operation: commandName.replace(/Command$/, "") });
          try {
            const response = await send(args);
            end({ outcome: "success" });
            return response;
          } catch (error) {
            end({ outcome: isNotFound(error) ? "not_found" : "failure" });
            throw error;
          }
        },
      // After the signature, so that presigned addresses don't count, and each attempt does.
      { step: "finalizeRequest", priority: "low", name: "measureRequests" },
    );
  }

  #at(path: string) {
    return { Bucket: this.#bucket, Key: this.#prefix + path };
  }
}
