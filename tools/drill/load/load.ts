/** The mixed load: all who work at once, each from request to request until the server dies. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { type RandomInt, seededRandom } from "../../../test/support/seeded-random.ts";
import { CutOff, type ServiceClient } from "../../lib/service-client.ts";
import type { Scene } from "../scene.ts";
import { BookWorker } from "./books.ts";
import { BulkWorker } from "./bulk.ts";
import { KeyWorker } from "./keys.ts";
import { ReaderWorker } from "./readers.ts";

const BOOK_WORKERS = ["a", "b", "c", "d", "e", "f"];
const READER_WORKERS = ["a", "b", "c"];

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
  /** No new requests; each waits for the response that it is owed. */
  stop(): void;
  /** From now on it is right that answers stay out; whoever misses one ends. */
  expectCuts(): void;
  /** No new requests, and from now on it is right that answers stay out. */
  expectTheEnd(): void;
  /** Resolves when nobody waits for a response any more. */
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

/** @param more workers beside those that write */
export function startLoad(
  scene: Scene,
  callers: Callers,
  roll: RandomInt,
  more: readonly Worker[] = [],
): Load {
  let isEnding = false;
  let mayBeCut = false;
  const run = async (worker: Worker): Promise<void> => {
    try {
      while (!isEnding) {
        await worker.act();
        // Whoever finds nothing to do mustn't keep the others from it.
        await nextTurn();
      }
    } catch (error) {
      if (mayBeCut && error instanceof CutOff) return;
      scene.unexpected.push(error instanceof Error ? `${error.message} ${error.cause ?? ""}` : String(error));
    }
  };
  const ended = Promise.all([...workersOf(scene, callers, roll), ...more].map(run));
  return {
    ended,
    stop() {
      isEnding = true;
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

function workersOf(scene: Scene, { reader, admin, apiClient }: Callers, roll: RandomInt): Worker[] {
  const newRoll = () => seededRandom(1 + roll(1_000_000));
  return [
    ...BOOK_WORKERS.map((name, index) => {
      const client = index % 2 === 0 ? admin : apiClient;
      return new BookWorker({ scene, client, roll: newRoll(), name });
    }),
    ...READER_WORKERS.map(
      (name) => new ReaderWorker({ scene, client: reader, admin, roll: newRoll(), name }),
    ),
    new BulkWorker({ scene, client: apiClient, roll: newRoll() }),
    new KeyWorker({ scene, client: admin, roll: newRoll() }),
  ];
}
