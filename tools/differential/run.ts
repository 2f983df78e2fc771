/** A run: the requests of the fuzz, and some that look for what databases and stores do differently, sent to both services. */
import fc from "fast-check";
import { chooseAim } from "../fuzz/requests/aims.ts";
import { type Draft, encodeRequest } from "../fuzz/requests/request.ts";
import { Neighbour } from "../fuzz/service/neighbour.ts";
import { prepare } from "../fuzz/service/prepare.ts";
import { DifferenceError, PairedConnection } from "./paired-connection.ts";
import { createProbes } from "./probes.ts";
import { type Services, startServices } from "./services.ts";

/** What is known of the catalogue may be a little old. */
const TURNS_PER_LOOK = 2;
/** One request of so many is sent four times at once. */
const RACE_EVERY = 20;
const RACERS = 4;

export interface DifferentialOptions {
  seed: number;
  /** The run ends after these, or after so many turns, whichever is first. */
  minutes: number;
  /** Each sends every operation once. */
  turns: number;
  database: boolean;
  store: boolean;
}

export interface Outcome {
  compared: number;
  /** Pairs of an operation and a status that it has given. */
  seen: ReadonlySet<string>;
  /** What the right service is on, in words. */
  other: string;
  /** The first difference, in words. */
  difference: string | undefined;
}

export async function runDifferential(options: DifferentialOptions): Promise<Outcome> {
  await using opened = new AsyncDisposableStack();
  const neighbour = await Neighbour.start();
  opened.defer(() => neighbour.stop());
  const services = await startServices(opened, { ...options, neighbour });
  const connection = new PairedConnection(services.left, services.right);
  const seen = new Set<string>();
  let difference: string | undefined;
  try {
    await compare(options, { connection, services, cloud: neighbour.origin, seen });
  } catch (error) {
    if (!(error instanceof DifferenceError)) throw error;
    difference = error.message;
  }
  return { compared: connection.compared, seen, other: services.other, difference };
}

interface Place {
  connection: PairedConnection;
  services: Services;
  cloud: string;
  seen: Set<string>;
}

/** @throws DifferenceError */
async function compare({ seed, minutes, turns }: DifferentialOptions, place: Place): Promise<void> {
  const until = performance.now() + minutes * 60_000;
  const { operations, keeper, aims, catalogue, send } = await prepareBoth(place);
  const { seen } = place;
  let number = seed;
  for (let turn = 0; turn < turns; turn += 1) {
    if (turn % TURNS_PER_LOOK === 0) await keeper.look();
    for (const operation of shuffle(operations, seed + turn)) {
      if (performance.now() > until) return;
      number += 1;
      const aim = chooseAim(operation, turn, (status) => seen.has(`${operation.id} ${status}`));
      const draft = makeComparable(sample(aims.createRequests(operation, aim), number), number);
      const status = await send(operation.id, draft, number % RACE_EVERY === 0);
      seen.add(`${operation.id} ${status}`);
      await send("probe", makeComparable(sample(createProbes(catalogue), number), number), false);
    }
  }
}

async function prepareBoth({ connection, services, cloud }: Place) {
  const { document, senders, catalogue, ...prepared } = await prepare(connection, services.secret, cloud);
  return {
    ...prepared,
    operations: document.operations,
    catalogue,
    /** @returns the status; undefined if neither service responds, as to some broken requests, and for a race */
    async send(operation: string, draft: Draft, isRace: boolean): Promise<number | undefined> {
      const raw = encodeRequest(draft, senders.of(draft.sender));
      if (isRace && CAN_RACE.has(operation)) {
        await connection.race(raw, RACERS);
        return undefined;
      }
      const response = await connection.exchange(raw);
      if (response) senders.learn(operation, draft, response, catalogue);
      return response?.status;
    },
  };
}

/** Those of which each makes or changes the same one thing, so that it doesn't matter which is the first. */
const CAN_RACE = new Set([
  "createLanguage",
  "createUser",
  "createChannel",
  "deleteBook",
  "restoreBook",
  "togglePublication",
  "changePublications",
  "putTranslation",
  "deleteCover",
  "updateChannel",
  "patchChannel",
  "revokeApiKey",
]);

const makeComparable = (draft: Draft, number: number): Draft => withoutTimes(withSlugs(draft, number));

/** Of two changes in a millisecond at one service, and in two at the other, another one is the latest. */
function withoutTimes(draft: Draft): Draft {
  const { sort, ...query } = draft.query;
  return /^-?updatedAt$/.test(String(sort)) ? { ...draft, query } : draft;
}

/** A slug that the service makes of an id differs, and so do the searches that find it. */
function withSlugs(draft: Draft, number: number): Draft {
  const { method, path, body } = draft;
  const isNew = method === "POST" && /^\/api\/admin\/books(?:\/bulk)?$/.test(path);
  if (!isNew || body.kind !== "json") return draft;
  const named = (value: unknown, index: number): unknown => {
    if (Array.isArray(value)) return value.map(named);
    if (typeof value !== "object" || value === null) return value;
    if ("books" in value) return { ...value, books: named(value.books, 0) };
    return "titleEn" in value ? { slug: `slug-${number}-${index}`, ...value } : value;
  };
  return { ...draft, body: { kind: "json", value: named(body.value, 0) } };
}

const sample = <T>(arbitrary: fc.Arbitrary<T>, seed: number): T => {
  const [value] = fc.sample(arbitrary, { seed, numRuns: 1 });
  if (value === undefined) throw new Error("fast-check has made nothing");
  return value;
};

const shuffle = <T>(list: readonly T[], seed: number): T[] =>
  sample(fc.shuffledSubarray([...list], { minLength: list.length }), seed);
