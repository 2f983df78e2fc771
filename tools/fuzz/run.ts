/** A run: starts the service, sends so many requests, and stops it. */
import { randomBytes } from "node:crypto";
import { ServerProcess } from "../lib/server-process.ts";
import { temporaryFolder } from "../lib/temporary-folder.ts";
import { Checker } from "./check.ts";
import { logErrors } from "./service/log.ts";
import { Neighbour } from "./service/neighbour.ts";
import { createSettings, prepare } from "./service/prepare.ts";
import { Connection } from "./service/send.ts";
import { Tally } from "./tally.ts";
import { Trials } from "./trials.ts";
import { type FuzzOptions, Turns } from "./turns.ts";

export interface Outcome {
  tally: Tally;
  /** What is wrong with the log, or with how the service ended. */
  service: readonly string[];
}

/** @param onProgress called now and then with the number of requests that have been sent */
export async function runFuzz(options: FuzzOptions, onProgress: (sent: number) => void): Promise<Outcome> {
  const neighbour = await Neighbour.start();
  const secret = randomBytes(32).toString("hex");
  using dataDir = temporaryFolder("bds-fuzz");
  const service = new ServerProcess(
    { DATA_DIR: dataDir.path, ...createSettings(secret, neighbour) },
    { cwd: dataDir.path },
  );
  const connection = new Connection();
  try {
    const { base } = await service.waitUntilReady();
    connection.port = Number(new URL(base).port);
    const { document, keeper, ...prepared } = await prepare(connection, secret, neighbour.origin);
    const { operations } = document;
    const tally = new Tally(operations);
    const trials = new Trials({ ...prepared, connection, checker: new Checker(document), tally });
    await new Turns({ operations, keeper, trials, tally }).run(options, onProgress);
    connection.close();
    return { tally, service: await findErrorsAtTheEnd(service, secret) };
  } finally {
    connection.close();
    await service.end("SIGKILL");
    await neighbour.stop();
  }
}

/** Stops the service. @returns what is wrong with its log or its end */
async function findErrorsAtTheEnd(service: ServerProcess, secret: string): Promise<string[]> {
  const isRunning = service.isRunning;
  const { code } = await service.end();
  const end = isRunning && code === 0 ? [] : [`the service ended with ${code}`];
  const lines = service.output.split("\n").filter((line) => line !== "");
  return [...end, ...lines.flatMap((line) => logErrors(line, secret))];
}
