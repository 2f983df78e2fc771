/** The file store in a bucket. */
import { Readable } from "node:stream";
import { notFound } from "../../../errors.ts";
import type { Clock } from "../../system.ts";
import {
  assertSha256,
  type FileStore,
  isSha256,
  type OpenedBlob,
  type ReceivedFile,
  type ReceiveOptions,
  type SetAsideBlob,
  type StoredBlob,
} from "../file-store.ts";
import { Intake } from "../intake.ts";
import type { Bucket, ObjectFacts } from "./bucket.ts";
import { ObjectHandle } from "./object-handle.ts";
import { storeError } from "./store-errors.ts";

interface S3StoreDeps {
  /** Stored bytes are in `files/ab/<sha256>`, received ones in `uploads/<id>`, those set aside in `removed/<sha256>`; `service-id` and `removed-sweep` are objects, too. */
  bucket: Bucket;
  newId: () => string;
  clock: Clock;
}

const FILES = "files/";
const UPLOADS = "uploads/";
const REMOVED = "removed/";
const SERVICE_ID = "service-id";
const LAST_SWEEP = "removed-sweep";
/** More than an id or a mark has, so that something else isn't read into memory. */
const MAX_ID_BYTES = 100;
/** How long a bucket that was seen to be this service's counts as such. */
const OWN_FOR_MS = 1000;
/** No upload takes longer; what is older was left behind by an instance that has ended. */
const LEFTOVER_MS = 24 * 3600 * 1000;

export class S3Store implements FileStore {
  readonly #deps: S3StoreDeps;
  /** The id of the service that the bucket had first; undefined before it gets one. */
  #serviceId: string | undefined;
  #checking: { since: number; isOwn: Promise<boolean> } | undefined;

  constructor(deps: S3StoreDeps) {
    this.#deps = deps;
  }

  get name(): string {
    return this.#deps.bucket.nameOf("");
  }

  async readServiceId(): Promise<string | undefined> {
    const id = await this.#readNote(SERVICE_ID);
    this.#serviceId ??= id;
    return id;
  }

  async recordServiceId(id: string): Promise<void> {
    await this.#recordNote(SERVICE_ID, id);
    this.#serviceId = id;
  }

  /**
   * An object, or undefined if this service's bucket doesn't have it. HEAD is 404 for all of a bucket that was deleted or
   * replaced by another one of its name.
   * @throws AppError 503 `storage_unavailable` then
   */
  async #find(path: string): Promise<ObjectFacts | undefined> {
    const found = await this.#deps.bucket.head(path);
    if (!found && this.#serviceId !== undefined && !(await this.#isOwn()))
      throw storeError(new Error(`${this.name} isn't the bucket of this service, or doesn't exist.`));
    return found;
  }

  /** Asked once for all requests of a second. */
  #isOwn(): Promise<boolean> {
    const now = performance.now();
    if (!this.#checking || now - this.#checking.since > OWN_FOR_MS) {
      const isOwn = this.#readNote(SERVICE_ID).then((id) => id === this.#serviceId);
      this.#checking = { since: now, isOwn };
      isOwn.catch(() => {
        this.#checking = undefined;
      });
    }
    return this.#checking.isOwn;
  }

  readSweepMark(): Promise<string | undefined> {
    return this.#readNote(LAST_SWEEP);
  }

  recordSweepMark(mark: string): Promise<void> {
    return this.#recordNote(LAST_SWEEP, mark);
  }

  async #readNote(path: string): Promise<string | undefined> {
    const { bucket } = this.#deps;
    const found = await bucket.head(path);
    if (!found) return undefined;
    const sizeBytes = Math.min(found.sizeBytes, MAX_ID_BYTES);
    const handle = new ObjectHandle({ bucket, path, sizeBytes, etag: found.etag });
    return (await handle.readFile()).toString("utf8").trim();
  }

  async #recordNote(path: string, value: string): Promise<void> {
    await this.#deps.bucket.upload(path, Readable.from([Buffer.from(`${value}\n`)]));
  }

  async receive(source: AsyncIterable<Buffer> | Readable, options: ReceiveOptions): Promise<ReceivedFile> {
    const id = this.#deps.newId();
    const intake = new Intake(source, options);
    try {
      await this.#deps.bucket.upload(UPLOADS + id, hashChunks(intake), { signal: options.signal });
    } catch (error) {
      throw intake.convertError(error);
    }
    return this.#createReceived(id, intake.finish());
  }

  #createReceived(id: string, blob: StoredBlob): ReceivedFile {
    const { bucket } = this.#deps;
    const path = UPLOADS + id;
    const openUpload = () => new ObjectHandle({ bucket, path, sizeBytes: blob.sizeBytes, etag: undefined });
    let isThere = true;
    return {
      id,
      ...blob,
      open: async () => openUpload(),
      read: () => openUpload().createReadStream(),
      async discard() {
        if (!isThere) return;
        isThere = false;
        // What can't be deleted now is deleted by a sweep: it must not fail a write that has succeeded.
        await bucket.delete(path).catch(() => {});
      },
    };
  }

  /** The copy is made by the store, also over equal bytes: those that are there can be damaged. */
  async keep(received: ReceivedFile): Promise<StoredBlob> {
    const { bucket } = this.#deps;
    const { id, sha256, sizeBytes } = received;
    const path = pathOf(sha256);
    // A store that doesn't respond is noticed after seconds: a copy may take minutes.
    await this.#find(path);
    await bucket.copy(UPLOADS + id, path);
    return { sha256, sizeBytes };
  }

  async open(sha256: string): Promise<OpenedBlob> {
    const { bucket } = this.#deps;
    const path = pathOf(sha256);
    const found = await this.#find(path);
    if (!found) throw notFound("file_unavailable", "The file is not available.");
    const { sizeBytes, modifiedAt, etag } = found;
    return { handle: new ObjectHandle({ bucket, path, sizeBytes, etag }), sizeBytes, modifiedAt };
  }

  async has(sha256: string): Promise<boolean> {
    return (await this.#find(pathOf(sha256))) !== undefined;
  }

  /** What it has left isn't known before it refuses something. */
  async isShort(): Promise<boolean> {
    return false;
  }

  /** A proxy in front of the service has no way to the bytes. */
  nameToProxy(): undefined {
    return undefined;
  }

  isNamed(): boolean {
    return false;
  }

  /** A store that hangs gets no deletion, which it could do later, when the same bytes are stored again. */
  async remove(sha256: string): Promise<void> {
    if (await this.has(sha256)) await this.#deps.bucket.delete(pathOf(sha256));
  }

  /** The time is that of the store, when it makes the copy. */
  async setAside(sha256: string): Promise<void> {
    const { bucket } = this.#deps;
    if (!(await this.has(sha256))) return;
    await bucket.copy(pathOf(sha256), setAsidePathOf(sha256));
    await bucket.delete(pathOf(sha256));
  }

  async isSetAside(sha256: string): Promise<boolean> {
    return (await this.#deps.bucket.head(setAsidePathOf(sha256))) !== undefined;
  }

  async bringBack(sha256: string): Promise<void> {
    const { bucket } = this.#deps;
    if (!(await this.isSetAside(sha256))) return;
    if (!(await this.has(sha256))) {
      await bucket.copy(setAsidePathOf(sha256), pathOf(sha256)).catch(async (error: unknown) => {
        // Another instance may have brought them back meanwhile.
        if (!(await this.has(sha256))) throw error;
      });
    }
    await this.removeSetAside(sha256);
  }

  async removeSetAside(sha256: string): Promise<void> {
    await this.#deps.bucket.delete(setAsidePathOf(sha256));
  }

  async *listSetAside(): AsyncGenerator<SetAsideBlob, void> {
    for await (const { path, sizeBytes, modifiedAt } of this.#deps.bucket.list(REMOVED)) {
      const sha256 = path.slice(REMOVED.length);
      if (isSha256(sha256)) yield { sha256, sizeBytes, setAsideAt: modifiedAt };
    }
  }

  async *list(): AsyncGenerator<StoredBlob, void> {
    for await (const { path, sizeBytes } of this.#deps.bucket.list(FILES)) {
      const sha256 = path.slice(-SHA256_LENGTH);
      if (isSha256(sha256) && path === pathOf(sha256)) yield { sha256, sizeBytes };
    }
  }

  /** Deletes only objects that are older than a day: other instances may be receiving the rest. Includes parts of unfinished ZIPs. */
  async sweepTemporary(): Promise<number> {
    const { bucket, clock } = this.#deps;
    const before = clock.now() - LEFTOVER_MS;
    let removed = await bucket.abortUploads(before);
    for await (const { path, modifiedAt } of bucket.list(UPLOADS)) {
      if (modifiedAt >= before) continue;
      await bucket.delete(path);
      removed += 1;
    }
    return removed;
  }
}

const SHA256_LENGTH = 64;

function pathOf(sha256: string): string {
  assertSha256(sha256);
  return `${FILES}${sha256.slice(0, 2)}/${sha256}`;
}

function setAsidePathOf(sha256: string): string {
  assertSha256(sha256);
  return REMOVED + sha256;
}

async function* hashChunks(intake: Intake): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of intake.readChunks()) {
    intake.hash(chunk);
    yield chunk;
  }
}
