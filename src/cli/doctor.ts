/** `doctor [--deep] [--cloud] [--json]`: looks over DATA_DIR, also beside a running server; exit code 1 with errors. */
import { z } from "zod";
import { readConfig } from "../config.ts";
import { openDoctor } from "../container/doctor.ts";
import { pendingAfter } from "../db/migrator.ts";
import { conflict } from "../errors.ts";
import type { DoctorReport } from "../schemas/doctor.schemas.ts";
import type { Call } from "./call.ts";
import { demandDatabase } from "./existing-database.ts";

const flag = z.boolean().default(false);
const doctorOptions = z.object({ deep: flag, cloud: flag, json: flag });
type DoctorOptions = z.output<typeof doctorOptions>;

export const doctor = ({ options }: Call): Promise<number> => examine(doctorOptions.parse(options));

/** `check-data [--json]`: the doctor with all that can be known without asking others. */
export const checkData = ({ options }: Call): Promise<number> =>
  examine({ ...doctorOptions.parse(options), deep: true });

async function examine({ json, ...query }: DoctorOptions): Promise<number> {
  const config = readConfig();
  await demandDatabase(config.dataDir);
  const { doctor: service, file, close } = await openDoctor(config);
  try {
    refuseOlder(await pendingAfter(file.migrations()));
    const report = await service.examine(query);
    process.stdout.write(json ? `${JSON.stringify(report, undefined, 2)}\n` : pageOf(report));
    return report.isHealthy ? 0 : 1;
  } finally {
    await close();
  }
}

function refuseOlder(pending: readonly string[]): void {
  if (pending.length === 0) return;
  throw conflict(
    "database_older",
    `The database was made by an older version of this service (it lacks ${pending.join(", ")}). Start the server: it migrates it.`,
  );
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
