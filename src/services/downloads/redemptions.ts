/** The first delivery of a link: what is recorded of it, in the database, or in lines of a file until that is possible. */
import { z } from "zod";
import type { RecordRepositories } from "../../repositories/index.ts";
import { ERASED_READER } from "../contacts/consent-ledger.ts";

/** All files of a language, as they were delivered in one ZIP. */
const deliveredSet = z.object({
  id: z.string(),
  languageId: z.int(),
  bookIds: z.array(z.string()),
  fileIds: z.array(z.string()),
  totalBytes: z.int(),
});
type DeliveredSet = z.output<typeof deliveredSet>;

const text = z.string();
const textOrNull = z.string().nullable();

/** The reader's location and device, as an event stores them. */
const seenReader = z.object({
  ipAddress: textOrNull,
  countryCode: textOrNull,
  countryName: textOrNull,
  city: textOrNull,
  deviceType: text,
  browserName: text,
  browserVersion: text,
  osName: text,
  osVersion: text,
  referrer: text,
  isBot: z.literal([0, 1]),
});

/** Times are in epoch milliseconds. */
const recorded = z.object({
  eventId: z.int(),
  /** Of the event. In another database, an event of the same number has another time. */
  requestedAt: z.int(),
  /** Of the event, when it was delivered. */
  contactId: z.int().nullable(),
  redeemedAt: z.int(),
  /** The entity tag of the delivered bytes, in quotes; null if this service doesn't know them. */
  deliveredVersion: textOrNull,
  /** Empty if a set was delivered. */
  fileIds: z.array(z.string()),
  seen: seenReader,
});

export interface Redemption extends z.output<typeof recorded> {
  set: DeliveredSet | undefined;
}

type Repositories = Pick<RecordRepositories, "events" | "outbox">;

/** Completes the event and counts the files, unless that was done before, or the event doesn't exist any more. */
export async function writeRedemption(
  { events, outbox }: Repositories,
  redemption: Redemption,
): Promise<void> {
  const { eventId, requestedAt, redeemedAt, deliveredVersion, set } = redemption;
  const current = await events.find(eventId);
  // Deleted meanwhile with its language: an archive without an event would stay.
  if (current?.downloadedAt !== requestedAt) return;
  if (set) await putSet(events, set, redeemedAt);
  const held = set && { archiveId: set.id, booksCount: set.bookIds.length };
  const seen = current.contactId === null ? { ...redemption.seen, ...ERASED_READER } : redemption.seen;
  const isFirst = await events.redeem(eventId, { redeemedAt, deliveredVersion, ...seen, ...held });
  if (!isFirst) return;
  await events.countDelivery(set ? set.fileIds : redemption.fileIds);
  if (current.contactId === null) return;
  const { contactId } = current;
  await outbox.add({ event: "download.redeemed", at: redeemedAt, eventId, contactId });
}

/** Like `writeRedemption`, for one that has waited. It is dropped if the contact was erased since. */
export async function writeLate(repositories: Repositories, redemption: Redemption): Promise<void> {
  const current = await repositories.events.find(redemption.eventId);
  if (current && isErased(redemption, current)) return;
  await writeRedemption(repositories, redemption);
}

/** Whether the event has lost its contact since the delivery. */
export const isErased = (
  { contactId }: Pick<Redemption, "contactId">,
  event: { contactId: number | null },
): boolean => contactId !== null && event.contactId === null;

/** Writes the row that downloads of the same set of files share, unless it exists. */
export async function putSet(events: Repositories["events"], set: DeliveredSet, now: number): Promise<void> {
  if (await events.findArchive(set.id)) return;
  const { id, languageId, bookIds, fileIds, totalBytes } = set;
  const counts = { booksCount: bookIds.length, filesCount: fileIds.length, totalBytes };
  await events.insertArchive({ id, languageId, ...counts, createdAt: now }, bookIds);
}

/** Redemptions that were given up. */
const dropped = z.object({
  count: z.int(),
  /** Of the last one, in epoch milliseconds. */
  at: z.int(),
});
export type Dropped = z.output<typeof dropped>;

/** A set is in a line of its own before the first redemption that needs it: with thousands of files it is long. */
const line = z.union([
  z.object({ set: deliveredSet }),
  z.object({ redemption: recorded.extend({ setId: z.string().optional() }) }),
  z.object({ dropped }),
]);

/** @param written the ids of sets that the file has already; those of these lines are added */
export function* formatRedemptions(
  redemptions: Iterable<Redemption>,
  written: Set<string>,
): Generator<string> {
  for (const { set, ...redemption } of redemptions) {
    if (set && !written.has(set.id)) {
      written.add(set.id);
      yield JSON.stringify({ set });
    }
    yield JSON.stringify({ redemption: { ...redemption, ...(set && { setId: set.id }) } });
  }
}

export const formatDropped = (given: Dropped): string => JSON.stringify({ dropped: given });

/** What the lines of a file contain. */
export interface KeptRedemptions {
  /** Oldest first. Of several of one event, only the first. */
  redemptions: Redemption[];
  dropped: Dropped | undefined;
  /** Number of lines that can't be read, such as one that a crash has cut off. */
  unreadable: number;
}

export async function parseRedemptions(lines: AsyncIterable<string>): Promise<KeptRedemptions> {
  const redemptions = new Map<number, Redemption>();
  const sets = new Map<string, DeliveredSet>();
  let given: Dropped | undefined;
  let unreadable = 0;
  const keep = (redemption: Redemption | undefined) => {
    if (!redemption) unreadable += 1;
    else if (!redemptions.has(redemption.eventId)) redemptions.set(redemption.eventId, redemption);
  };
  for await (const written of lines) {
    const parsed = parseLine(written);
    if (!parsed) keep(undefined);
    else if ("set" in parsed) sets.set(parsed.set.id, parsed.set);
    else if ("dropped" in parsed) given = parsed.dropped;
    else keep(addSet(parsed.redemption, sets));
  }
  return { redemptions: [...redemptions.values()], dropped: given, unreadable };
}

function parseLine(written: string): z.output<typeof line> | undefined {
  try {
    return line.parse(JSON.parse(written));
  } catch {
    return undefined;
  }
}

/** Undefined if the line of its set is missing. */
function addSet(
  { setId, ...redemption }: z.output<typeof recorded> & { setId?: string | undefined },
  sets: ReadonlyMap<string, DeliveredSet>,
): Redemption | undefined {
  if (setId === undefined) return { ...redemption, set: undefined };
  const set = sets.get(setId);
  return set && { ...redemption, set };
}
