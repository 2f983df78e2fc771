/** The mixed load: all who work at once, each from request to request until the server dies. */
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { createSeededRandom, type RandomInt } from "../../lib/seeded-random.ts";
import { CutOff, type ServiceClient } from "../../lib/service-client.ts";
import { type Ledger, TookTooLong, type WorkerDeps } from "../ledger.ts";
import { BookWorker } from "./books.ts";
import { BulkWorker } from "./bulk.ts";
import { ReaderWorker } from "./readers.ts";

const BOOK_WORKERS = ["a", "b", "c", "d", "e", "f"];
const READER_WORKERS = ["a", "b", "c"];
/** The server that has cut one off may do the same to the next. */
const REFILLED_AFTER_MS = 1000;

/** Every kind of write that the load is mixed of. */
export const KINDS = [
  "POST /api/admin/books",
  "PUT /api/admin/books/{id}",
  "DELETE /api/admin/books/{id}",
  "POST /api/admin/books/{id}/restore",
  "DELETE /api/admin/books/{id}?permanent=true",
  "POST /api/admin/books/{id}/translations",
  "POST /api/admin/books/{id}/files",
  "PUT /api/admin/books/{id}/files/{id}",
  "DELETE /api/admin/books/{id}/files/{id}",
  "PUT /api/admin/books/{id}/covers/{code}",
  "DELETE /api/admin/books/{id}/covers/{code}",
  "POST /api/admin/books/bulk",
  "POST /api/admin/api-keys",
  "DELETE /api/admin/api-keys/{id}",
  "POST /api/download/submit",
  "POST /api/download/submit-all",
  "GET /api/download/{token}",
  "DELETE /api/admin/contacts/{id}",
];

export interface Worker {
  act(): Promise<void>;
}

export interface Load {
  /** No new requests. Resolves when each has its response. */
  stop(): Promise<unknown>;
  /** From now on, responses may be cut off. Another worker takes the place of one that misses a response, with things of its own. */
  expectCuts(): void;
  /** No new requests, and from now on, responses may be cut off. */
  expectTheEnd(): void;
  /** Resolves when no request waits for a response. */
  readonly ended: Promise<unknown>;
}

export interface Callers {
  /** Without a credential. */
  reader: ServiceClient;
  /** With the session of an administrator. */
  admin: ServiceClient;
  /** With an API key. */
  apiClient: ServiceClient;
}

/** What a worker does, and whether another one can take its place while a write of it has no answer. */
interface Seat {
  /** @param turn how many have sat here before */
  newWorker(turn: number): Worker;
  isRefilled: boolean;
}

/** With its causes: that a request has no response says little. */
const inWords = (error: unknown): string =>
  error instanceof Error && error.cause !== undefined
    ? `${error.message}: ${inWords(error.cause)}`
    : String(error);

/** @param more workers beside those that write */
export function startLoad(
  ledger: Ledger,
  callers: Callers,
  roll: RandomInt,
  more: readonly Worker[] = [],
): Load {
  let isEnding = false;
  let mayBeCut = false;
  const work = async (worker: Worker): Promise<void> => {
    while (!isEnding) {
      await worker.act();
      // A worker without work mustn't keep the others from theirs.
      await nextTurn();
    }
  };
  /** Whether another one can take its place. */
  const isCutOff = async (worker: Worker): Promise<boolean> => {
    try {
      await work(worker);
      return false;
    } catch (error) {
      if (error instanceof TookTooLong || (mayBeCut && error instanceof CutOff)) return true;
      ledger.unexpected.push(inWords(error));
      return false;
    }
  };
  const run = async ({ newWorker, isRefilled }: Seat): Promise<void> => {
    let turn = 0;
    while ((await isCutOff(newWorker(turn))) && isRefilled && !isEnding) {
      turn += 1;
      await sleep(REFILLED_AFTER_MS);
    }
  };
  const others = more.map((worker) => ({ newWorker: () => worker, isRefilled: true }));
  const ended = Promise.all([...seatsOf(ledger, callers, roll), ...others].map(run));
  return {
    ended,
    stop() {
      isEnding = true;
      return ended;
    },
    expectCuts() {
      mayBeCut = true;
    },
    expectTheEnd() {
      isEnding = true;
      mayBeCut = true;
    },
  };
}

function seatsOf(ledger: Ledger, { reader, admin, apiClient }: Callers, roll: RandomInt): Seat[] {
  const depsFor = (client: ServiceClient) => ({
    ledger,
    client,
    roll: createSeededRandom(1 + roll(1_000_000)),
  });
  // The same names in each load: between two of them, a check finds what has become of writes without a response.
  const nameOf = (name: string, turn: number) => (turn === 0 ? name : `${name}${turn}`);
  const refilled = (newWorker: Seat["newWorker"]): Seat => ({ newWorker, isRefilled: true });
  // Their books and keys are the same for all of their kind.
  const unique = (worker: Worker): Seat => ({ newWorker: () => worker, isRefilled: false });
  return [
    ...BOOK_WORKERS.map((name, index) => {
      const deps = depsFor(index % 2 === 0 ? admin : apiClient);
      return refilled((turn) => new BookWorker({ ...deps, name: nameOf(name, turn) }));
    }),
    ...READER_WORKERS.map((name) => {
      const deps = { ...depsFor(reader), admin };
      return refilled((turn) => new ReaderWorker({ ...deps, name: nameOf(name, turn) }));
    }),
    unique(new BulkWorker(depsFor(apiClient))),
    unique(new KeyWorker(depsFor(admin))),
  ];
}

const MAX_KEYS = 6;

const made = z.object({ id: z.string(), key: z.string() });

class KeyWorker {
  readonly #deps: WorkerDeps;

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
  }

  async act(): Promise<void> {
    // Of a key whose making was cut off only the service knows what it is.
    const known = this.#deps.ledger.keys.keys.flatMap((name) => {
      const secret = this.#deps.ledger.secrets.get(name);
      return secret ? [{ name, id: secret.id }] : [];
    });
    const key = known[this.#deps.roll(MAX_KEYS)];
    await (key ? this.#revoke(key) : this.#create());
  }

  async #create(): Promise<void> {
    const name = `key-${this.#deps.ledger.takeNextNumber()}`;
    const response = await this.#deps.ledger.write(this.#deps.client, {
      path: "/api/admin/api-keys",
      request: { method: "POST", json: { name } },
      begin: (requestId) => [this.#deps.ledger.keys.begin(name, "in force", requestId)],
      lines: 1,
    });
    if (response) this.#deps.ledger.secrets.set(name, made.parse(JSON.parse(response.bytes.toString())));
  }

  async #revoke({ name, id }: { name: string; id: string }): Promise<void> {
    await this.#deps.ledger.write(this.#deps.client, {
      path: `/api/admin/api-keys/${id}`,
      request: { method: "DELETE" },
      begin: (requestId) => [this.#deps.ledger.keys.begin(name, undefined, requestId)],
      lines: 1,
    });
  }
}
