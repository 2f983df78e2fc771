/**
 * Runs a script on a Node that is new enough: node scripts/node.mjs <script> [arguments]
 *
 * The caller's own Node is used when it is. Otherwise the one of node_modules starts, with the same terminal, signals
 * and exit code. npm's link node_modules/.bin/node isn't relied on: npm before 11.6.2 removes it (npm/cli#4362).
 * Plain JavaScript, because Node 18 must be able to read it.
 */
import { spawn, spawnSync } from "node:child_process";
import * as modules from "node:module";
import { delimiter, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const require = modules.createRequire(import.meta.url);
/** Of sysexits.h: something that the user must change. */
const EX_CONFIG = 78;
const FORWARDED_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2"];

const { engines, optionalDependencies } = require("../package.json");
const leastMajor = Number(engines.node.replace(">=", ""));
const [script, ...args] = process.argv.slice(2);

if (script === undefined) stop("Usage: node scripts/node.mjs <script> [arguments]", 64);
else if (Number(process.versions.node.split(".")[0]) >= leastMajor) await runHere(resolve(script));
else runWith(lockedNode());

/** In this process: it has no parent then that could miss a signal. */
async function runHere(path) {
  process.argv.splice(1, 2, path);
  // Before the script is read, so that Node needn't load its compiler of types. Node 18 has no such function.
  modules.enableCompileCache(resolve(import.meta.dirname, "../node_modules/.cache/compile"));
  await import(pathToFileURL(path).href);
}

/** @returns {string} the program of the package that fits this machine, once it has been seen to start */
function lockedNode() {
  const platform = process.platform === "win32" ? "win" : process.platform;
  const name = Object.keys(optionalDependencies).find((each) =>
    new RegExp(`^node-(bin-)?${platform}-${process.arch}$`).test(each),
  );
  if (name === undefined) return stop(`There is none in npm's packages for ${platform} on ${process.arch}.`);
  let manifest;
  try {
    manifest = require.resolve(`${name}/package.json`);
  } catch {
    return stop(`npm ci installs one, as the package ${name}, which is missing.`);
  }
  const program = join(dirname(manifest), require(manifest).bin.node);
  const { status, error, stderr } = spawnSync(program, ["--version"], { encoding: "utf8" });
  if (status === 0) return program;
  if (stderr?.includes("libatomic"))
    return stop(
      "The one that npm ci installs needs the library libatomic.so.1 (Debian: apt install libatomic1).",
    );
  const { glibcVersionRuntime } = process.report.getReport().header;
  if (process.platform === "linux" && glibcVersionRuntime === undefined)
    return stop(
      "The one that npm ci installs needs glibc, which this system doesn't have (Alpine: apk add nodejs).",
    );
  return stop(`${program} doesn't start: ${(error?.message ?? stderr).trim()}.`);
}

function runWith(program) {
  // What the script starts by the name node is the same one.
  process.env.PATH = dirname(program) + delimiter + process.env.PATH;
  const child = spawn(program, [script, ...args], { stdio: "inherit" });
  for (const signal of FORWARDED_SIGNALS) process.on(signal, () => child.kill(signal));
  child.on("error", ({ message }) => stop(`${program} doesn't start: ${message}.`));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function stop(reason, exitCode = EX_CONFIG) {
  const missing = `This needs Node ${leastMajor} or later, and this is Node ${process.versions.node}. `;
  process.stderr.write(`${exitCode === EX_CONFIG ? missing : ""}${reason}\n`);
  process.exit(exitCode);
}
