/** The one rule for trying again: which failures pass by waiting, how long each wait is, and when it ends. */
import { SILENT } from "./client.ts";

/** How a request failed: status 0 where no response came. */
interface Failure {
  status: number;
  code?: string;
  /** Seconds that the service asks for. */
  retryAfter?: number | undefined;
}

/** For how long a request is tried again. */
interface Patience {
  /** How often it is sent if it fails, the first time included. */
  attempts: number;
  /** How often it waits for a log-in or for its turn, which is no failure. */
  turns: number;
  /** The longest wait that the service may ask for, in milliseconds. */
  longest: number;
  /** Which failures are tried again. */
  passes(failure: Failure): boolean;
}

/** How often a request has failed, and waited for a log-in or its turn. */
export interface Attempts {
  failures: number;
  turns: number;
}

export const NO_ATTEMPTS: Attempts = { failures: 0, turns: 0 };

const MAX_DELAY_MS = 30_000;
const MAX_TURNS = 600;

const isFailure = (error: unknown): error is Failure =>
  typeof error === "object" && error !== null && "status" in error && typeof error.status === "number";

/** Only the way to the server and the server itself recover within seconds. */
const passesSoon = ({ status, code }: Failure): boolean =>
  [0, 502, 503, 504].includes(status) && code !== SILENT;

const passesLater = ({ status }: Failure): boolean => status === 0 || status >= 500;

const waitsForSession = ({ status }: Failure): boolean => status === 401;

/** The service takes it later, and says so. */
const waitsForTurn = ({ status, code }: Failure): boolean =>
  status === 429 || code === "reports_in_preparation";

/** Whether a failure says nothing about the request itself: the same one can succeed later. */
export const isTemporary = (error: unknown): boolean =>
  isFailure(error) && (passesLater(error) || waitsForSession(error) || waitsForTurn(error));

export const PATIENCE = {
  /** What a page shows: its reader waits for it. */
  reading: { attempts: 3, turns: 0, longest: 2000, passes: passesSoon },
  /** The same where the service works on it, and each response says how far it is. */
  preparation: { attempts: 3, turns: MAX_TURNS, longest: 1000, passes: passesSoon },
  /** What goes on beside other work. */
  background: { attempts: 8, turns: MAX_TURNS, longest: 300_000, passes: passesLater },
  /** What the service may have done although no response came: only what it has refused is sent again. */
  once: { attempts: 1, turns: MAX_TURNS, longest: 300_000, passes: passesLater },
} as const satisfies Record<string, Patience>;

/**
 * What comes before the next attempt.
 * @param before this failure
 * @returns milliseconds, or the next log-in; undefined: there is no further attempt
 */
export function decideWait(
  error: unknown,
  before: Attempts,
  { attempts, turns, longest, passes }: Patience,
): number | "session" | undefined {
  if (!isFailure(error)) return undefined;
  const asked = error.retryAfter === undefined ? undefined : Math.min(error.retryAfter * 1000, longest);
  if (waitsForSession(error) || waitsForTurn(error)) {
    if (before.turns >= turns) return undefined;
    return waitsForSession(error) ? "session" : (asked ?? 1000);
  }
  if (!passes(error) || before.failures + 1 >= attempts) return undefined;
  return asked ?? Math.min(1000 * 2 ** before.failures, MAX_DELAY_MS);
}

/** @returns the attempts with one that has failed */
export function countAttempt(error: unknown, { failures, turns }: Attempts): Attempts {
  const isTurn = isFailure(error) && (waitsForSession(error) || waitsForTurn(error));
  return isTurn ? { failures, turns: turns + 1 } : { failures: failures + 1, turns };
}

/** The rule for what react-query reads; a session that has ended is no matter of one request. */
export function retryQuery(patience: Patience) {
  const decide = (count: number, error: Error) =>
    decideWait(error, { failures: count, turns: count }, patience);
  return {
    retry: (count: number, error: Error) => typeof decide(count, error) === "number",
    retryDelay: (count: number, error: Error) => Number(decide(count, error)),
  };
}

/** What requests wait for. */
export interface Waits {
  /** Until someone is logged in. */
  waitForSession(): Promise<void>;
  sleep(ms: number): Promise<void>;
}

/**
 * @param report is called before each wait
 * @throws what the last attempt failed with
 */
export async function repeat<T>(
  request: () => Promise<T>,
  { waitForSession, sleep }: Waits,
  { patience = PATIENCE.background, report }: { patience?: Patience; report?: () => void } = {},
): Promise<T> {
  for (let before = NO_ATTEMPTS; ; ) {
    try {
      return await request();
    } catch (error) {
      const wait = decideWait(error, before, patience);
      if (wait === undefined) throw error;
      report?.();
      await (wait === "session" ? waitForSession() : sleep(wait));
      before = countAttempt(error, before);
    }
  }
}
