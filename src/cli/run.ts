/** Parses the command line and runs the command. */
import { constants, setPriority } from "node:os";
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { appVersion } from "../version.ts";
import { EX_USAGE, reportError } from "./command.ts";
import { COMMANDS, type CommandSpec } from "./commands.ts";

/**
 * Writes help and errors to the terminal itself.
 * @param args beginning with the name of the command
 * @returns the exit code
 */
export async function runCommand(args: readonly string[]): Promise<number> {
  let code = 0;
  const program = createProgram(async (spec, command) => {
    if (spec.isBackground) setPriority(constants.priority.PRIORITY_LOW);
    const run = await spec.load();
    code = await run({ args: command.args, options: command.opts() });
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EX_USAGE;
    return reportError(error);
  }
}

type Action = (spec: CommandSpec, command: Command) => Promise<void>;

function createProgram(action: Action): Command {
  const program = new Command("node src/cli.ts")
    .description("Runs and maintains the Book Distribution Service.")
    .usage("<command> [options]")
    .version(appVersion, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(sentenceOf(text)) })
    .showHelpAfterError("Usage: node src/cli.ts <command> [options]; --help lists the commands.")
    .addHelpText("after", "\nIn a container: docker exec -it books node src/cli.ts <command>");
  for (const spec of COMMANDS) addCommand(program, spec, action);
  return program;
}

function addCommand(program: Command, spec: CommandSpec, action: Action): void {
  const { name, summary, description, args = [], options = [], examples } = spec;
  const usage = [...args.map(([syntax]) => syntax), ...(options.length > 0 ? ["[options]"] : [])].join(" ");
  const command = program
    .command(name)
    .summary(summary)
    .description(description === undefined ? summary : `${summary}\n\n${description}`)
    .configureHelp({ commandUsage: () => callOf(name, usage) })
    .showHelpAfterError(`Usage: ${callOf(name, usage)}; --help explains it.`)
    .addHelpText("after", `\nExamples:\n${examplesOf(name, examples)}`)
    .action(() => action(spec, command));
  for (const [syntax, explanation] of args) command.argument(syntax, explanation);
  for (const { flags, description: explanation, isCount } of options) {
    if (isCount) command.option(flags, explanation, countOf);
    else command.option(flags, explanation);
  }
}

/** How a person runs a command from the project's folder. */
function callOf(name: string, args: string): string {
  const script = name === "start" ? "npm start" : `npm run ${name}`;
  return args === "" ? script : `${script} -- ${args}`;
}

const examplesOf = (name: string, examples: CommandSpec["examples"]): string =>
  examples.map(([args, explanation]) => `  ${callOf(name, args)}\n      ${explanation}`).join("\n");

/** Converts commander's `error: unknown option '--x'\n(Did you mean --y?)\n` into one line. */
function sentenceOf(text: string): string {
  const line = text
    .replace(/^error: /, "")
    .trim()
    .replaceAll("\n", " ");
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}${/[.?)]$/.test(line) ? "" : "."}\n`;
}

function countOf(given: string): number {
  if (/^[1-9]\d{0,5}$/.test(given)) return Number(given);
  throw new InvalidArgumentError("It must be a whole number from 1 to 999999.");
}
