/** The queue of files that are uploaded: what each is doing, and what comes next. Nothing here knows the page. */

import type { Schemas } from "../api/client.ts";
import { type FileKind, findFileType } from "./file-kinds.ts";

type Remark = Schemas["Remark"];

export type Status =
  /** To be hashed. */
  | "waiting"
  | "hashing"
  /** To be looked up. */
  | "hashed"
  | "lookingUp"
  /** The service doesn't have these bytes: to be sent. */
  | "unknown"
  | "sending"
  /** The service has the bytes and says what they are; no book has them yet. */
  | "ready"
  | "storing"
  | "stored"
  /** A book of the service has these bytes already. */
  | "known"
  | "failed"
  /** Somebody has taken it out of its book again. */
  | "undone"
  /** Its name says that it is no file of a book: it is never sent. */
  | "ignored";

/** Where the same bytes are already. */
export interface Place {
  bookId: string;
  fileId: string;
  languageCode: string;
  fileType: string;
}

/** What the service has of the bytes that were looked up. */
export interface Found {
  files: readonly (Place & { sha256: string })[];
  /** The hashes of those that it has examined and keeps for a while. */
  examined: readonly string[];
}

/** What somebody corrected of what was recognised. */
export interface Edit {
  languageCode?: string;
  fileType?: string;
  title?: string;
  /** The English title of the book; another one is another book. */
  bookTitle?: string;
  isIncluded?: boolean;
  /** It is stored although the library or another file has its bytes, or its book another file in its place. */
  isWanted?: true;
  /** Whether its book is the one of the library that it could be. */
  answer?: Answer;
}

export interface Answer {
  bookId: string;
  isSame: boolean;
}

/** With an English sentence. */
export type LeftOutReason = Pick<Schemas["LeftOutFile"], "code" | "reason">;

/** What the service recognised in the bytes. */
export interface Recognised {
  fileType: string | null;
  title: string | null;
  languageCode: string | null;
  /** Why the file can't be one of a book. */
  errors: readonly LeftOutReason[];
}

/** What is read of files that aren't sent. */
export const NOTHING: Recognised = { fileType: null, title: null, languageCode: null, errors: [] };

export interface QueueItem {
  id: number;
  kind: FileKind;
  /** With the folders in which it was dropped. */
  path: string;
  bytes: number;
  /** Tells two versions of a file apart. */
  modifiedAt: number;
  /** The book on which it was dropped; undefined: none. */
  bookId: string | undefined;
  status: Status;
  /** Of what is being hashed or sent, 0 to 1. */
  part: number;
  /** Whether it waits for the server before the next attempt. */
  isHeldUp: boolean;
  sha256: string | undefined;
  places: readonly Place[];
  /** Where what was stored isn't what its place says. */
  remarks: readonly Remark[];
  recognised: Recognised | undefined;
  edit: Edit;
  /** Why it failed. */
  error: unknown;
}

export type Queue = readonly QueueItem[];

export type NewFile = Pick<QueueItem, "id" | "kind" | "path" | "bytes" | "modifiedAt" | "bookId">;

export type QueueEvent =
  | { type: "added"; files: readonly NewFile[] }
  | { type: "started"; ids: readonly number[]; status: "hashing" | "lookingUp" | "sending" | "storing" }
  | { type: "progressed"; id: number; part: number }
  | { type: "heldUp"; ids: readonly number[] }
  | { type: "hashed"; id: number; sha256: string }
  | { type: "lookedUp"; ids: readonly number[]; found: Found }
  | { type: "recognised"; id: number; recognised: Recognised }
  | { type: "stored"; id: number; place: Place; remarks?: readonly Remark[] }
  /** The service has read what was stored. */
  | { type: "remarked"; id: number; remarks: readonly Remark[] }
  | { type: "undone"; id: number }
  | { type: "failed"; ids: readonly number[]; error: unknown }
  | { type: "edited"; ids: readonly number[]; edit: Edit }
  | { type: "retried" }
  /** The service has dropped the bytes meanwhile. */
  | { type: "lost"; id: number }
  | { type: "removed"; ids: readonly number[] };

const isSame = (item: QueueItem, file: NewFile): boolean =>
  item.path === file.path &&
  item.bytes === file.bytes &&
  item.modifiedAt === file.modifiedAt &&
  item.bookId === file.bookId;

export const startItem = (file: NewFile): QueueItem => ({
  ...file,
  status: file.kind === "other" || file.kind === "about" ? "ignored" : "waiting",
  part: 0,
  isHeldUp: false,
  sha256: undefined,
  places: [],
  remarks: [],
  recognised: undefined,
  edit: {},
  error: undefined,
});

/** What failed or was undone, and can begin again. */
const isEnded = ({ status }: QueueItem): boolean => status === "failed" || status === "undone";

/** It is tried again from where it stopped. */
const retry = (item: QueueItem): QueueItem => ({
  ...item,
  status: item.recognised ? "ready" : item.sha256 === undefined ? "waiting" : "hashed",
  part: 0,
  error: undefined,
});

/** Files that are in the queue already aren't added again; if they failed or were undone, they are tried again. */
function addFiles(queue: Queue, files: readonly NewFile[]): Queue {
  const byPath = Map.groupBy(queue, ({ path }) => path);
  const again = new Set<number>();
  const fresh: QueueItem[] = [];
  for (const file of files) {
    const same = byPath.get(file.path)?.find((item) => isSame(item, file));
    if (same) again.add(same.id);
    else fresh.push(startItem(file));
  }
  const former = queue.map((item) => (again.has(item.id) && isEnded(item) ? retry(item) : item));
  return [...former, ...fresh];
}

/** Bytes of another book needn't be sent either: the service says what they are there. */
function placeItem(item: QueueItem, { files, examined }: Found): QueueItem {
  const places = files.filter(({ sha256 }) => sha256 === item.sha256);
  const [place] = places;
  const { bookId, kind, path } = item;
  // The plan says what they are; there is none for files that were dropped on a book.
  if (!place && bookId === undefined && examined.some((sha256) => sha256 === item.sha256)) {
    const fileType = kind === "image" ? null : findFileType(path);
    return { ...item, status: "ready", recognised: { ...NOTHING, fileType } };
  }
  if (!place) return { ...item, status: "unknown" };
  if (bookId === undefined || places.some((each) => each.bookId === bookId))
    return { ...item, status: "known", places };
  const { fileType, languageCode } = place;
  return {
    ...item,
    status: "ready",
    places,
    recognised: { fileType, languageCode, title: null, errors: [] },
  };
}

function changeItem(item: QueueItem, event: Exclude<QueueEvent, { type: "added" | "removed" }>): QueueItem {
  switch (event.type) {
    case "started":
      return { ...item, status: event.status, part: 0, isHeldUp: false };
    case "progressed":
      return { ...item, part: event.part, isHeldUp: false };
    case "heldUp":
      return { ...item, isHeldUp: true };
    case "hashed":
      return { ...item, status: "hashed", sha256: event.sha256 };
    case "lookedUp":
      return placeItem({ ...item, isHeldUp: false }, event.found);
    case "recognised":
      return { ...item, status: "ready", recognised: event.recognised, isHeldUp: false };
    case "stored":
      return {
        ...item,
        status: "stored",
        places: [event.place],
        remarks: event.remarks ?? [],
        isHeldUp: false,
      };
    case "remarked":
      return item.status === "stored" ? { ...item, remarks: event.remarks } : item;
    case "undone":
      // The service has the bytes no more: the next attempt begins with a look-up.
      return { ...item, status: "undone", places: [], remarks: [], recognised: undefined };
    case "failed": {
      // The service doesn't have what it lost: the next attempt begins before.
      const recognised = item.status === "sending" ? undefined : item.recognised;
      return { ...item, status: "failed", error: event.error, isHeldUp: false, recognised };
    }
    case "edited":
      return { ...item, edit: { ...item.edit, ...event.edit } };
    case "lost":
      return { ...item, status: "unknown", isHeldUp: false };
    case "retried":
      return item.status === "failed" ? retry(item) : item;
  }
}

export function changeQueue(queue: Queue, event: QueueEvent): Queue {
  if (event.type === "added") return addFiles(queue, event.files);
  if (event.type === "retried") return queue.map((item) => changeItem(item, event));
  const ids = new Set("ids" in event ? event.ids : [event.id]);
  if (event.type === "removed") return queue.filter(({ id }) => !ids.has(id));
  return queue.map((item) => (ids.has(item.id) ? changeItem(item, event) : item));
}

/** A step that can be taken now. */
export type Job =
  | { type: "hash"; item: QueueItem }
  | { type: "lookUp"; items: readonly QueueItem[] }
  | { type: "send"; item: QueueItem };

/** Two are what the service accepts of one user. */
const MAX_SENDING = 2;
/** What one request can ask for. */
const MAX_LOOKED_UP = 1000;

/** What comes before a file is sent. */
const BEFORE_SENDING: readonly Status[] = ["waiting", "hashing", "hashed", "lookingUp"];

/**
 * Hashes one file at a time; while one look-up runs, the next ones gather. Files of an import are sent once all of them are
 * known: they are sent for it.
 */
export function findJobs(queue: Queue): Job[] {
  const jobs: Job[] = [];
  const withStatus = (status: Status) => queue.filter((item) => item.status === status);
  const [waiting] = withStatus("waiting");
  if (waiting && withStatus("hashing").length === 0) jobs.push({ type: "hash", item: waiting });
  const hashed = withStatus("hashed").slice(0, MAX_LOOKED_UP);
  if (hashed.length > 0 && withStatus("lookingUp").length === 0) jobs.push({ type: "lookUp", items: hashed });
  const free = MAX_SENDING - withStatus("sending").length;
  const isCollecting = queue.some(
    ({ bookId, status }) => bookId === undefined && BEFORE_SENDING.includes(status),
  );
  const sendable = withStatus("unknown").filter(({ bookId }) => bookId !== undefined || !isCollecting);
  for (const item of sendable.slice(0, Math.max(free, 0))) jobs.push({ type: "send", item });
  return jobs;
}

const OVER: readonly Status[] = ["ready", "stored", "known", "failed", "undone", "ignored"];

/** Whether leaving would interrupt something. */
export const isBusy = (queue: Queue): boolean => queue.some(({ status }) => !OVER.includes(status));

/** Whether something was corrected that isn't stored yet, and is to be. */
export const hasCorrections = (queue: Queue): boolean =>
  queue.some(
    ({ status, edit }) =>
      (status === "ready" || status === "failed") &&
      Object.keys(edit).length > 0 &&
      edit.isIncluded !== false,
  );

/** Whether there is something to be read about what was stored. */
export const isRemarked = ({ remarks }: QueueItem): boolean =>
  remarks.some(({ code }) => code !== "metadata_pending");

export const countByStatus = (queue: Queue): ReadonlyMap<Status, number> => {
  const counts = new Map<Status, number>();
  for (const { status } of queue) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
};
