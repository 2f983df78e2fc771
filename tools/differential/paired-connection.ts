/** Sends each request to two services, one request after the other, and compares their responses. */
import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import { z } from "zod";
import { importRun } from "../../src/schemas/import-runs.schemas.ts";
import { job } from "../../src/schemas/jobs.schemas.ts";
import { formatCurl } from "../fuzz/requests/curl.ts";
import type { RawRequest } from "../fuzz/requests/request.ts";
import type { Connection, Response } from "../fuzz/service/send.ts";
import { findDifference, Names } from "./compare.ts";

/** What says which database and which store there is: only the status is compared. */
const ABOUT_THE_SERVICE = /^\/api\/(?:health|admin\/(?:doctor|settings))\b/;

/** Work that goes on beside the requests: how far it has come is chance. */
const ABOUT_JOBS = /^\/api\/admin\/(?:jobs|doctor\/(?:runs|last))\b/;

/** Of the target of a request, which can name a host as well (RFC 9112, 3.2.2). */
const pathOf = (target: string): string => target.replace(/^https?:\/\/[^/]*/, "");

/** A read that differs is repeated: what is done beside the requests, such as building a ZIP, can take longer on one side. */
const REPETITIONS = 3;
const PAUSE_MS = 500;
const JOB_PAUSE_MS = 100;

/** Days of all time zones begin at a full quarter of an hour: around it, nothing is sent. */
const QUARTER_MS = 15 * 60_000;
const MARGIN_MS = 1000;

/** What the address of a started job returns: the job, or the import that it runs. */
const started = z.union([
  job.pick({ status: true }).transform(({ status }) => status),
  importRun.pick({ state: true }).transform(({ state }) => state),
]);

/** The response to the start of a job. */
const ACCEPTED = 202;

const SHOWN_BYTES = 1500;

/** The services differ; the message has both requests and both responses. */
export class DifferenceError extends Error {}

export class PairedConnection {
  readonly #left: Connection;
  readonly #right: Connection;
  readonly #names = new Names();
  /** Of the same content, by that of the left service. */
  readonly #etags = new Map<string, string>();
  readonly #queue = pLimit(1);
  /** How many requests have been compared. */
  compared = 0;

  constructor(left: Connection, right: Connection) {
    this.#left = left;
    this.#right = right;
  }

  /** Like `exchange`, for a request that has a response. */
  async send(raw: RawRequest): Promise<Response> {
    const response = await this.exchange(raw);
    if (!response) throw new Error("Neither service has responded");
    return response;
  }

  /**
   * @returns the response of the left service; undefined if neither has one, as to some broken requests
   * @throws DifferenceError
   */
  exchange(raw: RawRequest): Promise<Response | undefined> {
    return this.#queue(() => this.#compare(raw));
  }

  /** Sends equal requests at once. Which of them gets which response is chance: these are compared in an order of their own. */
  race(raw: RawRequest, count: number): Promise<void> {
    return this.#queue(async () => {
      await waitForMidQuarter();
      const [left = [], right = []] = await Promise.all(
        [this.#left, this.#right].map((connection, index) => {
          const own = index === 0 ? raw : this.#toRight(raw);
          return Promise.all(Array.from({ length: count }, () => connection.send(own)));
        }),
      );
      const [one, other] = [left, right].map((responses) => responses.map(({ status }) => status).sort());
      this.compared += count;
      if (one?.join() !== other?.join())
        throw this.#createError(`statuses of ${count} at once: ${one} and ${other}`, raw, left[0], right[0]);
    });
  }

  async #compare(raw: RawRequest, repetition = 0): Promise<Response | undefined> {
    await waitForMidQuarter();
    const [left, right] = await Promise.all([
      this.#left.send(raw).catch(() => undefined),
      this.#right.send(this.#toRight(raw)).catch(() => undefined),
    ]);
    const found = await this.#findDifference(raw, left, right);
    const isRead = ["GET", "HEAD"].includes(raw.method);
    if (found !== undefined && isRead && repetition < REPETITIONS) {
      await sleep(PAUSE_MS);
      return this.#compare(raw, repetition + 1);
    }
    if (found !== undefined) throw this.#createError(found, raw, left, right);
    this.compared += 1;
    if (left && right && startsJob(left)) await this.#compareEnds(raw, left, right);
    return left;
  }

  /** Waits for both: while a job runs on one side only, a second one is refused there and started on the other. */
  async #compareEnds(raw: RawRequest, left: Response, right: Response): Promise<void> {
    const [one, other] = await Promise.all([
      waitForJob(this.#left, left, raw.headers),
      waitForJob(this.#right, right, this.#translateHeaders(raw.headers)),
    ]);
    const target = String(left.headers.location);
    const found = await this.#findDifference({ ...raw, target }, one, other);
    if (found !== undefined) throw this.#createError(`in the end, ${found}`, raw, one, other);
  }

  async #findDifference(
    { target }: RawRequest,
    left: Response | undefined,
    right: Response | undefined,
  ): Promise<string | undefined> {
    if (!left || !right) return left === right ? undefined : "only one has responded";
    const [one, other] = [left.headers.etag, right.headers.etag];
    if (one !== undefined && other !== undefined) this.#etags.set(one, other);
    if (ABOUT_JOBS.test(pathOf(target))) return undefined;
    if (ABOUT_THE_SERVICE.test(pathOf(target)))
      return left.status === right.status ? undefined : `status: ${left.status} and ${right.status}`;
    return findDifference(withoutProgress(left), withoutProgress(right), this.#names);
  }

  #toRight({ target, headers, body, ...raw }: RawRequest): RawRequest {
    return {
      ...raw,
      target: this.#names.toRight(target),
      headers: this.#translateHeaders(headers),
      // One character for each byte.
      body: body && Buffer.from(this.#names.toRight(body.toString("latin1")), "latin1"),
    };
  }

  #translateHeaders(headers: RawRequest["headers"]): RawRequest["headers"] {
    return headers.map(([name, value]) => [name, this.#etags.get(value) ?? this.#names.toRight(value)]);
  }

  #createError(found: string, raw: RawRequest, left: Response | undefined, right: Response | undefined) {
    const lines = [
      found,
      formatCurl(this.#left.origin, raw),
      formatResponse(left),
      formatCurl(this.#right.origin, this.#toRight(raw)),
      formatResponse(right),
    ];
    return new DifferenceError(lines.join("\n\n"));
  }
}

const startsJob = ({ status, headers }: Response): boolean =>
  status === ACCEPTED && headers.location !== undefined;

/** How far a job is when the response to its start is composed depends on the moment: its end is compared. */
const withoutProgress = (response: Response): Response =>
  startsJob(response) ? { ...response, body: Buffer.alloc(0) } : response;

/** Polls the job that the response names, as the client who has started it. @returns what is said of it in the end */
async function waitForJob(
  connection: Connection,
  { headers }: Response,
  own: RawRequest["headers"],
): Promise<Response> {
  const target = String(headers.location);
  const credentials = own.filter(([name]) => /^(?:cookie|authorization)$/i.test(name));
  for (;;) {
    const response = await connection.send({
      method: "GET",
      target,
      headers: credentials,
      body: undefined,
      claimedLength: undefined,
    });
    if (started.parse(JSON.parse(response.body.toString("utf8"))) !== "running") return response;
    await sleep(JOB_PAUSE_MS);
  }
}

async function waitForMidQuarter(): Promise<void> {
  const since = (Date.now() + MARGIN_MS) % QUARTER_MS;
  if (since < 2 * MARGIN_MS) await sleep(2 * MARGIN_MS - since);
}

function formatResponse(response: Response | undefined): string {
  if (!response) return "no response";
  const { status, headers, body } = response;
  return `${status} ${JSON.stringify(headers)}\n${body.toString("utf8", 0, SHOWN_BYTES)}`;
}
