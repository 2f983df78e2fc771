// A run: starts the service, sends it so many requests, one after another, and holds each answer against the document.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import fc from "fast-check";
import { Tokens } from "../src/adapters/tokens.ts";
import { Checker } from "./check.ts";
import { Document, type Operation } from "./document.ts";
import type { FuzzOptions } from "./options.ts";
import { Aims, aimOf, MAX_UPLOAD_BYTES } from "./requests/aims.ts";
import { curlCommand } from "./requests/curl.ts";
import { Drafts } from "./requests/drafts.ts";
import { type Draft, type RawRequest, rawRequest } from "./requests/request.ts";
import { Catalogue } from "./service/catalogue.ts";
import { Keeper } from "./service/keeper.ts";
import { Neighbour } from "./service/neighbour.ts";
import { type Answer, Connection } from "./service/send.ts";
import { ADMIN, newAccounts, Senders } from "./service/senders.ts";
import { Service } from "./service/service.ts";
import { Tally } from "./tally.ts";

const DOCUMENT = join(import.meta.dirname, "../openapi.json");
/** More of the same say nothing new. */
const MOST_FINDINGS = 20;
/** What is known of the catalogue may be a little old. */
const TURNS_A_LOOK = 2;
const SHRINK_LIMIT_MS = 10_000;
const SHOWN_ANSWER_BYTES = 1000;

export interface Outcome {
  tally: Tally;
  /** What is wrong with the log, or with how the service ended. */
  service: readonly string[];
}

/** @param onProgress called now and then with the number of requests that have been sent */
export async function runFuzz(options: FuzzOptions, onProgress: (sent: number) => void): Promise<Outcome> {
  const document = Document.read(DOCUMENT);
  const neighbour = await Neighbour.start();
  const secret = randomBytes(32).toString("hex");
  const service = new Service(variables(secret, neighbour));
  const connection = new Connection();
  try {
    const port = await service.listening();
    connection.port = port;
    const run = await Run.prepare(document, connection, { port, secret, cloud: neighbour.origin });
    await run.send(options, onProgress);
    connection.close();
    return { tally: run.tally, service: await service.stop() };
  } finally {
    connection.close();
    service.kill();
    await neighbour.stop();
  }
}

const variables = (secret: string, neighbour: Neighbour) => ({
  ...{ AUTH_SECRET: secret, ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
  ...{ RATE_LIMIT_LOGIN: "0", RATE_LIMIT_SUBMIT: "0", RATE_LIMIT_DOWNLOAD: "0" },
  MAX_UPLOAD_BYTES: String(MAX_UPLOAD_BYTES),
  ...neighbour.variables,
});

interface Place {
  port: number;
  secret: string;
  cloud: string;
}

interface Sent {
  draft: Draft;
  raw: RawRequest;
  answer: Answer | undefined;
  faults: readonly string[];
}

class Run {
  readonly tally: Tally;
  readonly #document: Document;
  readonly #connection: Connection;
  readonly #catalogue: Catalogue;
  readonly #senders: Senders;
  readonly #keeper: Keeper;
  readonly #checker: Checker;
  readonly #aims: Aims;
  readonly #base: string;
  readonly #known = new Set<string>();

  private constructor(
    document: Document,
    connection: Connection,
    catalogue: Catalogue,
    uses: { senders: Senders; keeper: Keeper; port: number },
  ) {
    this.#document = document;
    this.#connection = connection;
    this.#catalogue = catalogue;
    this.#senders = uses.senders;
    this.#keeper = uses.keeper;
    this.#base = `http://127.0.0.1:${uses.port}`;
    this.tally = new Tally(document.operations);
    this.#checker = new Checker(document);
    this.#aims = new Aims(new Drafts(document, catalogue), catalogue);
  }

  /** Logs everybody in. */
  static async prepare(
    document: Document,
    connection: Connection,
    { port, secret, cloud }: Place,
  ): Promise<Run> {
    const past = new Tokens({ secret, purpose: "download", clock: { now: () => 0 } });
    const catalogue = new Catalogue({ ...newAccounts(), cloud, expiredToken: past.issue("1", 1000).token });
    const senders = new Senders(connection);
    await senders.logIn("admin", catalogue.admin);
    const keeper = new Keeper(connection, catalogue, senders.of("admin"));
    catalogue.admin.id = await keeper.ownId();
    await senders.prepare(keeper, catalogue);
    return new Run(document, connection, catalogue, { senders, keeper, port });
  }

  /** Every operation in turn, in another order each time. */
  async send({ requests, seed }: FuzzOptions, onProgress: (sent: number) => void): Promise<void> {
    const { operations } = this.#document;
    let order: Operation[] = [];
    for (let request = 0; request < requests; request += 1) {
      const turn = Math.floor(request / operations.length);
      if (request % operations.length === 0) {
        if (turn % TURNS_A_LOOK === 0) await this.#keeper.look();
        order = shuffled(operations, seed + turn);
        onProgress(request);
      }
      const operation = order[request % operations.length];
      if (operation) await this.#sendOne(operation, { request, turn, seed: seed + request });
      if (this.tally.findings.length >= MOST_FINDINGS) return;
    }
  }

  /** One property of one request: fast-check makes it and, when the answer is wrong, looks for a smaller one. */
  async #sendOne(operation: Operation, at: { request: number; turn: number; seed: number }): Promise<void> {
    const aim = aimOf(operation, at.turn);
    const sent: Sent[] = [];
    const property = fc.asyncProperty(this.#aims.requests(operation, aim), async (draft) => {
      const each = await this.#exchange(draft);
      sent.push(each);
      const isFirst = sent.length === 1;
      if (isFirst) this.#count(each);
      return each.faults.length === 0 || (isFirst && this.#known.has(signature(operation.id, each)));
    });
    const limits = { interruptAfterTimeLimit: SHRINK_LIMIT_MS, markInterruptAsFailure: false };
    const { failed } = await fc.check(property, { seed: at.seed, numRuns: 1, ...limits });
    const [first] = sent;
    if (failed && first)
      this.#note(
        operation.id,
        at.request,
        first,
        sent.findLast(({ faults }) => faults.length > 0),
      );
  }

  async #exchange(draft: Draft): Promise<Sent> {
    const raw = rawRequest(draft, this.#senders.of(draft.sender));
    try {
      const answer = await this.#connection.send(raw);
      const { operation, faults } = this.#checker.check(raw, answer);
      if (operation) this.#senders.learn(operation.id, draft, answer, this.#catalogue);
      return { draft, raw, answer, faults };
    } catch (error) {
      return { draft, raw, answer: undefined, faults: [`there is no answer: ${String(error)}`] };
    }
  }

  #count({ raw, answer }: Sent): void {
    if (!answer) return;
    const { operation } = this.#checker.check(raw, answer);
    if (operation) this.tally.add(operation.id, answer.status);
  }

  #note(operation: string, request: number, first: Sent, smallest: Sent | undefined): void {
    this.#known.add(signature(operation, first));
    this.tally.findings.push({
      ...{ operation, request, faults: first.faults },
      curl: curlCommand(this.#base, first.raw),
      smallest: smallest && smallest !== first ? curlCommand(this.#base, smallest.raw) : undefined,
      answer: first.answer ? shown(first.answer) : "none",
    });
  }
}

/** Faults of the same kind at the same operation, whatever the values in them. */
const signature = (operation: string, { faults }: Sent): string =>
  `${operation} ${[...new Set(faults.map((fault) => fault.replaceAll(/\/\d+/g, "").slice(0, 80)))].join()}`;

const shown = ({ status, headers, body }: Answer): string =>
  `${status} ${JSON.stringify(headers)}\n${body.toString("utf8", 0, SHOWN_ANSWER_BYTES)}`;

function shuffled<T>(list: readonly T[], seed: number): T[] {
  const all = fc.shuffledSubarray([...list], { minLength: list.length, maxLength: list.length });
  return fc.sample(all, { seed, numRuns: 1 })[0] ?? [...list];
}
