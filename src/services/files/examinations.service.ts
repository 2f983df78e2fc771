/** Examines files before they become files of books, and keeps their bytes for an hour, where no reader gets them. */
import { identifyFile } from "../../adapters/file-types/recognise.ts";
import type { Inspectable, ReceivedFile } from "../../adapters/files/file-store.ts";
import type { Cancel } from "../../adapters/system.ts";
import { currentRequest } from "../../db/request-scope.ts";
import { databaseBusy } from "../../db/storage-error.ts";
import { AppError } from "../../errors.ts";
import { splitIntoBatches } from "../../lib/collections.ts";
import { createYielder } from "../../lib/event-loop.ts";
import { DAY, HOUR } from "../../lib/time.ts";
import type { FilesRepository } from "../../repositories/files.repository.ts";
import type { RecordRepositories } from "../../repositories/index.ts";
import { listContentRemarks } from "../../schemas/content-remarks.schemas.ts";
import {
  type Examination,
  type ExaminedFile,
  storedExamination,
} from "../../schemas/examinations.schemas.ts";
import { asMetadataType } from "../../schemas/file-types.ts";
import { type CommonDeps, Service } from "../shared/service.ts";
import type { UploadedFile } from "./files.service.ts";
import { presentPlace } from "./presenters.ts";
import type { ReleasedBytes } from "./released-bytes.ts";
import type { KnownBytes, StoredFiles } from "./stored-files.ts";

interface ExaminationsServiceDeps extends Pick<CommonDeps, "write" | "clock" | "schedule" | "log"> {
  reads: { files: FilesRepository } & Pick<RecordRepositories, "examinedFiles">;
  /** On a worker thread: statements on all examined files. */
  report: Pick<RecordRepositories, "examinedFiles">;
  stored: StoredFiles;
  released: Pick<ReleasedBytes, "removeNow">;
  /** Reads what bytes say. */
  examiner: {
    examine(bytes: Inspectable, signal?: AbortSignal): Promise<Examination>;
    findCoverError(bytes: Inspectable, signal?: AbortSignal): Promise<string | null>;
    close(): Promise<void>;
  };
  /** For the bytes of all examined files, except the newest one. */
  maxBytes: number;
}

const KEPT_MS = HOUR;
/** How long bytes are kept for an import after the last ones. */
const IMPORT_KEPT_MS = 7 * DAY;
/** Those that are looked up at once. */
const HASHES_AT_ONCE = 1000;
const FORGET_EVERY_MS = HOUR / 6;
/** To this part of their bound bytes are reduced, so that not every file looks at all others. */
const REDUCED_PART = 0.9;
/** What is older is renewed, at least as often: an examination of thousands of files can take longer than an hour. */
const RENEW_EVERY_MS = HOUR / 4;

export class ExaminationsService extends Service<ExaminationsServiceDeps> {
  #cancel: Cancel = () => {};
  #forgetting: Promise<void> = Promise.resolve();
  /** Bytes that this instance has examined, and with how many of them the bound of all can be exceeded. */
  #examinedBytes = 0;
  #lookAtBytes = 0;

  /** Forgets old files now and then, until `stop`. */
  start(): void {
    void this.forgetOld();
    this.#cancel = this.deps.schedule(FORGET_EVERY_MS, () => this.start());
  }

  async stop(): Promise<void> {
    this.#cancel();
    await this.#forgetting;
    await this.deps.examiner.close();
  }

  async examine(upload: UploadedFile): Promise<ExaminedFile> {
    const { reads } = this.deps;
    const { sha256, sizeBytes } = upload;
    const found = await this.#keep(upload);
    this.#examinedBytes += sizeBytes;
    if (this.#examinedBytes > this.#lookAtBytes) await this.forgetOld();
    const known = await reads.files.listByHashes([sha256]);
    return {
      ...describe(found, upload.originalName),
      fileSizeBytes: sizeBytes,
      sha256,
      knownAs: known.map(presentPlace),
    };
  }

  /**
   * Examines those of these hashes that files of books have, and that weren't examined within the last hour. What was
   * examined for them is kept until it has ended. If the client leaves, it ends, too: the next request goes on from there.
   */
  async examineStored(hashes: readonly string[], signal?: AbortSignal): Promise<void> {
    const { reads, clock } = this.deps;
    const distinct = [...new Set(hashes)];
    await this.#renew(distinct);
    let renewedAt = clock.now();
    const yieldToEventLoop = createYielder();
    for (const batch of splitIntoBatches(distinct, HASHES_AT_ONCE)) {
      await yieldToEventLoop();
      for (const sha256 of await reads.examinedFiles.listUnexamined(batch)) {
        signal?.throwIfAborted();
        if (currentRequest()?.clientHasLeft)
          throw databaseBusy("The client has left, and no further file was examined.");
        if (clock.now() - renewedAt > RENEW_EVERY_MS) {
          await this.#renew(distinct);
          renewedAt = clock.now();
        }
        await this.#examineKnown(sha256);
      }
    }
  }

  /** Finds out whether the covers in these files, or the images that they are, can be used. @returns whether one can't */
  async findUnusableCovers(hashes: readonly string[], signal?: AbortSignal): Promise<boolean> {
    const { reads, examiner, stored, write } = this.deps;
    let isAnyUnusable = false;
    for (const { sha256, examination } of await reads.examinedFiles.list(hashes)) {
      signal?.throwIfAborted();
      const bytes = await stored.findKnown(sha256).catch(ignoreUnknown);
      if (!bytes) continue;
      const coverError = await examiner.findCoverError(bytes, signal);
      const found = { ...storedExamination.parse(JSON.parse(examination)), coverError };
      await write(({ examinedFiles }) => examinedFiles.update(sha256, JSON.stringify(found)));
      isAnyUnusable ||= coverError !== null;
    }
    return isAnyUnusable;
  }

  async #examineKnown(sha256: string): Promise<void> {
    const bytes = await this.deps.stored.findKnown(sha256).catch(ignoreUnknown);
    if (bytes) await this.#keep(bytes);
  }

  /** What was examined of files of books is kept from now on. */
  async #renew(hashes: readonly string[]): Promise<void> {
    const { write, clock } = this.deps;
    const yieldToEventLoop = createYielder();
    for (const batch of splitIntoBatches(hashes, HASHES_AT_ONCE)) {
      await yieldToEventLoop();
      const now = clock.now();
      await write(({ examinedFiles }) => examinedFiles.renew(batch, now - RENEW_EVERY_MS, now));
    }
  }

  async #keep(content: ReceivedFile | KnownBytes): Promise<Examination> {
    const { examiner, stored, write, clock } = this.deps;
    const { sha256, sizeBytes } = content;
    const found = await examiner.examine(content, currentRequest()?.signal);
    const examination = JSON.stringify(found);
    await stored.keep(content, (claim) =>
      write(async (repositories) => {
        await claim(repositories);
        await repositories.examinedFiles.put({ sha256, sizeBytes, examination, examinedAt: clock.now() });
      }),
    );
    return found;
  }

  /** Deletes the bytes of old files. Never fails: what can't be forgotten now is forgotten later. */
  forgetOld(): Promise<void> {
    this.#forgetting = this.#forgetting.then(() => this.#forgetOld());
    return this.#forgetting;
  }

  async #forgetOld(): Promise<void> {
    const { report, write, released, clock, maxBytes, log } = this.deps;
    try {
      const now = clock.now();
      const bounds = { maxBytes, reducedBytes: Math.floor(maxBytes * REDUCED_PART) };
      await write(({ imports }) => imports.releaseIdle(now - IMPORT_KEPT_MS));
      const hashes = await report.examinedFiles.listOutdated(now - KEPT_MS, bounds);
      if (hashes.length > 0) {
        await write(async ({ examinedFiles, releasedBytes }) => {
          await examinedFiles.delete(hashes, now);
          await releasedBytes.release(hashes, now);
        });
        await released.removeNow(hashes);
      }
      const before = this.#examinedBytes;
      this.#lookAtBytes = before + maxBytes - (await report.examinedFiles.sumBytes());
    } catch (error) {
      log.error({ err: error }, "could not forget examined files");
    }
  }
}

/** Bytes that were deleted meanwhile, or are lost, are unknown. */
function ignoreUnknown(error: unknown): undefined {
  if (error instanceof AppError && error.status === 404) return undefined;
  throw error;
}

function describe(found: Examination, name: string) {
  const { types, contentName, booksInside, metadata, hasCover, error, coverIsMissing } = found;
  const identified = identifyFile({ types, name: contentName }, name);
  const isMisnamed = identified.objection !== undefined;
  const fileType = isMisnamed ? types[0] : identified.fileType;
  // A comic book is a ZIP, too, and may contain anything.
  const inside = fileType === "zip" ? booksInside : null;
  const reasons = [
    { code: "content_unfit" as const, reason: identified.objection },
    { code: "books_inside" as const, reason: inside },
  ].filter(({ reason }) => typeof reason === "string");
  // The content of others is that of a type which has metadata, too: text with elements is HTML, and a ZIP is a comic.
  const says = fileType !== undefined && asMetadataType(fileType) !== undefined;
  return {
    fileType: fileType ?? null,
    metadata: says ? metadata : null,
    hasCover: says && hasCover,
    remarks: says ? listContentRemarks(error, coverIsMissing) : [],
    errors: reasons.flatMap(({ reason }) => reason ?? []),
    errorCodes: reasons.map(({ code }) => code),
  };
}
