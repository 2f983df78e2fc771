/** Deletes the download events of a language for good, and keeps what is on record of their contacts true. */
import type { WriteRecords } from "../repositories/index.ts";

type Repositories = Parameters<Parameters<WriteRecords>[0]>[0];

/**
 * The oldest events, at most `limit`. A contact has as many downloads fewer; the dates of the first and the last one are
 * those of events that are left. A contact of whom no event is left goes, with the consents.
 * @returns how many events there were
 */
export async function deleteEventsOfLanguage(
  { events, contacts }: Pick<Repositories, "events" | "contacts">,
  languageId: number,
  limit: number,
): Promise<number> {
  const oldest = await events.oldestOfLanguage(languageId, limit);
  await events.delete(oldest.map(({ id }) => id));
  for (const [contactId, gone] of Map.groupBy(oldest, (event) => event.contactId)) {
    if (contactId === null) continue;
    const contact = await contacts.find(contactId);
    const left = await events.spanOfContact(contactId);
    if (!left) await contacts.delete(contactId);
    else if (contact) await contacts.update(contactId, withoutDownloads(contact, gone, left));
  }
  return oldest.length;
}

/** A date stays when none of the downloads that are gone has it: it may be that of one that has lost its contact. */
function withoutDownloads(
  { totalDownloads, firstDownloadAt, lastDownloadAt }: Downloads,
  gone: readonly { downloadedAt: number }[],
  left: { first: number; last: number },
): Downloads {
  const times = gone.map(({ downloadedAt }) => downloadedAt);
  return {
    totalDownloads: Math.max(totalDownloads - gone.length, 1),
    firstDownloadAt: Math.min(...times) > firstDownloadAt ? firstDownloadAt : left.first,
    lastDownloadAt: Math.max(...times) < lastDownloadAt ? lastDownloadAt : left.last,
  };
}

interface Downloads {
  totalDownloads: number;
  firstDownloadAt: number;
  lastDownloadAt: number;
}
