// The order in which a run sends its requests: turn after turn, each operation once a turn.
import fc from "fast-check";
import type { Operation } from "./document.ts";
import { type Aim, chooseAim } from "./requests/aims.ts";
import type { Keeper } from "./service/keeper.ts";
import type { Tally } from "./tally.ts";
import type { Trials } from "./trials.ts";

/** More of the same say nothing new. */
const MAX_FINDINGS = 20;
/** What is known of the catalogue may be a little old. */
const TURNS_PER_LOOK = 2;

/** Requests of one lane are sent one after another, for they depend on what went before; the lanes go side by side. */
const LANES = ["reading", "people", "catalogue"] as const;
type Lane = (typeof LANES)[number];

/** What is hostile may have another method than the operation's. */
function chooseLane({ method, path }: Operation, aim: Aim): Lane {
  if (method === "get" && aim !== "hostile") return "reading";
  return /^\/api\/(auth|admin\/users|admin\/api-keys)\b/.test(path) ? "people" : "catalogue";
}

/** Rejected while another one runs, however long that takes on a busy machine. */
const ONE_AT_A_TIME: readonly string[] = ["startImport", "undoImport"];

interface Turned {
  operation: Operation;
  aim: Aim;
  /** Its number in the run. */
  request: number;
}

export interface FuzzOptions {
  requests: number;
  seed: number;
}

interface TurnsDeps {
  operations: readonly Operation[];
  keeper: Keeper;
  trials: Trials;
  tally: Tally;
}

export class Turns {
  readonly #deps: TurnsDeps;

  constructor(deps: TurnsDeps) {
    this.#deps = deps;
  }

  /** @param onProgress called before each turn with the number of requests that have been sent */
  async run({ requests, seed }: FuzzOptions, onProgress: (sent: number) => void): Promise<void> {
    for (let turn = 0; turn * this.#deps.operations.length < requests; turn += 1) {
      const first = turn * this.#deps.operations.length;
      onProgress(first);
      if (turn % TURNS_PER_LOOK === 0) await this.#deps.keeper.look();
      const order = shuffle(this.#deps.operations, seed + turn).slice(0, requests - first);
      const turned = order.map((operation, index) => {
        const aim = chooseAim(operation, turn, (status) => this.#deps.tally.hasSeen(operation.id, status));
        return { operation, aim, request: first + index };
      });
      await Promise.all(LANES.map((lane) => this.#send(lane, turned, seed)));
      if (this.#deps.tally.findings.length >= MAX_FINDINGS) return;
    }
  }

  async #send(lane: Lane, turned: readonly Turned[], seed: number): Promise<void> {
    for (const { operation, aim, request } of turned) {
      if (chooseLane(operation, aim) !== lane) continue;
      if (aim === "accepted" && ONE_AT_A_TIME.includes(operation.id))
        await this.#deps.keeper.waitForImports();
      await this.#deps.trials.run(operation, aim, { request, seed: seed + request });
    }
  }
}

function shuffle<T>(list: readonly T[], seed: number): T[] {
  const all = fc.shuffledSubarray([...list], { minLength: list.length, maxLength: list.length });
  return fc.sample(all, { seed, numRuns: 1 })[0] ?? [...list];
}
