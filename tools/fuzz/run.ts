// A run: starts the service, lets everybody in, sends so many requests, and stops it.
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DownloadIds, Tokens } from "../../src/adapters/tokens.ts";
import { ServerProcess, UNLIMITED } from "../lib/server-process.ts";
import { Checker } from "./check.ts";
import { Document } from "./document.ts";
import { Aims, MAX_UPLOAD_BYTES } from "./requests/aims.ts";
import { Drafts } from "./requests/drafts.ts";
import { Catalogue } from "./service/catalogue.ts";
import { Keeper } from "./service/keeper.ts";
import { logErrors } from "./service/log.ts";
import { Neighbour } from "./service/neighbour.ts";
import { Connection } from "./service/send.ts";
import { ADMIN, newAccounts, Senders } from "./service/senders.ts";
import { Tally } from "./tally.ts";
import { Trials } from "./trials.ts";
import { type FuzzOptions, Turns } from "./turns.ts";

const DOCUMENT = join(import.meta.dirname, "../../openapi.json");

export interface Outcome {
  tally: Tally;
  /** What is wrong with the log, or with how the service ended. */
  service: readonly string[];
}

/** @param onProgress called now and then with the number of requests that have been sent */
export async function runFuzz(options: FuzzOptions, onProgress: (sent: number) => void): Promise<Outcome> {
  const document = Document.read(DOCUMENT);
  const neighbour = await Neighbour.start();
  const secret = randomBytes(32).toString("hex");
  const dataDir = mkdtempSync(join(tmpdir(), "bds-fuzz-"));
  const service = new ServerProcess({ DATA_DIR: dataDir, ...variables(secret, neighbour) }, { cwd: dataDir });
  const connection = new Connection();
  try {
    const { base } = await service.ready();
    connection.port = Number(new URL(base).port);
    const tally = new Tally(document.operations);
    const turns = await prepare({ document, connection, tally, secret, cloud: neighbour.origin });
    await turns.run(options, onProgress);
    connection.close();
    return { tally, service: await errorsAtTheEnd(service, secret) };
  } finally {
    connection.close();
    await service.end("SIGKILL");
    rmSync(dataDir, { recursive: true, force: true });
    await neighbour.stop();
  }
}

/** Stops the service. @returns what is wrong with its log or its end */
async function errorsAtTheEnd(service: ServerProcess, secret: string): Promise<string[]> {
  const isRunning = service.isRunning;
  const { code } = await service.end();
  const end = isRunning && code === 0 ? [] : [`the service ended with ${code}`];
  const lines = service.output.split("\n").filter((line) => line !== "");
  return [...end, ...lines.flatMap((line) => logErrors(line, secret))];
}

const variables = (secret: string, neighbour: Neighbour) => ({
  AUTH_SECRET: secret,
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
  ...UNLIMITED,
  MAX_UPLOAD_BYTES: String(MAX_UPLOAD_BYTES),
  ...neighbour.variables,
});

interface Place {
  document: Document;
  connection: Connection;
  tally: Tally;
  secret: string;
  cloud: string;
}

/** Logs everybody in. */
async function prepare({ document, connection, tally, secret, cloud }: Place): Promise<Turns> {
  const past = new Tokens({ secret, purpose: "download", clock: { now: () => 0 } });
  const catalogue = new Catalogue({
    ...newAccounts(),
    cloud,
    expiredToken: (await past.issue(new DownloadIds({ secret }).seal(1), 1000)).token,
  });
  const senders = new Senders(connection);
  await senders.logIn("admin", catalogue.admin);
  const keeper = new Keeper(connection, catalogue, senders.of("admin"));
  catalogue.admin.id = await keeper.ownId();
  await senders.prepare(keeper, catalogue);
  const aims = new Aims(new Drafts(document, catalogue), catalogue);
  const checker = new Checker(document);
  const trials = new Trials({ aims, connection, checker, senders, catalogue, tally });
  return new Turns({ operations: document.operations, keeper, trials, tally });
}
