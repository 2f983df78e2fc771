/** Runs a command. */
import { constants, setPriority } from "node:os";
import { VARIABLES } from "../config.ts";
import { ENV_FILE, readEnvFileNames } from "../environment.ts";
import { findNearest } from "../lib/nearest.ts";
import { reportError } from "./command.ts";
import { COMMANDS, type CommandSpec, runsAtLowPriority } from "./commands.ts";

/**
 * Writes help and errors to the terminal itself.
 * @param args beginning with the name of the command
 * @returns the exit code
 */
export async function runCommand(args: readonly string[]): Promise<number> {
  try {
    const bare = findBareCommand(args);
    if (bare) return await run(bare, { args: [], options: {} });
    const { parseAndRun } = await import("./program.ts");
    return await parseAndRun(args, run);
  } catch (error) {
    return reportError(error);
  }
}

/** A command by its name alone, as a service starts: it needs no parser. */
const findBareCommand = ([name, another]: readonly string[]): CommandSpec | undefined =>
  another === undefined
    ? COMMANDS.find((spec) => name !== undefined && [spec.name, spec.alias].includes(name) && !spec.args)
    : undefined;

interface ParsedCall {
  args: readonly string[];
  options: Readonly<Record<string, unknown>>;
}

async function run(spec: CommandSpec, call: ParsedCall): Promise<number> {
  if (runsAtLowPriority(spec, call.options)) setPriority(constants.priority.PRIORITY_LOW);
  for (const warning of describeUnknownVariables()) process.stderr.write(`${warning}\n`);
  return (await spec.load())(call);
}

/** Other programs that read the same file: the AWS SDK, the client of PostgreSQL, and docker compose. */
const FOREIGN_NAME = /^(?:AWS_|PG|COMPOSE_)/;

/** Warnings for names in `.env` that nothing reads, such as mistyped ones. The environment isn't examined: it has the variables of all programs. */
function describeUnknownVariables(): string[] {
  return readEnvFileNames()
    .filter((name) => !VARIABLES.includes(name) && !FOREIGN_NAME.test(name))
    .map((name) => {
      const nearest = findNearest(name, VARIABLES);
      const hint = nearest === undefined ? ".env.example lists them." : `Did you mean ${nearest}?`;
      return `${ENV_FILE}: ${name} isn't a setting. ${hint}`;
    });
}
