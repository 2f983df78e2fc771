/** Requests for downloads: selects the published files, records the request, and creates a link that expires. */
import type { DownloadIds, Tokens } from "../../adapters/tokens.ts";
import { badRequest, notFound } from "../../errors.ts";
import { suggestEmail } from "../../lib/email.ts";
import { isoTime } from "../../lib/time.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import type { ActiveFileRow } from "../../repositories/publication.repository.ts";
import type { Campaign, SubmitAllRequest, SubmitRequest } from "../../schemas/download-requests.schemas.ts";
import { fileTypeOf } from "../books/presenters.ts";
import type { PublicCatalogueService } from "../catalogue/public-catalogue.service.ts";
import type { Client } from "../users/actor.ts";
import type { ArchivePlans } from "./archive-plan.ts";
import type { Archives } from "./archives.ts";
import { arrivingName, type DownloadNames } from "./deliveries.service.ts";
import type { DownloadRecords, DownloadRequest, Requester } from "./download-records.ts";

interface DownloadsServiceDeps {
  catalogue: PublicCatalogueService;
  plans: ArchivePlans;
  archives: Archives;
  records: DownloadRecords;
  tokens: Tokens;
  ids: DownloadIds;
  names: DownloadNames;
  tokenTtlMs: number;
}

export class DownloadsService {
  readonly #deps: DownloadsServiceDeps;

  constructor(deps: DownloadsServiceDeps) {
    this.#deps = deps;
  }

  /** Creates a link to one file of a book. */
  async submit(request: SubmitRequest, campaign: Campaign, client: Client) {
    const language = await this.#deps.catalogue.activeLanguage(request.languageCode);
    const { file, title } = await this.#requestedFile(request, language);
    const { bookId, id: fileId, fileType, fileSizeBytes } = file;
    const asked = { language, bookId, fileId, bookTitle: title, fileType, fileName: file.fileName };
    const { contact, consent } = request;
    const link = await this.#link(asked, { contact, consent, campaign, client });
    const fileName = arrivingName(this.#deps.names, file, { title, languageCode: language.code });
    return { ...link, fileName, fileSizeBytes, fileType: fileTypeOf(file) };
  }

  /** Creates a link to a ZIP with all files that are published in a language. */
  async submitAll(request: SubmitAllRequest, campaign: Campaign, client: Client) {
    const language = await this.#deps.catalogue.activeLanguage(request.languageCode);
    const plan = await this.#deps.plans.of(language);
    const { members, bookIds, totalBytes } = plan;
    if (members.length === 0) throw notFound("nothing_to_download", "Nothing is published in this language.");
    const file = { fileType: "zip", fileName: `${language.code}.zip` };
    const asked = { language, bookId: null, fileId: null, plan, bookTitle: "All books", ...file };
    const { contact, consent } = request;
    const link = await this.#link(asked, { contact, consent, campaign, client });
    this.#deps.archives.prepare(plan);
    return { ...link, booksCount: bookIds.length, filesCount: members.length, totalBytes };
  }

  async #requestedFile(request: SubmitRequest, language: LanguageRow) {
    const edition = await this.#deps.catalogue.edition(request.bookId ?? request.slug ?? "", language);
    const isNamed = edition && (request.bookId === edition.book.id || request.slug === edition.book.slug);
    if (!isNamed) throw notFound("book_not_found", "Book not found.");
    const { files, title } = edition;
    if (files.length === 0) {
      throw notFound("not_published", "This book isn't published in this language.");
    }
    return { file: chosenFile(files, request), title };
  }

  /** The token identifies the event; its holder counts as the reader who requested it. */
  async #link(asked: DownloadRequest, requester: Requester) {
    const eventId = await this.#deps.records.addRequest(asked, requester);
    const { token, expiresAt } = this.#deps.tokens.issue(this.#deps.ids.seal(eventId), this.#deps.tokenTtlMs);
    const emailSuggestion = suggestEmail(requester.contact.email);
    return {
      downloadUrl: `/api/download/${token}`,
      expiresAt: isoTime(expiresAt),
      ...(emailSuggestion !== undefined && { emailSuggestion }),
    };
  }
}

/** The requested file, or the only file of the book. */
function chosenFile(files: readonly ActiveFileRow[], { fileId, fileType }: SubmitRequest): ActiveFileRow {
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
