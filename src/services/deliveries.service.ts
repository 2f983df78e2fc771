/** What a download link leads to: the file, the ZIP of a language, or the address of a file in the cloud. */
import type { FileHandle } from "node:fs/promises";
import type { Clock } from "../adapters/clock.ts";
import type { FileStore } from "../adapters/file-store.ts";
import type { Logger } from "../adapters/logger.ts";
import type { Tokens } from "../adapters/tokens.ts";
import { gone, notFound } from "../errors.ts";
import { directDownloadUrl } from "../lib/cloud-links.ts";
import type { EventRow } from "../repositories/events.repository.ts";
import type { CatalogueRepositories, RecordRepositories, WriteRecords } from "../repositories/index.ts";
import type { LanguageRow } from "../repositories/languages.repository.ts";
import type { ActiveFileRow } from "../repositories/publication.repository.ts";
import { mediaTypeOf } from "../schemas/file-types.ts";
import type { Client } from "./actor.ts";
import type { ArchivePlan, ArchivePlans } from "./archive-plan.ts";
import type { Archives } from "./archives.ts";
import { putArchive } from "./downloads.service.ts";
import { fileTypeOf, sourceTypeOf } from "./presenters.ts";
import { filesIn, languagesOf } from "./publication-rules.ts";
import type { ReaderFacts } from "./reader-facts.ts";

/** Who follows the link. A prefetch is a browser that guesses, not a reader. */
export interface Reader extends Client {
  isPrefetch: boolean;
}

interface Redeemable {
  /** To be called when a GET is about to deliver from the first byte on; counts once, however often it is called. */
  redeem(): Promise<void>;
}

export interface FileDelivery extends Redeemable {
  kind: "file";
  /** Open for reading; whoever takes the delivery closes it. */
  handle: FileHandle;
  sizeBytes: number;
  etag: string;
  /** Epoch milliseconds; undefined where it isn't known. */
  modifiedAt: number | undefined;
  contentType: string;
  fileName: string;
}

export interface CloudDelivery extends Redeemable {
  kind: "redirect";
  location: string;
}

export type Delivery = FileDelivery | CloudDelivery;

/** What was delivered, for the record. */
interface Delivered {
  fileIds: readonly string[];
  plan?: ArchivePlan;
}

export class DeliveriesService {
  readonly #reads: CatalogueRepositories & Pick<RecordRepositories, "events">;
  readonly #store: FileStore;
  readonly #plans: ArchivePlans;
  readonly #archives: Archives;
  readonly #readerFacts: ReaderFacts;
  readonly #write: WriteRecords;
  readonly #tokens: Tokens;
  readonly #clock: Clock;
  readonly #log: Logger;

  constructor(uses: {
    reads: CatalogueRepositories & Pick<RecordRepositories, "events">;
    store: FileStore;
    plans: ArchivePlans;
    archives: Archives;
    readerFacts: ReaderFacts;
    write: WriteRecords;
    tokens: Tokens;
    clock: Clock;
    log: Logger;
  }) {
    this.#reads = uses.reads;
    this.#store = uses.store;
    this.#plans = uses.plans;
    this.#archives = uses.archives;
    this.#readerFacts = uses.readerFacts;
    this.#write = uses.write;
    this.#tokens = uses.tokens;
    this.#clock = uses.clock;
    this.#log = uses.log;
  }

  /** 404 for a token that isn't ours, 410 for one whose time is over, 404 for what is no longer published. */
  async open(token: string, reader: Reader): Promise<Delivery> {
    const event = await this.#eventOf(token);
    const language = await this.#reads.languages.find(event.languageId);
    if (!language || language.isActive === 0) throw unavailableFile();
    return event.isDownloadAll === 1
      ? this.#openArchive(event, language, reader)
      : this.#openFile(event, language, reader);
  }

  async #eventOf(token: string): Promise<EventRow> {
    const check = this.#tokens.check(token);
    if (check.kind === "expired") {
      throw gone("download_token_expired", "This download link has expired. Ask for a new one.");
    }
    const event =
      check.kind === "valid" ? await this.#reads.events.find(Number(check.claims.subject)) : undefined;
    if (!event) throw notFound("download_token_unknown", "This download link is not valid.");
    return event;
  }

  async #openFile(event: EventRow, language: LanguageRow, reader: Reader): Promise<Delivery> {
    const file = await this.#publishedFile(event, language);
    const redeem = this.#redemption(event, language, reader, { fileIds: [file.id] });
    if (file.cloudUrl !== null) {
      const source = sourceTypeOf(file);
      const location =
        source === "local" ? file.cloudUrl : directDownloadUrl(file.cloudUrl, source, file.fileType);
      return { kind: "redirect", location, redeem };
    }
    if (file.sha256 === null) throw unavailableFile();
    const { handle, sizeBytes } = await this.#store.open(file.sha256);
    return {
      kind: "file",
      handle,
      sizeBytes,
      etag: `"${file.sha256}"`,
      modifiedAt: file.updatedAt,
      contentType: mediaTypeOf(fileTypeOf(file)),
      fileName: file.fileName,
      redeem,
    };
  }

  async #openArchive(event: EventRow, language: LanguageRow, reader: Reader): Promise<Delivery> {
    const plan = await this.#plans.of(language);
    if (plan.members.length === 0) throw unavailableFile();
    const archive = await this.#reads.events.findArchive(plan.id);
    const fileIds = plan.members.map((member) => member.file.id);
    return {
      kind: "file",
      ...(await this.#archives.open(plan)),
      modifiedAt: archive?.createdAt,
      contentType: mediaTypeOf("zip"),
      fileName: event.fileName,
      redeem: this.#redemption(event, language, reader, { fileIds, plan }),
    };
  }

  /** The file as it is now, if the book is still published in the language. */
  async #publishedFile(event: EventRow, language: LanguageRow): Promise<ActiveFileRow> {
    const { publication } = this.#reads;
    const book = event.bookId === null ? undefined : await publication.find(event.bookId);
    if (!book) throw unavailableFile();
    const files = await publication.activeFilesOf([book.id]);
    const visibility = await publication.visibilityOf([book.id]);
    const isPublished = languagesOf({ files, visibility }, [language]).length > 0;
    const file = filesIn(files, language).find((candidate) => candidate.id === event.fileId);
    if (!isPublished || !file) throw unavailableFile();
    return file;
  }

  /** The first delivery to a person fills the event in and is counted; bots, prefetches and later ones aren't. */
  #redemption(event: EventRow, language: LanguageRow, reader: Reader, { fileIds, plan }: Delivered) {
    const facts = this.#readerFacts.of(reader);
    return async (): Promise<void> => {
      if (event.redeemedAt !== null || reader.isPrefetch || facts.isBot === 1) return;
      const now = this.#clock.now();
      // The reader who really downloads counts; where the form was posted from is kept only if nothing else is known.
      const seen = { ...facts, referrer: facts.referrer || event.referrer };
      const delivered = plan ? { archiveId: plan.id, booksCount: plan.bookIds.length } : {};
      try {
        await this.#write(async ({ events }) => {
          if (plan) await putArchive(events, plan, language, now);
          const isFirst = await events.redeem(event.id, { redeemedAt: now, ...seen, ...delivered });
          if (isFirst) await events.countDelivery(fileIds);
        });
      } catch (error) {
        // A full disk must not keep the book from its reader.
        this.#log.error({ err: error, eventId: event.id }, "a redemption could not be recorded");
      }
    };
  }
}

const unavailableFile = () => notFound("file_unavailable", "This file is no longer available.");
