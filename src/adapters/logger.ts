/** The log: one JSON line for each thing that happens; readable output when a terminal watches. */
import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from "pino";

export type { Logger } from "pino";

/** What never goes into the log, at any depth: secrets, and whatever a caller sent as a whole. In lower case. */
const SECRET_FIELDS = new Set([
  "authorization",
  "cookie",
  "set-cookie",
  "token",
  "key",
  "secret",
  "password",
  "currentpassword",
  "newpassword",
  "passwordhash",
  "req",
  "res",
  "headers",
  "cookies",
  "query",
  "params",
  "body",
]);
const CENSORED = "[redacted]";
const MAX_DEPTH = 5;

export function createLogger(level: string, { pretty }: { pretty: boolean }): Logger {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    // By hand, because pino's redaction by path costs a tenth of a small request and knows only the named depths.
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (entry: Record<string, unknown>) => censored(entry, 0),
    },
    serializers: { err: (described: unknown) => described },
  };
  return pretty ? pino({ ...options, transport: FOR_TERMINALS }) : pino(options, byTurns());
}

const FOR_TERMINALS = {
  target: "pino-pretty",
  options: { ignore: "id", singleLine: true, translateTime: "HH:MM:ss.l" },
};

/** More isn't held back, should one turn ever log so much. */
const MOST_HELD = 64 * 1024;

/** What waits for room when the log can't be written, as on a full disk; what comes after it is dropped. */
const MOST_WAITING = 1024 * 1024;

/**
 * Standard output, to which the lines of one turn of the event loop go in one write: a write for each is a tenth of a
 * small request. They wait for nothing else, and also go when the process exits.
 */
function byTurns(): DestinationStream {
  const output = destination({ dest: process.stdout.fd, sync: true, maxLength: MOST_WAITING });
  // Without a listener the first fault would end the process: the service goes on without its log.
  output.on("error", () => {});
  let held = "";
  const flush = () => {
    const lines = held;
    held = "";
    if (lines !== "") output.write(lines);
  };
  process.once("exit", flush);
  return {
    write(line) {
      if (held === "") setImmediate(flush);
      held += line;
      if (held.length > MOST_HELD) flush();
    },
  };
}

/** The entry itself when there is nothing to censor, which is nearly always. */
function censored(entry: Record<string, unknown>, depth: number): Record<string, unknown> {
  let result = entry;
  for (const [name, value] of Object.entries(entry)) {
    const safe = SECRET_FIELDS.has(name.toLowerCase()) ? CENSORED : safeValue(value, depth + 1);
    if (safe === value) continue;
    if (result === entry) result = { ...entry };
    result[name] = safe;
  }
  return result;
}

function safeValue(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null || "toJSON" in value) return value;
  if (value instanceof Error) return describeError(value, depth);
  if (depth > MAX_DEPTH) return CENSORED;
  if (Array.isArray(value)) return value.map((item) => safeValue(item, depth + 1));
  return censored(Object.fromEntries(Object.entries(value)), depth);
}

interface DescribedError {
  type: string;
  message: string;
  code?: unknown;
  stack?: string | undefined;
  cause?: DescribedError;
}

/** Only what an error is known to have: its other properties may hold what a caller sent. */
function describeError(thrown: unknown, depth: number): DescribedError {
  if (!(thrown instanceof Error)) return { type: typeof thrown, message: String(thrown) };
  return {
    type: thrown.name,
    message: thrown.message,
    ...("code" in thrown && { code: thrown.code }),
    stack: thrown.stack,
    ...(thrown.cause !== undefined && depth < MAX_DEPTH && { cause: describeError(thrown.cause, depth + 1) }),
  };
}
