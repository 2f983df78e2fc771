/** The log: one JSON line for each thing that happens; readable output when a terminal watches. */
import { type Logger, pino, stdTimeFunctions } from "pino";

export type { Logger } from "pino";

/** Never in the log, wherever they stand in what is logged. */
const SECRETS = [
  "authorization",
  "cookie",
  "password",
  "currentPassword",
  "newPassword",
  "token",
  "key",
  "secret",
];
const REDACTED_PATHS = SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `headers["set-cookie"]`]);

export function createLogger(level: string, { pretty }: { pretty: boolean }): Logger {
  return pino({
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: [...new Set(REDACTED_PATHS)], censor: "[redacted]" },
    ...(pretty && {
      transport: {
        target: "pino-pretty",
        options: { ignore: "id", singleLine: true, translateTime: "HH:MM:ss.l" },
      },
    }),
  });
}
