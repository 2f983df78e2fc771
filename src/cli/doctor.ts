/** `doctor [--deep] [--cloud] [--json]`: looks over DATA_DIR, also beside a running server; exit code 1 with errors. */
import { readConfig } from "../config.ts";
import { openDoctor } from "../container/doctor.ts";
import { pendingAfter } from "../db/migrator.ts";
import { conflict } from "../errors.ts";
import type { DoctorReport } from "../schemas/doctor.schemas.ts";
import { demandDatabase } from "./existing-database.ts";
import { optionsOf } from "./options.ts";

const flag = { type: "boolean", default: false } as const;

export async function doctor(args: readonly string[]): Promise<number> {
  const options = { deep: flag, cloud: flag, json: flag };
  const { values } = optionsOf("npm run doctor -- [--deep] [--cloud] [--json]", { args: [...args], options });
  return examine(values);
}

/** `check-data [--json]`: the doctor with all that can be known without asking others. */
export async function checkData(args: readonly string[]): Promise<number> {
  const { values } = optionsOf("npm run check-data -- [--json]", {
    args: [...args],
    options: { json: flag },
  });
  return examine({ deep: true, cloud: false, ...values });
}

async function examine({ json, ...query }: { deep: boolean; cloud: boolean; json: boolean }) {
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
