/** Maps events to API objects. */
import type { LoggedEvent } from "../../repositories/exports/download-log.ts";
import type { DownloadEvent } from "../../schemas/analytics.schemas.ts";
import { presentPersonalEvent } from "../contacts/presenters.ts";

export const presentEvent = (row: LoggedEvent): DownloadEvent => ({
  ...presentPersonalEvent(row),
  bookId: row.bookId,
  languageId: row.languageId,
  contactId: row.contactPublicId,
  contactEmail: row.contactEmail ?? "",
  contactFirstName: row.contactFirstName ?? "",
  contactLastName: row.contactLastName ?? "",
});
