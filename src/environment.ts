/** Reads environment variables, `.env` and the files of secrets. Only this file reads process.env. */
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { parseEnv } from "node:util";
import { isMissing, reasonOf } from "./lib/node-errors.ts";

/** Settings whose value can also come from a file that `<name>_FILE` names, as Docker, Kubernetes and systemd pass secrets. */
export const SECRETS = [
  "DATABASE_URL",
  "DATABASE_REPORT_URL",
  "AUTH_SECRET",
  "ADMIN_PASSWORD",
  "AWS_SECRET_ACCESS_KEY",
  "MAXMIND_LICENSE_KEY",
  "METRICS_TOKEN",
  "SMTP_URL",
  "SMTP_CA",
  "MAIL_DKIM_KEY",
];

export type Variables = Readonly<Record<string, string | undefined>>;

/** Far more than any secret needs, so that a wrong path isn't read into memory. */
const MAX_SECRET_BYTES = 64 * 1024;

/**
 * @param variables those of the process and of `.env` in its working directory unless given
 * @returns the variables that are set, and what can't be read, in the form `NAME: reason`
 */
export function readEnvironment(variables?: Variables) {
  const errors = variables ? [] : loadEnvFile();
  const given = Object.entries(variables ?? process.env);
  const values = Object.fromEntries(given.flatMap(([name, value]) => (value ? [[name, value]] : [])));
  for (const name of SECRETS) {
    const path = values[`${name}_FILE`];
    if (path === undefined) continue;
    if (values[name] !== undefined) {
      errors.push(`${name}_FILE: must not be set together with ${name}`);
      continue;
    }
    try {
      values[name] = readSecret(path);
    } catch (error) {
      errors.push(`${name}_FILE: can't read ${path}: ${reasonOf(error)}`);
    }
  }
  return { values, errors };
}

/** Without the final newline, which editors and `echo` add. */
function readSecret(path: string): string {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(MAX_SECRET_BYTES + 1);
    const length = readSync(file, bytes);
    if (length > MAX_SECRET_BYTES) throw new Error("the file is too large for a secret");
    return trimLineEnd(bytes.toString("utf8", 0, length));
  } finally {
    closeSync(file);
  }
}

function trimLineEnd(text: string): string {
  const secret = text.replace(/\r?\n$/, "");
  if (secret === "") throw new Error("the file is empty");
  return secret;
}

export const ENV_FILE = ".env";

/** Variables of the process take precedence over those of the file. The file is optional. */
function loadEnvFile(): string[] {
  try {
    process.loadEnvFile(ENV_FILE);
    return [];
  } catch (error) {
    return isMissing(error) ? [] : [`.env: can't be read: ${reasonOf(error)}`];
  }
}

/** None if the file can't be read, which `readConfig` reports. */
export function readEnvFileNames(): string[] {
  try {
    return Object.keys(parseEnv(readFileSync(ENV_FILE, "utf8")));
  } catch {
    return [];
  }
}
