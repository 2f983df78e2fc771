/** A unique index that is dropped below running instances, and made again by the doctor's command. */
import { setTimeout as sleep } from "node:timers/promises";
import { doctorReport } from "../../../src/schemas/doctor.schemas.ts";
import { onServer } from "../../lib/postgres-process.ts";
import type { Instances } from "../instances.ts";
import type { Context } from "./fault.ts";

/** Each form needs it, to find the contact with its address. */
const [TABLE, CONSTRAINT] = ["contacts", "contacts_email_key"];
/** So long forms are tried without it. */
const MISSED_MS = 8000;
const ATTEMPTS = 3;

export async function dropIndex(context: Context): Promise<void> {
  const { database } = context.servers;
  await onServer(database.url, (client) =>
    client.query(`alter table ${TABLE} drop constraint ${CONSTRAINT}`),
  );
  context.meanwhile(() => findAndRepair(context));
}

async function findAndRepair({ servers: { instances }, recorder, report }: Context): Promise<string[]> {
  await sleep(MISSED_MS);
  const wrong: string[] = [];
  for (const [index, name] of instances.names.entries()) {
    const { admin } = recorder.callers(instances.base(index));
    const { isHealthy, findings } = await admin.get("/api/admin/doctor", doctorReport);
    const found = findings.find(
      ({ check, object }) => check === "missing_constraint" && object.name === TABLE,
    );
    if (found) report(`  doctor at ${name}: ${found.message}`);
    if (isHealthy || !found?.message.includes("alter table"))
      wrong.push(`the doctor at ${name} doesn't name the dropped index with its statement`);
  }
  return [...wrong, ...(await repair(instances, report))];
}

/** As an operator does it, who repeats a command that couldn't connect in time. */
async function repair(instances: Instances, report: Context["report"]): Promise<string[]> {
  const outputs: string[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const since = performance.now();
    const { output } = await instances.runCommand("doctor", "--repair-indexes");
    const made = output.split("\n").find((line) => line.startsWith("Made again"));
    report(
      `  doctor --repair-indexes: ${made ?? output} (${((performance.now() - since) / 1000).toFixed(1)} s)`,
    );
    if (made !== undefined) return [];
    outputs.push(output);
  }
  return [`the index isn't made again: ${outputs.join("\n")}`];
}
