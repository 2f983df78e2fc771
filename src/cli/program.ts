/** Parses the command line, and prints help. */
import { styleText } from "node:util";
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { appVersion } from "../version.ts";
import { colourRed, EX_USAGE } from "./command.ts";
import { COMMANDS, type CommandSpec } from "./commands.ts";

type RunSpec = (
  spec: CommandSpec,
  call: { args: readonly string[]; options: Readonly<Record<string, unknown>> },
) => Promise<number>;
type Action = (spec: CommandSpec, command: Command) => Promise<void>;

/**
 * Writes help and errors of usage to the terminal itself.
 * @returns the exit code
 */
export async function parseAndRun(args: readonly string[], run: RunSpec): Promise<number> {
  let code = 0;
  const program = createProgram(async (spec, command) => {
    code = await run(spec, { args: command.args, options: command.opts() });
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EX_USAGE;
    throw error;
  }
}

function createProgram(action: Action): Command {
  const program = new Command("bookdist")
    .description("Runs and maintains the Book Distribution Service.")
    .usage("<command> [options]")
    .version(appVersion, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(colourRed(formatSentence(text))) })
    .configureHelp({
      subcommandTerm: (command) => command.name(),
      styleTitle: (text) => styleText("bold", text, ALWAYS),
      styleCommandText: (text) => styleText("cyan", text, ALWAYS),
      styleSubcommandText: (text) => styleText("cyan", text, ALWAYS),
      styleOptionText: (text) => styleText("green", text, ALWAYS),
      styleArgumentText: (text) => styleText("yellow", text, ALWAYS),
    })
    .showHelpAfterError("Usage: bookdist <command> [options]; --help lists the commands.")
    .addHelpText("after", HOW_TO_CALL);
  for (const spec of COMMANDS) addCommand(program, spec, action);
  return program;
}

/** commander removes colors where the terminal, `NO_COLOR` or `FORCE_COLOR` ask for it. */
const ALWAYS = { validateStream: false };

const HOW_TO_CALL = `
bookdist <command> --help prints the options of a command, with examples.
In the project's folder:  npx bookdist <command>
In a container:           docker exec -it books bookdist <command>`;

function addCommand(program: Command, spec: CommandSpec, action: Action): void {
  const { name, alias, summary, description, args = [], options = [] } = spec;
  const usage = [...args.map(([syntax]) => syntax), ...(options.length > 0 ? ["[options]"] : [])].join(" ");
  const command = program
    .command(name)
    .summary(summary)
    .description(description === undefined ? summary : `${summary}\n\n${description}`)
    .usage(usage)
    .showHelpAfterError(`Usage: ${callOf(name, usage)}; --help explains it.`)
    .addHelpText("after", `\n${styleText("bold", "Examples:", ALWAYS)}\n${formatExamples(spec)}`)
    .action(() => action(spec, command));
  if (alias !== undefined) command.alias(alias);
  for (const [syntax, explanation] of args) command.argument(syntax, explanation);
  for (const { flags, description: explanation, range } of options) {
    if (range) command.option(flags, explanation, (given: string) => parseWholeNumber(range, given));
    else command.option(flags, explanation);
  }
}

const callOf = (name: string, args: string): string => ["bookdist", name, args].join(" ").trimEnd();

const formatExamples = ({ name, examples }: CommandSpec): string =>
  examples.map(([args, explanation]) => `  ${callOf(name, args)}\n      ${explanation}`).join("\n");

/** Converts commander's `error: unknown option '--x'\n(Did you mean --y?)\n` into one line. */
function formatSentence(text: string): string {
  const line = text
    .replace(/^error: /, "")
    .trim()
    .replaceAll("\n", " ");
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}${/[.?)]$/.test(line) ? "" : "."}\n`;
}

function parseWholeNumber([least, most]: readonly [number, number], given: string): number {
  const number = /^\d{1,10}$/.test(given) ? Number(given) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
}
