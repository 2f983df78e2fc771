// One trial: a request that fast-check makes, its answer held against the document, and a smaller request that fails likewise.
import fc from "fast-check";
import type { Checker } from "./check.ts";
import type { Operation } from "./document.ts";
import type { Aim, Aims } from "./requests/aims.ts";
import { formatCurl } from "./requests/curl.ts";
import { type Draft, encodeRequest, type RawRequest } from "./requests/request.ts";
import type { Catalogue } from "./service/catalogue.ts";
import type { Connection, Response } from "./service/send.ts";
import type { Senders } from "./service/senders.ts";
import type { Tally } from "./tally.ts";

const SHRINK_LIMIT_MS = 10_000;
const SHOWN_ANSWER_BYTES = 1000;

interface Sent {
  raw: RawRequest;
  response: Response | undefined;
  /** What answered, if the document has it. */
  operation: Operation | undefined;
  errors: readonly string[];
}

interface TrialDeps {
  aims: Aims;
  connection: Connection;
  checker: Checker;
  senders: Senders;
  catalogue: Catalogue;
  tally: Tally;
}

export class Trials {
  readonly #deps: TrialDeps;
  /** Signatures of what was found already. */
  readonly #known = new Set<string>();

  constructor(deps: TrialDeps) {
    this.#deps = deps;
  }

  /** @param at the request's number in the run, and the seed from which fast-check makes it */
  async run(operation: Operation, aim: Aim, at: { request: number; seed: number }): Promise<void> {
    const sent: Sent[] = [];
    const property = fc.asyncProperty(this.#deps.aims.createRequests(operation, aim), async (draft) => {
      const each = await this.#exchange(draft);
      sent.push(each);
      const isFirst = sent.length === 1;
      if (isFirst && each.operation && each.response)
        this.#deps.tally.add(each.operation.id, each.response.status);
      return each.errors.length === 0 || (isFirst && this.#known.has(signature(operation.id, each)));
    });
    const limits = { interruptAfterTimeLimit: SHRINK_LIMIT_MS, markInterruptAsFailure: false };
    const { failed } = await fc.check(property, { seed: at.seed, numRuns: 1, ...limits });
    const [first] = sent;
    const smallest = sent.findLast(({ errors }) => errors.length > 0);
    if (failed && first && smallest) this.#note(operation.id, at.request, first, smallest);
  }

  async #exchange(draft: Draft): Promise<Sent> {
    const { connection, checker, senders, catalogue } = this.#deps;
    const raw = encodeRequest(draft, senders.of(draft.sender));
    try {
      const response = await connection.send(raw);
      const { operation, errors } = checker.check(raw, response);
      if (operation) senders.learn(operation.id, draft, response, catalogue);
      return { raw, response, operation, errors };
    } catch (error) {
      const errors = [`there is no answer: ${String(error)}`];
      return { raw, response: undefined, operation: undefined, errors };
    }
  }

  #note(operation: string, request: number, first: Sent, smallest: Sent): void {
    const { tally, connection } = this.#deps;
    this.#known.add(signature(operation, first));
    tally.findings.push({
      operation,
      request,
      errors: first.errors,
      curl: formatCurl(connection.origin, first.raw),
      smallest: smallest === first ? undefined : formatCurl(connection.origin, smallest.raw),
      response: first.response ? formatResponse(first.response) : "none",
    });
  }
}

/** Faults of the same kind at the same operation, with any values in them. */
const signature = (operation: string, { errors }: Sent): string =>
  `${operation} ${[...new Set(errors.map((fieldError) => fieldError.replaceAll(/\/\d+/g, "").slice(0, 80)))].join()}`;

const formatResponse = ({ status, headers, body }: Response): string =>
  `${status} ${JSON.stringify(headers)}\n${body.toString("utf8", 0, SHOWN_ANSWER_BYTES)}`;
