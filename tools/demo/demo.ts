/** The demo: starts the service in an empty folder, loads a small catalogue, runs the main workflow and stays up. `npm run demo` */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { promisify, styleText } from "node:util";
import { DATABASE_FILE } from "../../src/lib/data-dir-names.ts";
import { createCommand, parseWholeNumber, runCommand } from "../lib/command-line.ts";
import { freePort, ServerProcess } from "../lib/server-process.ts";
import { ServiceClient } from "../lib/service-client.ts";
import { temporaryFolder } from "../lib/temporary-folder.ts";
import { createHints } from "./hints.ts";
import { type Loaded, type Login, loadCatalogue } from "./load.ts";
import { formatCount, listReasons, Report, StepFailed } from "./print.ts";
import { browse } from "./walk/browse.ts";
import { showEvents } from "./walk/events.ts";
import { downloadOneBook } from "./walk/one-book.ts";
import { tryWhatIsRejected } from "./walk/refusals.ts";
import { downloadLanguages } from "./walk/whole-language.ts";
import { createYear, writeYear } from "./year.ts";

const EXIT_INTERRUPTED = 130;
const DEFAULT_WIDTH = 100;
const MAX_PORT = 65_535;

interface DemoOptions {
  once?: boolean;
  /** 0: any free one. */
  port: number;
}

const command = createCommand(
  "npm run demo --",
  "Starts a temporary server with sample books and runs the main workflow. Ctrl-C deletes all of it.",
)
  .option("--once", "exit after the workflow: 0, or 1 when a step failed")
  .option("--port <n>", "port of the server; 0: any", parseWholeNumber(0, MAX_PORT), 0)
  .action(async (options: DemoOptions) => {
    process.exitCode = await runDemo(options);
  });

/** @returns the exit code */
async function runDemo(options: DemoOptions): Promise<number> {
  const interrupted = stopSignal();
  using folder = temporaryFolder("book-demo");
  try {
    return await run(options, folder.path, interrupted);
  } catch (error) {
    console.error(styleText("red", listReasons(error).join("\n"), { stream: process.stderr }));
    return 1;
  }
}

async function run(
  { once = false, port }: DemoOptions,
  folder: string,
  interrupted: Promise<void>,
): Promise<number> {
  const login = { email: "admin@example.org", password: randomBytes(18).toString("base64url") };
  const data = join(folder, "data");
  const free = await freePort(port);
  const baseUrl = `http://127.0.0.1:${free}`;
  const server = new ServerProcess(
    {
      DATA_DIR: data,
      PORT: String(free),
      ADMIN_EMAIL: login.email,
      ADMIN_PASSWORD: login.password,
    },
    // Not the project's folder: the settings of its .env must not change the demo.
    { cwd: folder, isDetached: process.platform !== "win32", keep: "no requests" },
  );
  const report = createReport();
  const cut = interrupted.then(() => "interrupted" as const);
  let outcome: Loaded | "not loaded" | "interrupted" = "interrupted";
  let stoppedWell = false;
  try {
    outcome = await Promise.race([
      show(report, { server, baseUrl, login, database: join(data, DATABASE_FILE) }),
      cut,
    ]);
    if (typeof outcome === "object" && !once) {
      offer({ baseUrl, login, key: outcome.key, cookieJar: join(folder, "cookies.txt") });
      await Promise.race([interrupted, server.ended]);
    }
  } finally {
    // What is still under way fails from here on, only because the service goes.
    report.mute();
    stoppedWell = await stop(server);
    if (report.failed > 0 || !stoppedWell) showLines(server);
  }
  if (outcome === "interrupted") return EXIT_INTERRUPTED;
  return report.failed === 0 && stoppedWell ? 0 : 1;
}

interface Shown {
  server: ServerProcess;
  baseUrl: string;
  login: Login;
  /** The file of the server's database. */
  database: string;
}

/** Starts, loads and walks; what it gives is what can then be tried. */
async function show(
  report: Report,
  { server, baseUrl, login, database }: Shown,
): Promise<Loaded | "not loaded"> {
  report.line();
  report.line(` ${styleText("bold", "Book Distribution Service")}  ${styleText("dim", baseUrl)}`);
  report.heading("Starting");
  const built = buildConsole();
  // The step waits for it; until then nothing else does.
  built.catch(() => undefined);
  try {
    await report.step("Start with an empty data folder", async () => {
      await server.waitUntilReady();
      return { result: "GET /api/health: ok", value: undefined };
    });
    const loaded = await loadCatalogue(report, new ServiceClient(baseUrl), login);
    await report.step("Make up a year of downloads", async () => makeUpYear(loaded, database));
    await report.step("Build the console", async () => ({ result: await built, value: undefined }));
    await walk(report, loaded);
    return loaded;
  } catch (error) {
    if (error instanceof StepFailed) return "not loaded";
    throw error;
  } finally {
    report.summary();
  }
}

async function makeUpYear({ offered, today }: Loaded, database: string) {
  const year = createYear(offered, today);
  writeYear(database, year);
  const [downloads, contacts] = [year.events.length, year.contacts.length];
  const result = `${formatCount(downloads, "download")}, ${formatCount(contacts, "reader")}`;
  return {
    result,
    details: ["These downloads are made up, until yesterday, so that the console has something to show."],
    value: undefined,
  };
}

const BUILD_SCRIPT = join(import.meta.dirname, "../../scripts/build-console.ts");

/** In a process of its own, beside the steps. @returns where it is */
async function buildConsole(): Promise<string> {
  await promisify(execFile)(process.execPath, [BUILD_SCRIPT, "--if-changed"]);
  return "GET /console/";
}

function offer(running: Parameters<typeof createHints>[0]): void {
  for (const line of createHints(running)) console.log(line);
  console.log(" Press Ctrl-C to stop the server and delete its data.");
}

/** Whether the service ended in an orderly way. */
async function stop(server: ServerProcess): Promise<boolean> {
  const report = createReport();
  report.heading("Stopping");
  try {
    await report.step("Stop the server", async () => {
      await server.stop();
      return { result: "exited cleanly", value: undefined };
    });
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
  }
  report.line();
  return report.failed === 0;
}

function showLines(server: ServerProcess): void {
  if (server.lastLines.length === 0) return;
  console.log(` ${styleText("bold", "Last output of the server")}`);
  for (const line of server.lastLines) console.log(`   ${line}`);
}

function createReport(): Report {
  return new Report((text) => process.stdout.write(text), process.stdout.columns ?? DEFAULT_WIDTH);
}

/** Resolves at the first request to stop; later ones (npm passes Ctrl-C on a second time) change nothing. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve());
  });
}

/** A failed step ends its own part; the other parts go on, so that one run shows all that is wrong. */
async function walk(report: Report, loaded: Loaded): Promise<void> {
  for (const part of [browse, downloadOneBook, downloadLanguages, tryWhatIsRejected, showEvents]) {
    try {
      await part(report, loaded);
    } catch (error) {
      if (!(error instanceof StepFailed)) throw error;
    }
  }
}

await runCommand(command);
