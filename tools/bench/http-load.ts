/** A load of small requests by wrk where it is installed, otherwise by autocannon: in a process of its own, on another core. */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { request } from "node:http";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";

const POST = fileURLToPath(import.meta.resolve("./post.lua"));
/** In a body. */
const ID = "[<id>]";
const WRK = "/usr/bin/wrk";
const AUTOCANNON = fileURLToPath(import.meta.resolve("autocannon"));
const run = promisify(execFile);

export interface HttpLoad {
  port: number;
  path: string;
  connections: number;
  seconds: number;
  headers?: Readonly<Record<string, string>>;
  /** A JSON body, which makes it a POST. `[<id>]` in it is another text each time. */
  body?: string;
  /** The status that every response must have. */
  status: number;
  /** The core on which wrk runs; any by default. */
  core?: number;
}

/** Responses a second. @throws Error when one has another status */
export function measureResponsesPerSecond(load: HttpLoad): Promise<number> {
  return existsSync(WRK) ? measureByWrk(load) : measureByAutocannon(load);
}

const urlOf = ({ port, path }: HttpLoad): string => `http://127.0.0.1:${port}${path}`;

const headerOptions = ({ headers = {} }: HttpLoad, join: string): string[] =>
  Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}${join}${value}`]);

/** wrk tells errors from the rest, but not one good status from another: the first response is looked at here. */
async function measureByWrk(load: HttpLoad): Promise<number> {
  const status = await readStatus(load);
  const options = ["-t1", `-c${load.connections}`, `-d${load.seconds}s`, ...headerOptions(load, ": ")];
  const { body, core } = load;
  const place = body === undefined ? [] : ["-s", POST];
  const id = body === undefined ? [] : ["--", body, randomBytes(8).toString("hex")];
  const command = [WRK, ...options, ...place, urlOf(load), ...id];
  const { stdout } = await (core === undefined
    ? run(WRK, command.slice(1))
    : run("taskset", ["--cpu-list", String(core), ...command]));
  const rate = /^Requests\/sec: +([\d.]+)$/m.exec(stdout)?.[1];
  if (status !== load.status || rate === undefined || /Non-2xx|Socket errors/.test(stdout))
    throw new Error(`${urlOf(load)}, first ${status}:\n${stdout}`);
  return Number(rate);
}

/** Not by `fetch`, which asks for a fresh response where a condition is set. */
async function readStatus(load: HttpLoad): Promise<number | undefined> {
  const { body, headers } = load;
  const method = body === undefined ? "GET" : "POST";
  const asked = request(urlOf(load), { method, headers: { ...headers }, agent: false });
  const [response] = await once(asked.end(body?.replace(ID, "first")), "response");
  response.resume();
  return response.statusCode;
}

const result = z.object({
  duration: z.number(),
  errors: z.int(),
  statusCodeStats: z.record(z.string(), z.object({ count: z.int() })),
});

async function measureByAutocannon(load: HttpLoad): Promise<number> {
  const { connections, seconds, body, status } = load;
  const post = ["-m", "POST", "-I", "-b", body ?? ""];
  const options = ["-j", "-n", "-c", `${connections}`, "-d", `${seconds}`, ...headerOptions(load, "=")];
  const given = [...options, ...(body === undefined ? [] : post), urlOf(load)];
  const { stdout } = await run(process.execPath, [AUTOCANNON, ...given]);
  const { duration, errors, statusCodeStats } = result.parse(JSON.parse(stdout));
  const { [status]: right, ...others } = statusCodeStats;
  if (right === undefined || errors > 0 || Object.keys(others).length > 0)
    throw new Error(`${urlOf(load)}: ${errors} errors, statuses ${JSON.stringify(statusCodeStats)}`);
  return right.count / duration;
}
