// What must not be in the log of a run in which nothing goes wrong.
import { z } from "zod";
import { PASS_PHRASE } from "../requests/texts.ts";

/** The levels that a good run never needs. */
const BAD_LEVELS = ["error", "fatal"];

/** Of the provider of City databases. */
export const LICENSE_KEY = "k3y_of_the_fuzz";

/** Pass phrases, tokens, keys, the provider's key and addresses of people. */
const SECRET = new RegExp(
  `${PASS_PHRASE}|eyJ[\\w-]{10,}\\.eyJ|bds_\\w{20,}|${LICENSE_KEY}|@example\\.org`,
  "i",
);

const logLine = z.object({ level: z.string(), msg: z.string() });

/** @returns undefined for what is no line of the log */
export function readLine(line: string): z.output<typeof logLine> | undefined {
  try {
    return logLine.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** @param secret the service's own */
export function logErrors(line: string, secret: string): string[] {
  const read = readLine(line);
  if (!read) return [`the log has a line that isn't one: ${line}`];
  if (BAD_LEVELS.includes(read.level)) return [`the log has an error: ${line}`];
  return SECRET.test(line) || line.includes(secret) ? [`the log tells a secret: ${line}`] : [];
}
