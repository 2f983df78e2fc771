/** Everything that must hold after a restart. */
import { join } from "node:path";
import { z } from "zod";
import { openReader } from "../../../src/db/sqlite/connection.ts";
import { apiKeyList } from "../../../src/schemas/api-keys.schemas.ts";
import { doctorReport } from "../../../src/schemas/doctor.schemas.ts";
import type { ServiceClient } from "../../lib/service-client.ts";
import type { Ledger } from "../ledger.ts";
import { UPLOAD_LANGUAGES } from "../load/books.ts";
import type { Callers } from "../load/load.ts";
import { AuditCheck } from "./audit.ts";
import { checkBytes, checkCache } from "./bytes.ts";
import { checkCatalogue, checkPublicList } from "./catalogue.ts";
import { Findings } from "./findings.ts";
import { checkRecords } from "./records.ts";
import { checkReports } from "./reports.ts";

export class Checks {
  readonly #dataDir: string | undefined;
  readonly #audit = new AuditCheck();

  /** @param dataDir undefined if rows and files are on servers, which the doctor looks at */
  constructor(dataDir: string | undefined) {
    this.#dataDir = dataDir;
  }

  /** Nothing else may be asked of the service in the meantime. */
  async run(ledger: Ledger, { reader, admin }: Callers): Promise<Findings> {
    const findings = new Findings();
    // First, before anything is asked that could build something.
    if (this.#dataDir !== undefined) await checkCache(this.#dataDir, findings);
    const named = await checkCatalogue(ledger, admin, findings);
    if (this.#dataDir === undefined) await checkByDoctor(admin, findings);
    else checkBytes(this.#dataDir, { named, released: listReleased(this.#dataDir) }, findings);
    for (const language of UPLOAD_LANGUAGES) await checkPublicList(ledger, reader, language, findings);
    await checkKeys(ledger, { admin, reader }, findings);
    const events = await checkRecords(ledger, admin, findings);
    await checkReports(events, admin, findings);
    await this.#audit.run(ledger, admin, findings);
    if (this.#dataDir !== undefined) checkDatabase(this.#dataDir, findings);
    for (const what of ledger.unexpected.splice(0))
      findings.addLoss(`an answer was not as it should be: ${what}`);
    return findings;
  }
}

async function checkKeys(
  ledger: Ledger,
  { admin, reader }: { admin: ServiceClient; reader: ServiceClient },
  findings: Findings,
): Promise<void> {
  const { apiKeys } = await admin.read("/api/admin/api-keys", apiKeyList);
  const names = new Set(apiKeys.map(({ name }) => name));
  for (const name of new Set([...ledger.keys.keys, ...names])) {
    findings.compare(`the API key ${name}`, ledger.keys, name, names.has(name) ? "in force" : undefined);
  }
  for (const [name, { key }] of ledger.secrets) {
    const bearer = reader.with({ authorization: `Bearer ${key}` });
    const { status } = await bearer.send("/api/admin/books?limit=1");
    const right = names.has(name) ? 200 : 401;
    if (status !== right) findings.addLoss(`the API key ${name} is answered with ${status}, not ${right}`);
    if (right === 401) ledger.secrets.delete(name);
  }
}

const hashes = z.array(z.object({ sha256: z.string() }));

/** The bytes that rows have released, and whose removal isn't noted. */
function listReleased(dataDir: string): ReadonlySet<string> {
  const connection = openReader(join(dataDir, "database.sqlite"));
  try {
    const rows = connection.prepare("select sha256 from released_bytes where state <> 'removed'").all();
    return new Set(hashes.parse(rows).map(({ sha256 }) => sha256));
  } finally {
    connection.close();
  }
}

function checkDatabase(dataDir: string, findings: Findings): void {
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
async function checkByDoctor(admin: ServiceClient, findings: Findings): Promise<void> {
  const { examined, findings: found } = await admin.read("/api/admin/doctor?deep=true", doctorReport);
  for (const { severity, object, message } of found) {
    if (severity === "error") findings.addLoss(`${object.kind} ${object.name}: ${message}`);
  }
  findings.compared += examined.files + examined.covers;
}
