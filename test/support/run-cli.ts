/** The command line as a process of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export const CLI = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));

interface Run {
  args: readonly string[];
  input?: string;
  variables?: Readonly<Record<string, string>>;
  /** The working directory, whose `.env` is read. */
  cwd?: string;
  /** The user, if another than that of the test. */
  uid?: number;
}

/** Runs a command to its end. */
export async function runCli({ args, input = "", variables = {}, cwd = tmpdir(), uid }: Run) {
  const env = { PATH: process.env.PATH, ...variables };
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd,
    env,
    stdio: "pipe",
    ...(uid !== undefined && { uid }),
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.on("error", () => {}).end(input);
  const ended = once(child, "close");
  const [out, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, out, errors };
}
