/** Download links: the token that identifies an event, and what the event's link delivers now. */
import type { Clock } from "../../adapters/system.ts";
import { type DownloadIds, isOfEvent, type TokenCheck, type Tokens } from "../../adapters/tokens.ts";
import { gone, notFound } from "../../errors.ts";
import { DAY, isoTime } from "../../lib/time.ts";
import type { EventRow } from "../../repositories/events.repository.ts";
import type { CatalogueRepositories, RecordRepositories } from "../../repositories/index.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import type { ActiveFileRow } from "../../repositories/publication.repository.ts";
import type { PublicCatalogueService } from "../catalogue/public-catalogue.service.ts";
import { Service } from "../shared/service.ts";
import type { ArchivePlan, ArchivePlans } from "./archive-plan.ts";

/** A link that this service created. Times are in epoch milliseconds. */
export interface Link {
  event: EventRow;
  expiresAt: number;
  /** When the first link of a chain of renewed links was created. */
  firstIssuedAt: number;
}

/** What a link needs of its event. */
export type RequestedEvent = Pick<EventRow, "id" | "downloadedAt">;

/** How long a link can be renewed, from the first link of the chain on. */
const RENEWABLE_MS = DAY;

interface FoundFile {
  file: ActiveFileRow;
  /** Of the book, in the language. */
  title: string;
  slug: string;
}

interface DownloadLinksDeps {
  catalogue: PublicCatalogueService;
  plans: ArchivePlans;
  languages: CatalogueRepositories["languages"];
  events: RecordRepositories["events"];
  tokens: Tokens;
  ids: DownloadIds;
  tokenTtlMs: number;
  clock: Clock;
}

export class DownloadLinks extends Service<DownloadLinksDeps> {
  /**
   * The link of an event; its holder counts as the reader who requested it.
   * @param options.firstIssuedAt of the link that it renews
   * @param options.lifeMs in place of the setting
   */
  async create(
    { id, downloadedAt: writtenAt }: RequestedEvent,
    { firstIssuedAt, lifeMs = this.deps.tokenTtlMs }: { firstIssuedAt?: number; lifeMs?: number } = {},
  ): Promise<{ downloadUrl: string; expiresAt: string }> {
    const { tokens, ids } = this.deps;
    const { token, expiresAt } = await tokens.issue(ids.seal(id), lifeMs, { firstIssuedAt, writtenAt });
    return { downloadUrl: `/api/download/${token}`, expiresAt: isoTime(expiresAt) };
  }

  /** Throws 404 for an invalid token, and 410 for an expired one. */
  async open(token: string): Promise<Link> {
    const check = await this.deps.tokens.check(token);
    if (check.kind === "expired") {
      throw gone("download_token_expired", "This download link has expired. Request a new one.");
    }
    return this.#findLink(check);
  }

  /** Also finds an expired link. Throws 404 for an invalid token. */
  async find(token: string): Promise<Link> {
    return this.#findLink(await this.deps.tokens.check(token));
  }

  async #findLink(check: TokenCheck): Promise<Link> {
    const { ids, events } = this.deps;
    if (check.kind === "refused") throw unknownLink();
    const { subject, issuedAt, expiresAt, firstIssuedAt = issuedAt } = check.claims;
    const id = ids.open(subject);
    const event = id === undefined ? undefined : await events.find(id);
    if (!event || !isOfEvent(check.claims, event)) throw unknownLink();
    return { event, expiresAt, firstIssuedAt };
  }

  isExpired({ expiresAt }: Link): boolean {
    return this.deps.clock.now() >= expiresAt;
  }

  /** Whether the link is young enough for another one. */
  isRenewable({ firstIssuedAt }: Link): boolean {
    return this.deps.clock.now() < firstIssuedAt + RENEWABLE_MS;
  }

  /** The language of an event. Throws 404 `file_unavailable` if it was deleted or isn't active. */
  async findLanguage(event: EventRow): Promise<LanguageRow> {
    const language = await this.deps.languages.find(event.languageId);
    if (!language || language.isActive === 0) throw unavailableFile();
    return language;
  }

  /** The title of the requested book, or the native name of the language of which all books were requested. */
  async findTitle({ isDownloadAll, languageId, languageName, bookTitle }: EventRow): Promise<string> {
    if (isDownloadAll === 0) return bookTitle;
    return (await this.deps.languages.find(languageId))?.nativeName ?? languageName;
  }

  /** The current content of the file, or the file of the same type that replaced it, if the book is still published. */
  async findFile(event: EventRow, language: LanguageRow): Promise<FoundFile> {
    const { catalogue } = this.deps;
    const edition = await catalogue.findEdition(event.bookId ?? "", language, await catalogue.readVersion());
    const files = edition?.files ?? [];
    const file =
      files.find(({ id }) => id === event.fileId) ??
      files.find(({ fileType }) => fileType === event.fileType);
    if (!edition || !file) throw unavailableFile();
    return { file, title: edition.title, slug: edition.book.slug };
  }

  /** The current files of a language. Throws 404 `file_unavailable` if there are none. */
  async findPlan(language: LanguageRow): Promise<ArchivePlan> {
    const plan = await this.deps.plans.getPlan(language);
    if (plan.members.length === 0) throw unavailableFile();
    return plan;
  }
}

export const unknownLink = () => notFound("download_token_unknown", "This download link is not valid.");

export const unavailableFile = () => notFound("file_unavailable", "This file is no longer available.");
