/** Requests for downloads: contact and event are written together, and the answer is a link that works for a while. */
import type { Clock } from "../adapters/clock.ts";
import type { NewId } from "../adapters/ids.ts";
import type { Tokens } from "../adapters/tokens.ts";
import { badRequest, notFound } from "../errors.ts";
import { suggestEmail } from "../lib/email.ts";
import { isoTime } from "../lib/time.ts";
import type { CatalogueRepositories, RecordRepositories, WriteRecords } from "../repositories/index.ts";
import type { LanguageRow } from "../repositories/languages.repository.ts";
import type { ActiveFileRow } from "../repositories/publication.repository.ts";
import type { Campaign, ContactForm, SubmitAllRequest, SubmitRequest } from "../schemas/public.schemas.ts";
import type { Client } from "./actor.ts";
import type { ArchivePlan, ArchivePlans } from "./archive-plan.ts";
import type { Archives } from "./archives.ts";
import { contactChange, newContact } from "./contact-rules.ts";
import { fileTypeOf } from "./presenters.ts";
import type { PublicCatalogueService } from "./public-catalogue.service.ts";
import { filesIn, languagesOf } from "./publication-rules.ts";
import type { ReaderFacts } from "./reader-facts.ts";

/** What the event says of the thing that was asked for. */
interface Requested {
  isDownloadAll: 0 | 1;
  booksCount: number;
  bookId: string | null;
  fileId: string | null;
  archiveId: string | null;
  bookTitle: string;
  fileType: string;
  fileName: string;
}

export class DownloadsService {
  readonly #reads: CatalogueRepositories;
  readonly #catalogue: PublicCatalogueService;
  readonly #plans: ArchivePlans;
  readonly #archives: Archives;
  readonly #readerFacts: ReaderFacts;
  readonly #write: WriteRecords;
  readonly #tokens: Tokens;
  readonly #tokenTtlMs: number;
  readonly #newId: NewId;
  readonly #clock: Clock;

  constructor(uses: {
    reads: CatalogueRepositories;
    catalogue: PublicCatalogueService;
    plans: ArchivePlans;
    archives: Archives;
    readerFacts: ReaderFacts;
    write: WriteRecords;
    tokens: Tokens;
    tokenTtlMs: number;
    newId: NewId;
    clock: Clock;
  }) {
    this.#reads = uses.reads;
    this.#catalogue = uses.catalogue;
    this.#plans = uses.plans;
    this.#archives = uses.archives;
    this.#readerFacts = uses.readerFacts;
    this.#write = uses.write;
    this.#tokens = uses.tokens;
    this.#tokenTtlMs = uses.tokenTtlMs;
    this.#newId = uses.newId;
    this.#clock = uses.clock;
  }

  /** A link to one file of one book. */
  async submit(request: SubmitRequest, campaign: Campaign, client: Client) {
    const language = await this.#catalogue.activeLanguage(request.languageCode);
    const { file, bookTitle } = await this.#publishedFile(request, language);
    const requested: Requested = {
      isDownloadAll: 0,
      booksCount: 1,
      bookId: file.bookId,
      fileId: file.id,
      archiveId: null,
      bookTitle,
      fileType: file.fileType,
      fileName: file.fileName,
    };
    const link = await this.#record({ requested, language, contact: request.contact, campaign, client });
    return {
      ...link,
      fileName: file.fileName,
      fileSizeBytes: file.fileSizeBytes,
      fileType: fileTypeOf(file),
    };
  }

  /** A link to a ZIP with everything that is published in a language. */
  async submitAll(request: SubmitAllRequest, campaign: Campaign, client: Client) {
    const language = await this.#catalogue.activeLanguage(request.languageCode);
    const plan = await this.#plans.of(language);
    if (plan.members.length === 0)
      throw notFound("nothing_to_download", "Nothing is published in this language.");
    const requested: Requested = {
      isDownloadAll: 1,
      booksCount: plan.bookIds.length,
      bookId: null,
      fileId: null,
      archiveId: plan.id,
      bookTitle: "All books",
      fileType: "zip",
      fileName: `${language.code}.zip`,
    };
    const link = await this.#record({
      requested,
      plan,
      language,
      contact: request.contact,
      campaign,
      client,
    });
    this.#archives.prepare(plan);
    return {
      ...link,
      booksCount: plan.bookIds.length,
      filesCount: plan.members.length,
      totalBytes: plan.totalBytes,
    };
  }

  async #publishedFile(request: SubmitRequest, language: LanguageRow) {
    const { publication, translations } = this.#reads;
    const book = await publication.find(request.bookId ?? request.slug ?? "");
    const isNamed =
      book && (request.bookId === undefined ? book.slug === request.slug : book.id === request.bookId);
    if (!book || !isNamed) throw notFound("book_not_found", "There is no such book.");
    const files = await publication.activeFilesOf([book.id]);
    const visibility = await publication.visibilityOf([book.id]);
    if (languagesOf({ files, visibility }, [language]).length === 0) {
      throw notFound("not_published", "This book isn't published in this language.");
    }
    const file = chosenFile(filesIn(files, language), request);
    const translation = await translations.find(book.id, language.id);
    return { file, bookTitle: translation?.title ?? book.titleEn };
  }

  async #record({
    requested,
    plan,
    language,
    contact,
    campaign,
    client,
  }: {
    requested: Requested;
    plan?: ArchivePlan;
    language: LanguageRow;
    contact: ContactForm;
    campaign: Campaign;
    client: Client;
  }) {
    const now = this.#clock.now();
    const reader = this.#readerFacts.of(client);
    const eventId = await this.#write(async ({ contacts, events }) => {
      const contactId = await this.#putContact(contacts, contact, now);
      if (plan) await putArchive(events, plan, language, now);
      return events.insert({
        downloadedAt: now,
        redeemedAt: null,
        contactId,
        ...requested,
        languageId: language.id,
        languageName: language.name,
        languageCode: language.code,
        ...reader,
        utmSource: campaign.utm_source || null,
        utmMedium: campaign.utm_medium || null,
        utmCampaign: campaign.utm_campaign || null,
      });
    });
    const { token, expiresAt } = this.#tokens.issue(String(eventId), this.#tokenTtlMs);
    const emailSuggestion = suggestEmail(contact.email);
    return {
      downloadUrl: `/api/download/${token}`,
      expiresAt: isoTime(expiresAt),
      ...(emailSuggestion !== undefined && { emailSuggestion }),
    };
  }

  async #putContact(
    contacts: RecordRepositories["contacts"],
    form: ContactForm,
    now: number,
  ): Promise<string> {
    const known = await contacts.findByEmail(form.email);
    if (known) {
      await contacts.update(known.id, contactChange(known, form, now));
      return known.id;
    }
    const id = this.#newId();
    await contacts.insert(newContact(id, form, now));
    return id;
  }
}

/** The archive that downloads of the same set share. */
export async function putArchive(
  events: RecordRepositories["events"],
  plan: ArchivePlan,
  language: LanguageRow,
  now: number,
): Promise<void> {
  if (await events.findArchive(plan.id)) return;
  const { id, bookIds, members, totalBytes } = plan;
  const row = {
    id,
    languageId: language.id,
    booksCount: bookIds.length,
    filesCount: members.length,
    totalBytes,
  };
  await events.insertArchive({ ...row, createdAt: now }, bookIds);
}

/** The file that the request names, or the only one there is. */
function chosenFile(files: readonly ActiveFileRow[], { fileId, fileType }: SubmitRequest): ActiveFileRow {
  const fitting = files.filter(
    (file) =>
      (fileId === undefined || file.id === fileId) && (fileType === undefined || file.fileType === fileType),
  );
  const [file] = fitting;
  if (!file) throw notFound("file_not_found", "This book has no such file in this language.");
  if (fitting.length === 1) return file;
  const types = fitting.map((candidate) => candidate.fileType).join(", ");
  throw badRequest("file_type_needed", `Say which file: this book has ${types}.`, {
    faults: [{ in: "body", path: "fileType", message: `must be one of ${types}`, code: "file_type_needed" }],
  });
}
