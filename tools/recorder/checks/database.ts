/** The stored data, looked at by SQLite itself or by the doctor. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openReader } from "../../../src/db/sqlite/connection.ts";
import { doctorReport } from "../../../src/schemas/doctor.schemas.ts";
import type { ServiceClient } from "../../lib/service-client.ts";
import type { Findings } from "./findings.ts";

/** Several rounds. */
const MAX_REMOVING_MS = 30_000;

export function checkDatabase(dataDir: string, findings: Findings): void {
  const connection = openReader(join(dataDir, "database.sqlite"));
  try {
    const integrity = connection.pragma("integrity_check", { simple: true });
    if (integrity !== "ok") findings.addLoss(`the database is damaged: ${integrity}`);
    const dangling = connection.pragma("foreign_key_check");
    if (JSON.stringify(dangling) !== "[]")
      findings.addLoss(`rows refer to nothing: ${JSON.stringify(dangling)}`);
  } finally {
    connection.close();
  }
}

/** All bytes that rows name, on whatever store; a crash may leave a few others, which a start sets aside. */
export async function checkByDoctor(admin: ServiceClient, findings: Findings): Promise<void> {
  await removalsDone(admin);
  const { examined, findings: found } = await admin.read("/api/admin/doctor?deep=true", doctorReport);
  for (const { severity, object, message } of found) {
    if (severity === "error") findings.addLoss(`${object.kind} ${object.name}: ${message}`);
  }
  findings.compared += examined.files + examined.covers;
}

/** What was deleted while the store was away is removed from it later: the service tries every 10 s. */
async function removalsDone(admin: ServiceClient): Promise<void> {
  const areMany = async () => {
    const { findings } = await admin.read("/api/admin/doctor", doctorReport);
    return findings.some(({ check }) => check === "many_orphaned_bytes");
  };
  const deadline = performance.now() + MAX_REMOVING_MS;
  while ((await areMany()) && performance.now() < deadline) await sleep(1000);
}
