/** Warnings for names in `.env` that nothing reads, such as mistyped ones. */
import { ENV_FILE, readEnvFileNames, VARIABLES } from "../config.ts";
import { findNearest } from "../lib/nearest.ts";

/** Other programs that read the same file: the AWS SDK, the client of PostgreSQL, and docker compose. */
const FOREIGN_NAME = /^(?:AWS_|PG|COMPOSE_)/;

/** One line for each name. The environment isn't examined: it has the variables of all programs. */
export function describeUnknownVariables(): string[] {
  return readEnvFileNames()
    .filter((name) => !VARIABLES.includes(name) && !FOREIGN_NAME.test(name))
    .map((name) => {
      const nearest = findNearest(name, VARIABLES);
      const hint = nearest === undefined ? ".env.example lists them." : `Did you mean ${nearest}?`;
      return `${ENV_FILE}: ${name} isn't a setting. ${hint}`;
    });
}
