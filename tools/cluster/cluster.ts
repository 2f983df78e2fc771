/** The cluster drill on the command line: `npm run cluster -- --minutes 10 --instances 3`. Exit code 1 when anything was lost. */
import { randomInt, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, styleText } from "node:util";
import { newAdmin } from "../drill/set-up.ts";
import { CephGateway } from "../lib/ceph-gateway.ts";
import { wholeNumber } from "../lib/options.ts";
import { PostgresProcess } from "../lib/postgres-process.ts";
import { freePort } from "../lib/server-process.ts";
import { ClusterDrill } from "./drill.ts";
import { Haproxy } from "./haproxy.ts";
import { Instances, untilNoticed } from "./instances.ts";

const USAGE = `npm run cluster -- [options]

Runs instances behind HAProxy on a PostgreSQL server and a Ceph gateway of its own. Kills an instance every 20 seconds
under load, then restarts all in turn, stops the store for 30 seconds, restarts the database, and looks whether anything
was lost. With S3_TEST_URL (in the form of STORAGE_URL, with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY) it uses that
store instead, and doesn't stop it.

  --minutes <n>    how long instances are killed; 10 unless told
  --instances <n>  from 2 to 20; 3 unless told
  --seed <n>       what chance is made of; a new one unless told
  --help           this text`;

const EXIT_USAGE = 64;
const MAX_SEED = 2_147_483_646;

interface Options {
  minutes: number;
  instances: number;
  seed: number;
}

const options = optionsOrError();
if (options === "help") console.log(USAGE);
else if (options instanceof Error) {
  console.error(options.message);
  process.exitCode = EXIT_USAGE;
} else {
  const { losses, results, errors } = await drill(options);
  for (const error of errors) console.log(styleText("yellow", error));
  console.table(results);
  for (const loss of losses) console.log(styleText("red", loss));
  const load = loadavg().map((each) => each.toFixed(2));
  console.log(`${losses.length} losses, seed ${options.seed}, load average ${load.join(", ")}`);
  process.exitCode = losses.length === 0 ? 0 : 1;
}

function optionsOrError(): Options | "help" | Error {
  try {
    const { values } = parseArgs({
      options: {
        minutes: { type: "string", default: "10" },
        instances: { type: "string", default: "3" },
        seed: { type: "string", default: String(randomInt(1, MAX_SEED)) },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) return "help";
    const { missing } = CephGateway;
    if (process.env.S3_TEST_URL === undefined && missing.length > 0)
      return new Error(`Set S3_TEST_URL, or install ${missing.join(", ")}.`);
    return {
      minutes: wholeNumber("--minutes", values.minutes, 1, 10_000),
      instances: wholeNumber("--instances", values.instances, 2, 20),
      seed: wholeNumber("--seed", values.seed, 1, MAX_SEED),
    };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function drill({ minutes, instances: count, seed }: Options) {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "cluster-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const database = new PostgresProcess({ folder: join(folder, "postgres"), port: await freePort(0) });
  await database.start();
  opened.defer(() => database.stop());
  const gateway = process.env.S3_TEST_URL === undefined ? await CephGateway.start() : undefined;
  if (gateway) opened.defer(() => gateway.stop());
  const admin = newAdmin();
  const variables = { DATABASE_URL: database.url, ...storageOf(gateway), ...admin };
  const ports: number[] = [];
  for (let each = 0; each < count; each += 1) ports.push(await freePort(0));
  const instances = new Instances({ folder, ports, variables });
  opened.defer(() => instances.stop());
  await instances.ready();
  const haproxy = await Haproxy.start(folder, await freePort(0), ports);
  opened.defer(() => haproxy.stop());
  await untilNoticed();
  const report = (line: string) => console.log(line);
  const servers = { base: haproxy.base, instances, database, gateway };
  const done = await new ClusterDrill({ ...servers, admin, seed, report }).run(minutes);
  return { ...done, errors: instances.errors };
}

/** Settings of the instances; each run has files of its own. */
function storageOf(gateway: CephGateway | undefined) {
  const { S3_TEST_URL = "", AWS_ACCESS_KEY_ID = "", AWS_SECRET_ACCESS_KEY = "" } = process.env;
  const storage = new URL(gateway?.url ?? S3_TEST_URL);
  storage.pathname = `${storage.pathname.replace(/\/$/, "")}/cluster-${randomUUID()}`;
  return {
    STORAGE_URL: storage.href,
    AWS_ACCESS_KEY_ID: gateway?.accessKeyId ?? AWS_ACCESS_KEY_ID,
    AWS_SECRET_ACCESS_KEY: gateway?.secretAccessKey ?? AWS_SECRET_ACCESS_KEY,
  };
}
