/** What a command gets and gives back. */

/** What a command was called with; each command parses its options itself. */
export interface Call {
  args: readonly string[];
  options: unknown;
}

/** Runs a command. @returns the exit code of the process */
export type Run = (call: Call) => Promise<number>;
