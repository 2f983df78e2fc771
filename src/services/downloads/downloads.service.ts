/** Requests for downloads: selects the published files, records the request, and creates a link that expires. */
import { AppError, badRequest, gone, notFound } from "../../errors.ts";
import { loadOnce } from "../../lib/lazily.ts";
import type { EventRow } from "../../repositories/events.repository.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import type { ActiveFileRow } from "../../repositories/publication.repository.ts";
import type {
  Campaign,
  ContactForm,
  SubmitAllRequest,
  SubmitRequest,
} from "../../schemas/download-requests.schemas.ts";
import type { PublicCatalogueService } from "../catalogue/public-catalogue.service.ts";
import type { ConfirmationRules } from "../confirmations/confirmation-rules.ts";
import type { Client } from "../shared/actor.ts";
import type { CatalogueScope } from "../shared/catalogue-versions.ts";
import { Service } from "../shared/service.ts";
import { fileTypeOf } from "../shared/stored-values.ts";
import type { ArchivePlan, ArchivePlans } from "./archive-plan.ts";
import type { Archives } from "./archives.ts";
import { chooseArrivingName, type DownloadNames } from "./deliveries.service.ts";
import { type DownloadLinks, unknownLink } from "./download-links.ts";
import type { DownloadRecords, DownloadRequest, Requester } from "./download-records.ts";

interface DownloadsServiceDeps {
  catalogue: PublicCatalogueService;
  plans: ArchivePlans;
  archives: Archives;
  records: DownloadRecords;
  links: DownloadLinks;
  names: DownloadNames;
  rules: ConfirmationRules;
}

const loadSuggestions = loadOnce(() => import("../../lib/email-suggestion.ts"));

/** A book was found by a value in the wrong field. */
const WRONG_FIELD = "Book not found. Send a slug as slug, and an id as bookId.";

export class DownloadsService extends Service<DownloadsServiceDeps> {
  /** Creates a link to one file of a book. */
  async submit(request: SubmitRequest, campaign: Campaign, client: Client) {
    const { contact, consent } = request;
    return this.#withPublished(async (version) => {
      const language = await this.deps.catalogue.findActiveLanguage(request.languageCode, version);
      const { file, title } = await this.#findRequestedFile(request, language, version);
      const asked = oneBook(file, title, language);
      const link = await this.#link(asked, { contact, consent, campaign, client }, version);
      const fileName = chooseArrivingName(this.deps.names, file, { title, languageCode: language.code });
      return { ...link, fileName, fileSizeBytes: file.fileSizeBytes, fileType: fileTypeOf(file) };
    });
  }

  /** Creates a link to a ZIP with all files that are published in a language. */
  async submitAll(request: SubmitAllRequest, campaign: Campaign, client: Client) {
    const { contact, consent } = request;
    return this.#withPublished(async (version) => {
      const language = await this.deps.catalogue.findActiveLanguage(request.languageCode, version);
      const plan = await this.deps.plans.getPlan(language);
      const { members, bookIds, totalBytes } = plan;
      if (members.length === 0)
        throw notFound("nothing_to_download", "Nothing is published in this language.");
      const asked = allBooks(plan, language);
      const link = await this.#link(asked, { contact, consent, campaign, client }, version);
      this.deps.archives.prepare(plan);
      return { ...link, booksCount: bookIds.length, filesCount: members.length, totalBytes };
    });
  }

  /**
   * Looks files up and records their request. If they stop being published in between, they are looked up once more:
   * another file may have replaced them, and otherwise the error names what is missing.
   */
  async #withPublished<T>(request: (version: CatalogueScope) => Promise<T>): Promise<T> {
    const { catalogue } = this.deps;
    try {
      return await request(await catalogue.readVersion());
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "file_unavailable") throw error;
      return request(await catalogue.readVersion());
    }
  }

  async #findRequestedFile(request: SubmitRequest, language: LanguageRow, version: CatalogueScope) {
    const bookId = request.bookId ?? request.slug ?? "";
    const edition = await this.deps.catalogue.findEdition(bookId, language, version);
    const isNamed = edition && (request.bookId === edition.book.id || request.slug === edition.book.slug);
    if (!isNamed) throw notFound("book_not_found", edition ? WRONG_FIELD : "Book not found.");
    const { files, title } = edition;
    if (files.length === 0) {
      throw notFound("not_published", "This book isn't published in this language.");
    }
    return { file: chooseFile(files, request), title };
  }

  async #link(
    asked: DownloadRequest,
    requester: Requester & { contact: ContactForm },
    version: CatalogueScope,
  ) {
    const { suggestEmail } = await loadSuggestions();
    const event = await this.deps.records.addRequest(asked, requester, version);
    const emailSuggestion = suggestEmail(requester.contact.email);
    const { catalogue, rules, links } = this.deps;
    const list = () => catalogue.listActiveLanguages(version);
    const confirmation = await rules.describe(asked.language, list);
    return {
      ...(await links.create(event)),
      ...(emailSuggestion !== undefined && { emailSuggestion }),
      ...(confirmation !== undefined && { confirmation }),
    };
  }

  /**
   * Creates another link to the same content for the same contact, who has given no new consent. The request counts as
   * a new one, from the same campaign. Throws 404 for an invalid token, an erased contact and content that is no longer
   * published, and 410 `download_renewal_expired` 24 hours after the first link.
   */
  async renew(token: string, client: Client) {
    const { links, records, archives } = this.deps;
    const link = await links.find(token);
    const { event, firstIssuedAt } = link;
    if (!links.isRenewable(link)) {
      throw gone(
        "download_renewal_expired",
        "This download link can't be renewed any more. Request a new one.",
      );
    }
    if (event.contactId === null) throw unknownLink();
    const { contactId, referrer, isUnconfirmed } = event;
    const requester = {
      contact: { id: contactId, isUnconfirmed },
      campaign: campaignOf(event),
      client: { ...client, referrer },
    };
    const added = await this.#withPublished(async (version) => {
      const asked = await this.#repeatRequest(event);
      const repeated = await records.addRequest(asked, requester, version);
      if (asked.plan) archives.prepare(asked.plan);
      return repeated;
    });
    return links.create(added, { firstIssuedAt });
  }

  async #repeatRequest(event: EventRow): Promise<DownloadRequest> {
    const { links } = this.deps;
    const language = await links.findLanguage(event);
    if (event.isDownloadAll === 1) return allBooks(await links.findPlan(language), language);
    const { file, title } = await links.findFile(event, language);
    return oneBook(file, title, language);
  }
}

const oneBook = (file: ActiveFileRow, title: string, language: LanguageRow): DownloadRequest => {
  const { bookId, id: fileId, fileType, fileName } = file;
  return { language, bookId, fileId, bookTitle: title, fileType, fileName };
};

const allBooks = (plan: ArchivePlan, language: LanguageRow): DownloadRequest => {
  const file = { fileType: "zip", fileName: `${language.code}.zip` };
  return { language, bookId: null, fileId: null, plan, bookTitle: "All books", ...file };
};

const campaignOf = ({ utmSource, utmMedium, utmCampaign }: EventRow): Campaign => ({
  utm_source: utmSource ?? undefined,
  utm_medium: utmMedium ?? undefined,
  utm_campaign: utmCampaign ?? undefined,
});

/** The requested file, or the only file of the book. */
function chooseFile(files: readonly ActiveFileRow[], { fileId, fileType }: SubmitRequest): ActiveFileRow {
  const fitting = files.filter(
    (file) =>
      (fileId === undefined || file.id === fileId) && (fileType === undefined || file.fileType === fileType),
  );
  const [file] = fitting;
  if (!file) throw notFound("file_not_found", "This book has no matching file in this language.");
  if (fitting.length === 1) return file;
  const types = fitting.map((candidate) => candidate.fileType).join(", ");
  throw badRequest("file_type_needed", `Select a file with fileType or fileId. This book has: ${types}.`, {
    errors: [{ in: "body", path: "fileType", message: `must be one of ${types}`, code: "file_type_needed" }],
  });
}
