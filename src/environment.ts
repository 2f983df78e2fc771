/** What the process is told from outside: environment variables, `.env` and files with secrets. The only reader of process.env. */
import { closeSync, openSync, readSync } from "node:fs";
import { isMissing, refusalOf } from "./lib/node-errors.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

export interface Environment {
  /** The variables that are set; an empty one counts as absent. */
  values: Record<string, string>;
  /** What could not be read, one line each, in the form `NAME: reason`. */
  errors: string[];
}

/** Far more than any secret has; a wrong path isn't read into memory. */
const MAX_SECRET_BYTES = 64 * 1024;

/**
 * @param secrets names of variables whose value may also come from the file that `<name>_FILE` names, as Docker,
 * Kubernetes and systemd hand secrets over
 * @param variables those of the process and of `.env` in its working directory unless others are given
 */
export function readEnvironment(secrets: readonly string[], variables?: Variables): Environment {
  const errors = variables ? [] : loadEnvFile();
  const given = Object.entries(variables ?? process.env);
  const values = Object.fromEntries(given.flatMap(([name, value]) => (value ? [[name, value]] : [])));
  for (const name of secrets) {
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

/** Without the last line end, which editors and `echo` add. */
function readSecret(path: string): string {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(MAX_SECRET_BYTES + 1);
    const length = readSync(file, bytes);
    if (length > MAX_SECRET_BYTES) throw new Error("the file is too large for a secret");
    return withoutLineEnd(bytes.toString("utf8", 0, length));
  } finally {
    closeSync(file);
  }
}

function withoutLineEnd(text: string): string {
  const secret = text.replace(/\r?\n$/, "");
  if (secret === "") throw new Error("the file is empty");
  return secret;
}

/** Variables that the process already has win over those of the file, which may be missing. */
function loadEnvFile(): string[] {
  try {
    process.loadEnvFile(".env");
    return [];
  } catch (error) {
    return isMissing(error) ? [] : [`.env: can't be read: ${reasonOf(error)}`];
  }
}

const reasonOf = (error: unknown): string =>
  refusalOf(error) ?? (error instanceof Error ? error.message : String(error));
