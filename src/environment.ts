/** What the process is told from outside: environment variables and the file `.env`. The only reader of process.env. */
import { isMissing } from "./lib/node-errors.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

export interface Environment {
  /** The variables that are set; an empty one counts as absent. */
  values: Record<string, string>;
  /** What could not be read, one line each, in the form `NAME: reason`. */
  errors: string[];
}

/** @param variables those of the process and of `.env` in its working directory unless others are given */
export function readEnvironment(variables?: Variables): Environment {
  const errors = variables ? [] : loadEnvFile();
  const given = Object.entries(variables ?? process.env);
  return {
    values: Object.fromEntries(given.flatMap(([name, value]) => (value ? [[name, value]] : []))),
    errors,
  };
}

/** Variables that the process already has win over those of the file, which may be missing. */
function loadEnvFile(): string[] {
  try {
    process.loadEnvFile(".env");
    return [];
  } catch (error) {
    if (isMissing(error)) return [];
    return [`.env: can't be read (${error instanceof Error ? error.message : String(error)})`];
  }
}
