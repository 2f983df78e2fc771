/** Asks each instance and the balancer for a list and sends each a form, again and again, so that a standstill has a place. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { readiness } from "../../src/schemas/system.schemas.ts";
import { CutOff, parseJson, type Response, ServiceClient } from "../lib/service-client.ts";
import type { UnderWay } from "../recorder/expected.ts";
import { formatReported, type Ledger } from "../recorder/ledger.ts";
import { SLUG } from "../recorder/linked-book.ts";
import { LINK_LANGUAGE } from "../recorder/load/bulk.ts";
import type { Kind, Sample } from "./gaps.ts";

const EVERY_MS = 500;
/** So many successes of each kind at each place, one after the other, end the waiting. */
const WELL_AFTER = 4;

const PATHS = { list: "/api/books?limit=20", readiness: "/api/health/ready" } as const;

type Judged = Pick<Sample, "outcome" | "unavailable" | "said">;

export interface Place {
  name: string;
  base: string;
}

/** What a response says about a write: `unknown` if it may have been done. */
export function judgeResponse({
  status,
  bytes,
}: Pick<Response, "status" | "bytes">): "done" | "not done" | "unknown" {
  if (status < 300) return "done";
  const parsed = problem.safeParse(JSON.parse(bytes.toString()));
  return parsed.data?.may_have_been_done === true ? "unknown" : "not done";
}

/** A response that isn't success, for the summary of a phase. */
export function formatSaid(response: Response): string {
  const { data } = coded.safeParse(parseJson(response));
  const retry = response.headers.get("retry-after");
  return `${response.status} ${data?.code ?? ""}${retry === null ? "" : `, Retry-After ${retry}`}`;
}

const coded = z.object({ code: z.string() });

function judgeReadiness(bytes: Buffer): Pick<Sample, "unavailable" | "said"> {
  const { unavailable = [], clockOffsetSeconds } = readiness.parse(JSON.parse(bytes.toString()));
  const said = [
    ...unavailable.map((each) => `without ${each}`),
    ...(clockOffsetSeconds === undefined ? [] : [`with clockOffsetSeconds ${clockOffsetSeconds}`]),
  ];
  return { unavailable, ...(said.length > 0 && { said: `ready ${said.join(", ")}` }) };
}

const problem = z.object({ may_have_been_done: z.boolean().optional() });

export class Probes {
  readonly #ledger: Ledger;
  readonly #places: readonly { name: string; client: ServiceClient }[];
  readonly #samples: Sample[] = [];
  /** With the times at which they began. */
  readonly #pending = new Map<Promise<void>, number>();
  readonly #timer: NodeJS.Timeout;

  /** Begins at once. */
  constructor(ledger: Ledger, places: readonly Place[]) {
    this.#ledger = ledger;
    this.#places = places.map(({ name, base }) => ({ name, client: new ServiceClient(base) }));
    this.#timer = setInterval(() => this.#probe(), EVERY_MS);
    this.#probe();
  }

  /** Resolves when all places work again, or when the time is up. */
  async waitUntilWell(limitMs: number): Promise<void> {
    const since = performance.now();
    while (performance.now() - since < limitMs && !this.#isWellSince(since)) await sleep(EVERY_MS / 2);
  }

  /** Each request has its response or its limit. @returns all that were sent */
  async stop(): Promise<readonly Sample[]> {
    clearInterval(this.#timer);
    await Promise.all(this.#pending.keys());
    return this.#samples;
  }

  #isWellSince(sinceMs: number): boolean {
    if (Math.min(...this.#pending.values()) < sinceMs) return false;
    const recent = Map.groupBy(
      this.#samples.filter(({ endedMs }) => endedMs > sinceMs),
      ({ place, kind }) => `${place} ${kind}`,
    );
    const kinds = ["list", "form"].flatMap((kind) => this.#places.map(({ name }) => `${name} ${kind}`));
    return kinds.every((key) => {
      const last = recent.get(key)?.slice(-WELL_AFTER) ?? [];
      return last.length === WELL_AFTER && last.every(({ outcome }) => outcome === "success");
    });
  }

  #probe(): void {
    for (const { name, client } of this.#places) {
      this.#send(name, "list", () => client.send(PATHS.list));
      this.#send(name, "form", () => this.#sendForm(client));
      this.#send(name, "readiness", () => client.send(PATHS.readiness));
    }
  }

  #send(place: string, kind: Kind, send: () => Promise<Response>): void {
    const begunMs = performance.now();
    const note = (result: Judged) => {
      this.#samples.push({ place, kind, begunMs, endedMs: performance.now(), ...result });
    };
    const done = send().then(
      (response) => note(this.#judge(response, `${kind} at ${place}`, kind)),
      (error: unknown) => {
        if (!(error instanceof CutOff)) this.#ledger.unexpected.push(`${kind} at ${place}: ${error}`);
        note({ outcome: "failed", said: "no response" });
      },
    );
    this.#pending.set(done, begunMs);
    void done.then(() => this.#pending.delete(done));
  }

  #judge(response: Response, what: string, kind: Kind): Judged {
    const { status, headers, bytes } = response;
    if (status === 200 && kind !== "readiness") return { outcome: "success" };
    if (status === 200) return { outcome: "success", ...judgeReadiness(bytes) };
    const said = formatSaid(response);
    if (status === 503 && (kind === "readiness" || headers.has("retry-after")))
      return { outcome: "refused", said };
    this.#ledger.unexpected.push(`${what}: ${formatReported(response)}`);
    return { outcome: "failed", said };
  }

  /** The ledger knows it before it is sent, and what its response says about it. */
  async #sendForm(client: ServiceClient): Promise<Response> {
    const campaign = randomUUID();
    const email = `probe-${this.#ledger.takeNextNumber()}@example.org`;
    const rows: UnderWay[] = [
      this.#ledger.contacts.begin(email, 1),
      this.#ledger.events.begin(campaign, { email, isRedeemed: false }),
    ];
    const response = await client.send(`/api/download/submit?utm_campaign=${campaign}`, {
      method: "POST",
      json: { slug: SLUG, languageCode: LINK_LANGUAGE, contact: { email, firstName: "Sara" } },
    });
    const says = judgeResponse(response);
    if (says === "done") for (const row of rows) row.settle();
    if (says === "not done") for (const row of rows) row.drop();
    return response;
  }
}
