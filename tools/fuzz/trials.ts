// One trial: a request that fast-check makes, its answer held against the document, and a smaller request that fails likewise.
import fc from "fast-check";
import type { Checker } from "./check.ts";
import type { Operation } from "./document.ts";
import type { Aim, Aims } from "./requests/aims.ts";
import { curlCommand } from "./requests/curl.ts";
import { type Draft, type RawRequest, rawRequest } from "./requests/request.ts";
import type { Catalogue } from "./service/catalogue.ts";
import type { Answer, Connection } from "./service/send.ts";
import type { Senders } from "./service/senders.ts";
import type { Tally } from "./tally.ts";

const SHRINK_LIMIT_MS = 10_000;
const SHOWN_ANSWER_BYTES = 1000;

interface Sent {
  raw: RawRequest;
  answer: Answer | undefined;
  /** What answered, if the document has it. */
  operation: Operation | undefined;
  faults: readonly string[];
}

export interface TrialUses {
  aims: Aims;
  connection: Connection;
  checker: Checker;
  senders: Senders;
  catalogue: Catalogue;
  tally: Tally;
}

export class Trials {
  readonly #uses: TrialUses;
  /** Signatures of what was found already. */
  readonly #known = new Set<string>();

  constructor(uses: TrialUses) {
    this.#uses = uses;
  }

  /** @param at the request's number in the run, and the seed from which fast-check makes it */
  async run(operation: Operation, aim: Aim, at: { request: number; seed: number }): Promise<void> {
    const sent: Sent[] = [];
    const property = fc.asyncProperty(this.#uses.aims.requests(operation, aim), async (draft) => {
      const each = await this.#exchange(draft);
      sent.push(each);
      const isFirst = sent.length === 1;
      if (isFirst && each.operation && each.answer)
        this.#uses.tally.add(each.operation.id, each.answer.status);
      return each.faults.length === 0 || (isFirst && this.#known.has(signature(operation.id, each)));
    });
    const limits = { interruptAfterTimeLimit: SHRINK_LIMIT_MS, markInterruptAsFailure: false };
    const { failed } = await fc.check(property, { seed: at.seed, numRuns: 1, ...limits });
    const [first] = sent;
    const smallest = sent.findLast(({ faults }) => faults.length > 0);
    if (failed && first && smallest) this.#note(operation.id, at.request, first, smallest);
  }

  async #exchange(draft: Draft): Promise<Sent> {
    const { connection, checker, senders, catalogue } = this.#uses;
    const raw = rawRequest(draft, senders.of(draft.sender));
    try {
      const answer = await connection.send(raw);
      const { operation, faults } = checker.check(raw, answer);
      if (operation) senders.learn(operation.id, draft, answer, catalogue);
      return { raw, answer, operation, faults };
    } catch (error) {
      const faults = [`there is no answer: ${String(error)}`];
      return { raw, answer: undefined, operation: undefined, faults };
    }
  }

  #note(operation: string, request: number, first: Sent, smallest: Sent): void {
    const { tally, connection } = this.#uses;
    this.#known.add(signature(operation, first));
    tally.findings.push({
      operation,
      request,
      faults: first.faults,
      curl: curlCommand(connection.origin, first.raw),
      smallest: smallest === first ? undefined : curlCommand(connection.origin, smallest.raw),
      answer: first.answer ? shown(first.answer) : "none",
    });
  }
}

/** Faults of the same kind at the same operation, whatever the values in them. */
const signature = (operation: string, { faults }: Sent): string =>
  `${operation} ${[...new Set(faults.map((fault) => fault.replaceAll(/\/\d+/g, "").slice(0, 80)))].join()}`;

const shown = ({ status, headers, body }: Answer): string =>
  `${status} ${JSON.stringify(headers)}\n${body.toString("utf8", 0, SHOWN_ANSWER_BYTES)}`;
