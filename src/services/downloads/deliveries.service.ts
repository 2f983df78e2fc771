/** Resolves a download link to a file, the ZIP of a language, or the URL of a cloud file. */
import type { ByteHandle, FileStore } from "../../adapters/files/file-store.ts";
import { findDirectDownloadUrl } from "../../lib/cloud-links.ts";
import { downloadName } from "../../lib/file-names.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import type { ActiveFileRow } from "../../repositories/publication.repository.ts";
import { extensionOf, type FileType, mediaTypeOf } from "../../schemas/file-types.ts";
import type { ConfirmedBrowser, Withheld, WithheldLinks } from "../confirmations/withheld-links.ts";
import type { StoredFiles } from "../files/stored-files.ts";
import type { Reader } from "../shared/actor.ts";
import { type CatalogueVersions, retryIfCatalogueChanged } from "../shared/catalogue-versions.ts";
import { Service } from "../shared/service.ts";
import { openBytes } from "../shared/stored-bytes.ts";
import { fileTypeOf } from "../shared/stored-values.ts";
import type { ArchivePlan } from "./archive-plan.ts";
import { type Archives, hasCloudMembers, type OpenArchive, wholeEtag } from "./archives.ts";
import { type DownloadLinks, type Link, unavailableFile } from "./download-links.ts";
import type { DownloadRecords } from "./download-records.ts";

interface Redeemable {
  /** Call this when a GET is about to deliver the first byte. Repeated calls count once. */
  redeem(): Promise<void>;
}

export interface FileDelivery extends Redeemable {
  kind: "file";
  /** Open for reading; the caller closes it. */
  handle: ByteHandle;
  sizeBytes: number;
  /** What all bytes must have, of a store on another machine; undefined: they aren't compared. */
  sha256?: string | undefined;
  etag: string;
  /** Epoch milliseconds; undefined if unknown. */
  modifiedAt: number | undefined;
  contentType: string;
  fileName: string;
  /** Says which book it is to clients that read no other names. */
  asciiName?: string;
  /**
   * Another version than the link's, which is the one that it first delivered, or before that, the one at the time of
   * the form: a range may be sent only to a client that names this version, because a resumed download would otherwise
   * combine two versions.
   */
  hasChanged: boolean;
  /** Where the client can fetch the bytes itself; undefined if the service sends them. */
  store?: StoreSource | undefined;
  /** Where a proxy in front of the service finds the bytes, for a minute; undefined if the service sends them. */
  proxyAddress?: string | undefined;
}

/** The same bytes in a store. */
export interface StoreSource {
  /** The entity tag that the store sends, in quotes. */
  etag: string | undefined;
  /** An address for a response with this Content-Disposition, which begins within a minute. */
  createAddress(contentDisposition: string): Promise<string>;
}

/** A ZIP that may have to be built first. */
export interface ArchiveDelivery extends Pick<FileDelivery, "contentType" | "fileName"> {
  kind: "archive";
  /** The entity tag of the ZIP with all its members, in quotes. */
  etag: string;
  /** Whether every ZIP that can be built now is sent with this tag; an incomplete one has a different tag. */
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

/** What a link delivers to a browser. */
export interface Delivered {
  delivery: Delivery;
  /** A new token for a browser that opens the link of a confirmed request. */
  confirmedBrowser: ConfirmedBrowser | undefined;
}

/** A link, as a page for its reader needs it. */
interface LinkDescription {
  languageCode: string;
  /**
   * Set if the link has expired and its reader can get another one, with the title of what it delivers. A link that can't be
   * renewed doesn't reveal what a reader has requested.
   */
  renewable: { title: string } | undefined;
  /** Set if it delivers nothing until the reader's address is confirmed. */
  withheld: Withheld | undefined;
}

interface LinkFacts {
  /** Null for a ZIP of a language. */
  bookId: string | null;
  languageId: number;
}

/** What a link delivers. */
export type LinkPreview =
  | (LinkFacts & { isExpired: true })
  | (LinkFacts & {
      isExpired: false;
      /** In epoch milliseconds. */
      expiresAt: number;
      fileName: string;
      fileType: FileType;
      /** 0 if unknown. */
      sizeBytes: number;
      /** Set if it delivers nothing until the reader's address is confirmed, or only in a browser in which one was. */
      withheld: Withheld | undefined;
    });

interface DeliveriesServiceDeps {
  links: DownloadLinks;
  versions: CatalogueVersions;
  stored: Pick<StoredFiles, "open">;
  store: Pick<FileStore, "nameToProxy">;
  archives: Archives;
  records: DownloadRecords;
  names: DownloadNames;
  withheld: WithheldLinks;
  /** Whether clients fetch files and ZIPs from a store that has addresses for them. */
  redirectsDownloads: boolean;
  /** Whether a proxy sends files and ZIPs, with entity tags of its own. */
  proxiesDownloads: boolean;
}

export class DeliveriesService extends Service<DeliveriesServiceDeps> {
  /**
   * Throws 404 for an invalid token, 410 for an expired one, 403 if the address isn't confirmed yet, and 404 for content that
   * is no longer published.
   * @param browser the token of a browser in which an address was confirmed
   */
  async open(token: string, reader: Reader, browser?: string): Promise<Delivered> {
    const { links, versions, withheld } = this.deps;
    const link = await links.open(token);
    const confirmedBrowser = await withheld.admit(link.event, browser);
    const delivery = await retryIfCatalogueChanged(versions, async () => {
      const language = await links.findLanguage(link.event);
      return link.event.isDownloadAll === 1
        ? this.#archive(link, language, reader)
        : this.#openFile(link, language, reader);
    });
    return { delivery, confirmedBrowser };
  }

  /**
   * What a page about a link contains, also about an expired one. Throws 404 for an invalid token.
   * @param address of the client
   */
  async describe(token: string, address: string): Promise<LinkDescription> {
    const { links, withheld } = this.deps;
    const link = await links.find(token);
    const { languageCode, contactId } = link.event;
    const canBeRenewed = links.isExpired(link) && links.isRenewable(link) && contactId !== null;
    return {
      languageCode,
      renewable: canBeRenewed ? { title: await links.findTitle(link.event) } : undefined,
      withheld: links.isExpired(link) ? undefined : await withheld.describe(link.event, address),
    };
  }

  /**
   * What a link delivers, for a page about it. Throws 404 for an invalid token and for content that is no longer published.
   * @param address of the client
   */
  async preview(token: string, address: string): Promise<LinkPreview> {
    const { links, versions, names } = this.deps;
    const link = await links.find(token);
    const { event, expiresAt } = link;
    const { bookId, isDownloadAll } = event;
    const facts = { bookId: isDownloadAll === 1 ? null : bookId, languageId: event.languageId };
    if (links.isExpired(link)) return { ...facts, isExpired: true };
    const withheld = await this.deps.withheld.describe(event, address);
    const known = { ...facts, isExpired: false, expiresAt, withheld } as const;
    return retryIfCatalogueChanged(versions, async () => {
      const language = await links.findLanguage(event);
      if (isDownloadAll === 1) {
        const { totalBytes } = await links.findPlan(language);
        const { fileName } = event;
        return { ...known, fileName, fileType: "zip", sizeBytes: totalBytes };
      }
      const { file, title } = await links.findFile(event, language);
      const fileName = chooseArrivingName(names, file, { title, languageCode: language.code });
      const { fileSizeBytes: sizeBytes } = file;
      return { ...known, fileName, fileType: fileTypeOf(file), sizeBytes };
    });
  }

  async #openFile(link: Link, language: LanguageRow, reader: Reader): Promise<Delivery> {
    const { event } = link;
    const { file, title, slug } = await this.deps.links.findFile(event, language);
    const redeemAs = (version: string | null) => () =>
      this.deps.records.addDelivery(event, reader, { language, version, fileIds: [file.id] });
    if (file.cloudUrl !== null) {
      const location = findDirectDownloadUrl(file.cloudUrl, file.fileType);
      return { kind: "redirect", location, redeem: redeemAs(null) };
    }
    const { sha256, fileSizeBytes } = file;
    if (sha256 === null) throw unavailableFile();
    const etag = `"${sha256}"`;
    const isNewer = file.id !== event.fileId || file.updatedAt > event.downloadedAt;
    // Before the bytes are opened: once they were seen, nothing removes them before the proxy opens them.
    const proxyAddress = this.deps.store.nameToProxy(sha256);
    const { handle, sizeBytes } = await openBytes(this.deps.stored, { sha256, fileSizeBytes });
    const fileType = fileTypeOf(file);
    return {
      kind: "file",
      handle,
      store: this.#findSource(handle, fileType),
      proxyAddress,
      sizeBytes,
      // Those of a folder are compared by the deep examination.
      sha256: handle.source && sha256,
      etag,
      modifiedAt: file.updatedAt,
      contentType: mediaTypeOf(fileType),
      fileName: chooseArrivingName(this.deps.names, file, { title, languageCode: language.code }),
      asciiName: downloadName({ title: slug, languageCode: language.code, extension: extensionOf(fileType) }),
      hasChanged: event.deliveredVersion === null ? isNewer : event.deliveredVersion !== etag,
      redeem: redeemAs(etag),
    };
  }

  async #archive(link: Link, language: LanguageRow, reader: Reader): Promise<ArchiveDelivery> {
    const { event } = link;
    const plan = await this.deps.links.findPlan(language);
    const described = { contentType: mediaTypeOf("zip"), fileName: event.fileName };
    const createDelivery = (of: ArchivePlan, archive: OpenArchive): FileDelivery => ({
      kind: "file",
      ...archive,
      ...described,
      // An incomplete ZIP is soon replaced by another one at the same place.
      store: archive.etag === wholeEtag(of) ? this.#findSource(archive.handle, "zip") : undefined,
      // The same set of files can be published again after a different one, so only the entity tag identifies it.
      modifiedAt: undefined,
      hasChanged: archive.etag !== (event.deliveredVersion ?? `"${event.archiveId}"`),
      redeem: () => {
        const fileIds = of.members.map((member) => member.file.id);
        const delivered = { language, version: archive.etag, fileIds, plan: of };
        return this.deps.records.addDelivery(event, reader, delivered);
      },
    });
    return {
      kind: "archive",
      ...described,
      etag: wholeEtag(plan),
      isEtagCertain: !hasCloudMembers(plan) && !this.deps.proxiesDownloads,
      openKept: async () => {
        const kept = await this.deps.archives.openKept(plan);
        return kept && createDelivery(plan, kept);
      },
      open: () =>
        retryIfCatalogueChanged(this.deps.versions, async () => {
          const planNow = await this.deps.links.findPlan(language);
          return createDelivery(planNow, await this.deps.archives.open(planNow));
        }),
    };
  }

  #findSource({ source }: ByteHandle, fileType: FileType): StoreSource | undefined {
    if (source === undefined || !this.deps.redirectsDownloads) return undefined;
    const contentType = RUNNABLE.has(fileType) ? "application/octet-stream" : mediaTypeOf(fileType);
    return {
      etag: source.etag,
      createAddress: (contentDisposition) => source.createAddress({ contentType, contentDisposition }),
    };
  }
}

/** What a browser could display or run. A store doesn't send the headers with which this service prevents that. */
const RUNNABLE: ReadonlySet<FileType> = new Set<FileType>(["html", "txt", "fb2"]);

/** File names from the book's title in the reader's language, or the names of the uploaded files. */
export type DownloadNames = "title" | "original";

/** The host of a cloud file chooses the file name; the recorded name is the best guess. */
export const chooseArrivingName = (
  names: DownloadNames,
  file: ActiveFileRow,
  edition: { title: string; languageCode: string },
): string =>
  names === "original" || file.cloudUrl !== null
    ? file.fileName
    : downloadName({ ...edition, extension: extensionOf(fileTypeOf(file)) });
