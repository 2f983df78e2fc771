/** The cluster drill on the command line: `npm run cluster -- --all`. Exit code 1 when anything was lost or stood still too long. */
import { loadavg } from "node:os";
import { styleText } from "node:util";
import { CephGateway } from "../lib/ceph-gateway.ts";
import { runCommand } from "../lib/command-line.ts";
import { Recorder } from "../recorder/recorder.ts";
import { ClusterDrill } from "./drill.ts";
import { type ClusterOptions, createClusterCommand } from "./options.ts";
import { startServers } from "./servers.ts";

const EXIT_INTERRUPTED = 130;

const command = createClusterCommand().action(async (options: ClusterOptions) => {
  const { missing } = CephGateway;
  if (process.env.S3_TEST_URL === undefined && missing.length > 0)
    command.error(`Set S3_TEST_URL, or install ${missing.join(", ")}.`);
  const { losses, results, gaps, errors } = await drill(options);
  for (const error of errors) console.log(styleText("yellow", error));
  console.table(results);
  console.table(gaps);
  const load = loadavg().map((each) => each.toFixed(2));
  console.log(
    `${losses.length} losses and standstills, seed ${options.seed}, load average ${load.join(", ")}`,
  );
  process.exitCode = losses.length === 0 ? 0 : 1;
});

await runCommand(command);

async function drill(given: ClusterOptions) {
  await using opened = new AsyncDisposableStack();
  // Processes that hang would stay for ever.
  const end = () => void opened.disposeAsync().finally(() => process.exit(EXIT_INTERRUPTED));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end);
  const recorder = new Recorder({ seed: given.seed });
  const { instances: count, tree } = given;
  const servers = await startServers(opened, { count, tree, admin: recorder.admin });
  const done = await new ClusterDrill(servers, recorder, given, (line) => console.log(line)).run();
  return { ...done, errors: servers.instances.errors };
}
