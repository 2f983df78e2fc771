/** The log: one JSON line per entry, or readable output on a terminal. */
import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from "pino";

export type { Logger } from "pino";

/** Fields that are never logged, at any depth: secrets, and raw data from clients. In lower case. */
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
    // pino's own redaction costs a tenth of a small request and only knows fixed depths.
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (entry: Record<string, unknown>) => censor(entry, 0),
    },
    serializers: { err: (described: unknown) => described },
  };
  return pretty ? pino({ ...options, transport: FOR_TERMINALS }) : pino(options, createBatchedOutput());
}

const FOR_TERMINALS = {
  target: "pino-pretty",
  options: { ignore: "id", singleLine: true, translateTime: "HH:MM:ss.l" },
};

/** Limits the entries that are buffered during one event-loop turn. */
const MAX_HELD = 64 * 1024;

/** Limits the entries that wait if the log can't be written, as on a full disk; later entries are dropped. */
const MAX_WAITING = 1024 * 1024;

/**
 * Writes to standard output, once per event-loop turn: a write per entry would cost a tenth of a small request.
 * Buffered entries are also written when the process exits.
 */
function createBatchedOutput(): DestinationStream {
  const output = destination({ dest: process.stdout.fd, sync: true, maxLength: MAX_WAITING });
  // Without a listener the first error would end the process: the service continues without its log.
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
      if (held.length > MAX_HELD) flush();
    },
  };
}

/** The same object if there is nothing to redact, which is nearly always the case. */
function censor(entry: Record<string, unknown>, depth: number): Record<string, unknown> {
  let result = entry;
  for (const [name, value] of Object.entries(entry)) {
    const safe = SECRET_FIELDS.has(name.toLowerCase()) ? CENSORED : censorValue(value, depth + 1);
    if (safe === value) continue;
    if (result === entry) result = { ...entry };
    result[name] = safe;
  }
  return result;
}

function censorValue(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null || "toJSON" in value) return value;
  if (value instanceof Error) return describeError(value, depth);
  if (depth > MAX_DEPTH) return CENSORED;
  if (Array.isArray(value)) return value.map((item) => censorValue(item, depth + 1));
  return censor(Object.fromEntries(Object.entries(value)), depth);
}

interface DescribedError {
  type: string;
  message: string;
  code?: unknown;
  stack?: string | undefined;
  cause?: DescribedError;
}

/** Only the known fields of an error: its other properties can contain data from clients. */
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
