/** The stored data, looked at by SQLite itself or by the doctor. */
import { join } from "node:path";
import { z } from "zod";
import { openReader } from "../../../src/db/sqlite/connection.ts";
import { doctorReport } from "../../../src/schemas/doctor.schemas.ts";
import type { ServiceClient } from "../../lib/service-client.ts";
import type { Findings } from "./findings.ts";

const hashes = z.array(z.object({ sha256: z.string() }));

/** The bytes that rows have released, and whose removal isn't noted. */
export function listReleased(dataDir: string): ReadonlySet<string> {
  const connection = openReader(join(dataDir, "database.sqlite"));
  try {
    const rows = connection.prepare("select sha256 from released_bytes where state <> 'removed'").all();
    return new Set(hashes.parse(rows).map(({ sha256 }) => sha256));
  } finally {
    connection.close();
  }
}

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

/** All bytes that rows name, in either store; a crash may leave a few others, which a start sets aside. */
export async function checkByDoctor(admin: ServiceClient, findings: Findings): Promise<void> {
  const { examined, findings: found } = await admin.read("/api/admin/doctor?deep=true", doctorReport);
  for (const { severity, object, message } of found) {
    if (severity === "error") findings.addLoss(`${object.kind} ${object.name}: ${message}`);
  }
  findings.compared += examined.files + examined.covers;
}
