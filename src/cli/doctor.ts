/** `doctor [--deep] [--cloud] [--json]`: looks over DATA_DIR, also beside a running server; exit code 1 with errors. */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { modifiedAt } from "../adapters/file-facts.ts";
import { createLogger } from "../adapters/logger.ts";
import { readConfig } from "../config.ts";
import { createContainer } from "../container.ts";
import { notFound } from "../errors.ts";
import type { DoctorReport } from "../schemas/doctor.schemas.ts";
import { UsageError } from "./operator-fault.ts";

export async function doctor(args: readonly string[]): Promise<number> {
  const { deep, cloud, json } = optionsOf(args);
  const config = readConfig();
  // Otherwise a wrong DATA_DIR would be filled with an empty service, which is in the best of health.
  if ((await modifiedAt(join(config.dataDir, "database.sqlite"))) === undefined) {
    throw notFound("database_not_found", `There is no database in ${config.dataDir}.`);
  }
  const container = await createContainer(config, createLogger("warn", { pretty: false }));
  try {
    const report = await container.services.doctor.examine({ deep, cloud });
    process.stdout.write(json ? `${JSON.stringify(report, undefined, 2)}\n` : pageOf(report));
    return report.isHealthy ? 0 : 1;
  } finally {
    await container.close();
  }
}

function optionsOf(args: readonly string[]) {
  const flag = { type: "boolean", default: false } as const;
  try {
    return parseArgs({ args: [...args], options: { deep: flag, cloud: flag, json: flag } }).values;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${reason}\nUsage: npm run doctor -- [--deep] [--cloud] [--json]`);
  }
}

function pageOf({ isHealthy, checks, examined, findings }: DoctorReport): string {
  const { files, covers, bytes, cloudLinks } = examined;
  const lines = findings.map(
    ({ severity, object, message, advice }) =>
      `${severity}  ${object.kind} ${object.name} (${object.id})\n    ${message}\n    ${advice}\n`,
  );
  const counts = checks.map(({ check, found }) => `${String(found).padStart(8)}  ${check}\n`);
  const looked = `Looked at ${files} files, ${covers} covers, ${bytes} kept pieces, ${cloudLinks} cloud links.\n`;
  return `${lines.join("")}${counts.join("")}${looked}${isHealthy ? "Healthy." : "There are errors."}\n`;
}
