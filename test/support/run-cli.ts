/** Commands and scripts as processes of their own. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { COMPILE_CACHE } from "../../tools/lib/compile-cache.ts";

/**
 * In the environment of a process: it keeps its priority, see same-priority.mjs, and starts from compiled code, as
 * scripts/bookdist.mjs does.
 */
export const TEST_PROCESS = {
  NODE_OPTIONS: `--import=${new URL("same-priority.mjs", import.meta.url).href}`,
  NODE_COMPILE_CACHE: COMPILE_CACHE,
};

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
  const env = { PATH: process.env.PATH, ...TEST_PROCESS, ...variables };
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

/** What a module prints that ends by itself, with exit status 0. */
export async function readPrinted(script: string, variables: NodeJS.ProcessEnv = {}): Promise<string> {
  const options = { env: { ...process.env, ...TEST_PROCESS, ...variables }, timeout: 100_000 };
  const args = ["--input-type=module", "-e", script];
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  return stdout;
}
