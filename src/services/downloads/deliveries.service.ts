/** Resolves a download link to a file, the ZIP of a language, or the URL of a cloud file. */
import type { ByteHandle, FileStore } from "../../adapters/files/file-store.ts";
import type { Clock } from "../../adapters/system.ts";
import type { DownloadIds, Tokens } from "../../adapters/tokens.ts";
import { gone, notFound } from "../../errors.ts";
import { directDownloadUrl } from "../../lib/cloud-links.ts";
import { downloadName } from "../../lib/file-names.ts";
import type { EventRow } from "../../repositories/events.repository.ts";
import type { CatalogueRepositories, RecordRepositories } from "../../repositories/index.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import type { ActiveFileRow } from "../../repositories/publication.repository.ts";
import { extensionOf, type FileType, mediaTypeOf } from "../../schemas/file-types.ts";
import { fileTypeOf } from "../books/presenters.ts";
import { type CatalogueVersions, retryIfCatalogueChanged } from "../catalogue/catalogue-cache.ts";
import type { PublicCatalogueService } from "../catalogue/public-catalogue.service.ts";
import { openBytes } from "../results.ts";
import type { ArchivePlan, ArchivePlans } from "./archive-plan.ts";
import { type Archives, hasCloudMembers, type OpenArchive, wholeEtag } from "./archives.ts";
import type { DownloadRecords, Reader } from "./download-records.ts";

export type { Reader } from "./download-records.ts";

interface Redeemable {
  /** Call this when a GET is about to deliver the first byte. Repeated calls count once. */
  redeem(): Promise<void>;
}

export interface FileDelivery extends Redeemable {
  kind: "file";
  /** Open for reading; the caller closes it. */
  handle: ByteHandle;
  sizeBytes: number;
  etag: string;
  /** Epoch milliseconds; undefined if unknown. */
  modifiedAt: number | undefined;
  contentType: string;
  fileName: string;
  /**
   * The file has changed since the link was created: a range may be sent only to a client that names the matching
   * version, because a resumed download would otherwise combine two versions.
   */
  hasChanged?: boolean;
  /**
   * Where the client can fetch the bytes itself, as long as the link works and at least a minute, with this
   * Content-Disposition; undefined if the service sends them.
   */
  address?: ((contentDisposition: string) => Promise<string>) | undefined;
}

/** A ZIP that may have to be built first. */
export interface ArchiveDelivery extends Pick<FileDelivery, "contentType" | "fileName"> {
  kind: "archive";
  /** The entity tag of the ZIP with all its members, in quotes. */
  etag: string;
  /** Whether every ZIP that can be built now has this tag; an incomplete one has a different tag. */
  isEtagCertain: boolean;
  /** Opens the ZIP if it exists, without building it. The caller closes it. */
  openKept(): Promise<FileDelivery | undefined>;
  /** Opens the ZIP, and builds it if necessary. Throws 503 if that takes too long or if a member can't be read. */
  open(): Promise<FileDelivery>;
}

export interface CloudDelivery extends Redeemable {
  kind: "redirect";
  location: string;
}

export type Delivery = FileDelivery | ArchiveDelivery | CloudDelivery;

interface DeliveriesServiceDeps {
  languages: CatalogueRepositories["languages"];
  versions: CatalogueVersions;
  events: RecordRepositories["events"];
  catalogue: PublicCatalogueService;
  store: FileStore;
  plans: ArchivePlans;
  archives: Archives;
  records: DownloadRecords;
  tokens: Tokens;
  ids: DownloadIds;
  names: DownloadNames;
  clock: Clock;
  /** Whether clients fetch files and ZIPs from a store that has addresses for them. */
  redirectsDownloads: boolean;
}

export class DeliveriesService {
  readonly #deps: DeliveriesServiceDeps;

  constructor(deps: DeliveriesServiceDeps) {
    this.#deps = deps;
  }

  /** Throws 404 for an invalid token, 410 for an expired one, and 404 for content that is no longer published. */
  async open(token: string, reader: Reader): Promise<Delivery> {
    const link = await this.#linkOf(token);
    const { event } = link;
    return retryIfCatalogueChanged(this.#deps.versions, async () => {
      const language = await this.#deps.languages.find(event.languageId);
      if (!language || language.isActive === 0) throw unavailableFile();
      return event.isDownloadAll === 1
        ? this.#archive(link, language, reader)
        : this.#openFile(link, language, reader);
    });
  }

  /** The language code of a link, even if the link has expired; undefined for an invalid token. */
  async languageOf(token: string): Promise<string | undefined> {
    const check = this.#deps.tokens.check(token);
    if (check.kind === "refused") return undefined;
    const id = this.#deps.ids.open(check.claims.subject);
    return id === undefined ? undefined : (await this.#deps.events.find(id))?.languageCode;
  }

  async #linkOf(token: string): Promise<Link> {
    const check = this.#deps.tokens.check(token);
    if (check.kind === "expired") {
      throw gone("download_token_expired", "This download link has expired. Request a new one.");
    }
    const id = check.kind === "valid" ? this.#deps.ids.open(check.claims.subject) : undefined;
    const event = id === undefined ? undefined : await this.#deps.events.find(id);
    if (!event || check.kind !== "valid")
      throw notFound("download_token_unknown", "This download link is not valid.");
    return { event, expiresAt: check.claims.expiresAt };
  }

  async #openFile(link: Link, language: LanguageRow, reader: Reader): Promise<Delivery> {
    const { event } = link;
    const { file, title } = await this.#publishedFile(event, language);
    const redeem = () => this.#deps.records.addDelivery(event, reader, { language, fileIds: [file.id] });
    if (file.cloudUrl !== null)
      return { kind: "redirect", location: directDownloadUrl(file.cloudUrl, file.fileType), redeem };
    const { sha256, fileSizeBytes } = file;
    if (sha256 === null) throw unavailableFile();
    const { handle, sizeBytes } = await openBytes(this.#deps.store, { sha256, fileSizeBytes });
    const fileType = fileTypeOf(file);
    return {
      kind: "file",
      handle,
      address: this.#addressOf(handle, fileType, link),
      sizeBytes,
      etag: `"${sha256}"`,
      modifiedAt: file.updatedAt,
      contentType: mediaTypeOf(fileType),
      fileName: arrivingName(this.#deps.names, file, { title, languageCode: language.code }),
      hasChanged: file.id !== event.fileId || file.updatedAt > event.downloadedAt,
      redeem,
    };
  }

  async #archive(link: Link, language: LanguageRow, reader: Reader): Promise<ArchiveDelivery> {
    const { event } = link;
    const plan = await this.#planOf(language);
    const described = { contentType: mediaTypeOf("zip"), fileName: event.fileName };
    const delivery = (of: ArchivePlan, archive: OpenArchive): FileDelivery => ({
      kind: "file",
      ...archive,
      ...described,
      address: this.#addressOf(archive.handle, "zip", link),
      // The same set of files can be published again after a different one, so only the entity tag identifies it.
      modifiedAt: undefined,
      redeem: () => {
        const fileIds = of.members.map((member) => member.file.id);
        return this.#deps.records.addDelivery(event, reader, { language, fileIds, plan: of });
      },
    });
    return {
      kind: "archive",
      ...described,
      etag: wholeEtag(plan),
      isEtagCertain: !hasCloudMembers(plan),
      openKept: async () => {
        const kept = await this.#deps.archives.openKept(plan);
        return kept && delivery(plan, kept);
      },
      open: () =>
        retryIfCatalogueChanged(this.#deps.versions, async () => {
          const planNow = await this.#planOf(language);
          return delivery(planNow, await this.#deps.archives.open(planNow));
        }),
    };
  }

  #addressOf(handle: ByteHandle, fileType: FileType, { expiresAt }: Link): FileDelivery["address"] {
    const addressFor = this.#deps.redirectsDownloads ? handle.addressFor?.bind(handle) : undefined;
    if (addressFor === undefined) return undefined;
    const seconds = Math.max(MIN_ADDRESS_SECONDS, Math.ceil((expiresAt - this.#deps.clock.now()) / 1000));
    const contentType = RUNNABLE.has(fileType) ? "application/octet-stream" : mediaTypeOf(fileType);
    return (contentDisposition) => addressFor({ seconds, contentType, contentDisposition });
  }

  async #planOf(language: LanguageRow): Promise<ArchivePlan> {
    const plan = await this.#deps.plans.of(language);
    if (plan.members.length === 0) throw unavailableFile();
    return plan;
  }

  /** The current content of the file, or the file of the same type that replaced it, if the book is still published. */
  async #publishedFile(
    event: EventRow,
    language: LanguageRow,
  ): Promise<{ file: ActiveFileRow; title: string }> {
    const edition = await this.#deps.catalogue.edition(event.bookId ?? "", language);
    const files = edition?.files ?? [];
    const file =
      files.find(({ id }) => id === event.fileId) ??
      files.find(({ fileType }) => fileType === event.fileType);
    if (!edition || !file) throw unavailableFile();
    return { file, title: edition.title };
  }
}

/** The event of a download link, and when the link expires (epoch milliseconds). */
interface Link {
  event: EventRow;
  expiresAt: number;
}

/** Enough to follow a redirect, and to resume a broken download once. */
const MIN_ADDRESS_SECONDS = 60;

/** What a browser could display or run. A store doesn't send the headers with which this service prevents that. */
const RUNNABLE: ReadonlySet<FileType> = new Set<FileType>(["html", "txt", "fb2"]);

const unavailableFile = () => notFound("file_unavailable", "This file is no longer available.");

/** File names from the book's title in the reader's language, or the names of the uploaded files. */
export type DownloadNames = "title" | "original";

/** The host of a cloud file chooses the file name; the recorded name is the best guess. */
export const arrivingName = (
  names: DownloadNames,
  file: ActiveFileRow,
  edition: { title: string; languageCode: string },
): string =>
  names === "original" || file.cloudUrl !== null
    ? file.fileName
    : downloadName({ ...edition, extension: extensionOf(fileTypeOf(file)) });
