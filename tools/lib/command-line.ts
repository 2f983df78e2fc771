/** The command lines of the tools: what commander leaves to decide. */
import { randomInt } from "node:crypto";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";

/** sysexits.h, like the commands of `bookdist`. */
const EXIT_USAGE = 64;
/** Within what `createSeededRandom` accepts. */
const MAX_SEED = 2_147_483_646;

/** @param call what a user types before the options, such as `npm run drill --` */
export const createCommand = (call: string, description: string): Command =>
  new Command(call).description(description).helpOption("--help", "print this help");

/** With the option `--seed`. */
export const createSeededCommand = (call: string, description: string): Command =>
  createCommand(call, description).addOption(
    new Option("--seed <n>", "repeats a run")
      .argParser(parseWholeNumber(1, MAX_SEED))
      .default(randomInt(1, MAX_SEED), "a new one"),
  );

/** Parses the value of an option. */
export const parseWholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };

/** Runs the command's action with the options of this process. Sets the exit code 64 if there is an error in them. */
export async function runCommand(command: Command): Promise<void> {
  try {
    await command.exitOverride().parseAsync();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE;
  }
}
