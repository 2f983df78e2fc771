/** Everything that the service has acknowledged, and what that implies. */
import { createHash, randomUUID } from "node:crypto";
import { z } from "zod";
import type { RandomInt } from "../lib/seeded-random.ts";
import { CutOff, type Request, type Response, type ServiceClient } from "../lib/service-client.ts";
import type { BookState } from "./book-state.ts";
import { Expected, type UnderWay } from "./expected.ts";

/** A request for a download. */
interface EventState {
  /** Empty once the reader was erased. */
  email: string;
  isRedeemed: boolean;
}

/** A write, and what it is to leave. */
export interface Write {
  path: string;
  request: Request;
  /** Tells what is under way, before it is sent. */
  begin(requestId: string): readonly UnderWay[];
  /** How many lines of the audit log it leaves. */
  lines: number;
  /** Answers that are right too, after which nothing has changed. */
  refusals?: readonly number[];
}

/** What everybody who works on the service needs. */
export interface WorkerDeps {
  ledger: Ledger;
  client: ServiceClient;
  roll: RandomInt;
}

/** The service was too slow to say whether a write was done. */
export class TookTooLong extends CutOff {}

/** Which server behind the service is away. */
export type Outage = "database" | "files";

export class Ledger {
  /** By slug. */
  readonly books = new Expected<BookState>();
  /** How often they have asked, by e-mail. */
  readonly contacts = new Expected<number>();
  /** By the id of their request, which the events name as their campaign. */
  readonly events = new Expected<EventState>();
  /** Those in force, by name. */
  readonly keys = new Expected<"in force">();
  /** The ids of books by slug, and those of their files in the order of their states. */
  readonly ids = new Map<string, { book: string; files: string[] }>();
  /** The ids of keys and the keys themselves, by name; also of revoked ones. */
  readonly secrets = new Map<string, { id: string; key: string }>();
  /** How many lines of the audit log name a request, for those that have been answered; by our own id of it. */
  readonly auditLines = new Map<string, number>();
  /** The ids that the service has given to requests in their answers, by our own: its audit log knows only these. */
  readonly givenIds = new Map<string, string>();
  /** The hashes of all bytes that were ever sent. */
  readonly contents = new Set<string>();
  /** What was answered although nothing was wrong with the request. */
  readonly unexpected: string[] = [];
  /** How many writes of each kind were answered with success. */
  readonly done = new Map<string, number>();
  /** How many requests of each kind were refused because of the disk. */
  readonly rejected = new Map<string, number>();
  /** With which statuses and codes. */
  readonly refusals = new Set<string>();
  /** What a disk that is full or failing may be answered with; none on a sound one. */
  readonly #diskStatuses: readonly number[];
  /** How many requests were answered with 503 during an outage. */
  outages = 0;
  #outage: Outage | undefined;
  /** How many requests waited too long on a busy machine, and said when to try again. */
  late = 0;
  #acceptsLate = false;
  /** The next number, for records that need one of their own. */
  #number = 0;

  constructor(diskStatuses: readonly number[]) {
    this.#diskStatuses = diskStatuses;
  }

  /** On a failing disk, a reader gets the book even when that can't be noted. */
  get isRedemptionNoted(): boolean {
    return this.#diskStatuses.length === 0;
  }

  /**
   * Whether a redemption is compared. One that the database was too late for waits at its instance, and is dropped if the
   * reader is erased at another one meanwhile.
   */
  isRedemptionCompared(email: string): boolean {
    const mayHaveWaited = this.#acceptsLate && email === "";
    return this.isRedemptionNoted && !mayHaveWaited;
  }

  /**
   * From now on a server behind the service fails. A write that is answered with 503 may have been done or not without
   * the database; without the store it was not.
   */
  expectOutage(of: Outage): void {
    this.#outage = of;
  }

  /** From now on a 503 is wrong again. */
  endOutage(): void {
    this.#outage = undefined;
  }

  /** From now on, responses that say that a request has waited too long are counted, and right. */
  acceptLate(): void {
    this.#acceptsLate = true;
  }

  /**
   * See `late`. It is noted.
   * @throws TookTooLong if the write may have been done: then it stays under way
   */
  isLate({ status, headers, bytes }: Response, kind: string): boolean {
    if (!this.#acceptsLate || status !== 503 || !headers.has("retry-after")) return false;
    const { data } = late.safeParse(JSON.parse(bytes.toString()));
    if (data?.code !== "database_unavailable") return false;
    this.late += 1;
    if (data.may_have_been_done) throw new TookTooLong(`${kind} was answered with 503`);
    return true;
  }

  /** Whether a response only says that the disk is full or failing. It is noted. */
  isOfDisk({ status, bytes }: Response, kind: string): boolean {
    if (this.#outage === "database" && status === 503) return true;
    if (!this.#diskStatuses.includes(status)) return false;
    const { code } = problem.parse(JSON.parse(bytes.toString()));
    if (!DISK_CODES.includes(code)) return false;
    this.refusals.add(`${status} ${code}`);
    count(this.rejected, kind);
    return true;
  }

  /**
   * Whether a response only says that a server behind the service doesn't respond. It is noted.
   * @throws CutOff without the database: what is under way stays so
   */
  #isOfOutage({ status, headers, bytes }: Response, kind: string): boolean {
    if (status !== 503 || this.#outage === undefined) return false;
    const { code } = problem.parse(JSON.parse(bytes.toString()));
    if (this.#outage === "files" && code !== "storage_unavailable") return false;
    this.outages += 1;
    if (!headers.has("retry-after")) this.unexpected.push(`${kind}: a 503 without Retry-After`);
    if (this.#outage === "database") throw new CutOff(`${kind} was answered with 503`);
    return true;
  }

  /** How many writes were acknowledged. */
  get acknowledged(): number {
    return sum(this.done);
  }

  /** How many requests had a response that counts. */
  get sent(): number {
    return sum(this.done) + sum(this.rejected);
  }

  takeNextNumber(): number {
    this.#number += 1;
    return this.#number;
  }

  /** Remembers bytes that are sent. @returns their hash */
  remember(bytes: Uint8Array): string {
    const sha256 = hashOf(bytes);
    this.contents.add(sha256);
    return sha256;
  }

  /**
   * Sends a write and notes what the response implies.
   * @returns undefined when it was refused
   * @throws CutOff when there was no answer: then it stays under way
   */
  async write(client: ServiceClient, { path, request, begin, lines, refusals = [] }: Write) {
    const requestId = randomUUID();
    const underWay = begin(requestId);
    const kind = findKind(path, request);
    const response = await client.send(path, {
      ...request,
      headers: { ...request.headers, "x-request-id": requestId },
    });
    const isOfOutage = this.#isOfOutage(response, kind);
    const isLate = !isOfOutage && this.isLate(response, kind);
    this.givenIds.set(requestId, response.headers.get("x-request-id") ?? "none");
    if (response.status >= 300) {
      for (const each of underWay) each.drop();
      const isRight =
        isOfOutage || isLate || refusals.includes(response.status) || this.isOfDisk(response, kind);
      if (!isRight) this.unexpected.push(`${request.method} ${path}: ${formatReported(response)}`);
      return undefined;
    }
    for (const each of underWay) each.settle();
    this.auditLines.set(requestId, lines);
    count(this.done, kind);
    return response;
  }
}

const problem = z.object({ code: z.string() });
const late = z.object({ code: z.string(), may_have_been_done: z.boolean().default(false) });
const DISK_CODES = [
  "disk_full",
  "storage_unavailable",
  "database_unavailable",
  "archive_unavailable",
  "file_unreadable",
];

/** Requests of the same kind differ only in what they name. */
const findKind = (path: string, { method }: Request): string =>
  `${method} ${path
    .replace(/\/download\/ey[^?]+/, "/download/{token}")
    .replace(/[\w-]{36}/g, "{id}")
    .replace(/\/covers\/\w+$/, "/covers/{code}")
    .replace(/\?utm_campaign=.*/, "")}`;

const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
export const sum = (counts: ReadonlyMap<string, number>): number =>
  counts.values().reduce((total, each) => total + each, 0);

export const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

export const formatReported = ({ status, bytes }: Response): string =>
  `${status} ${bytes.toString("utf8", 0, 300)}`;
