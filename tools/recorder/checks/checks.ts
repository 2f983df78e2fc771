/** Everything that must hold after a restart. */

import type { Ledger } from "../ledger.ts";
import { UPLOAD_LANGUAGES } from "../load/books.ts";
import type { Callers } from "../load/load.ts";
import { AuditCheck } from "./audit.ts";
import { checkBytes, checkCache } from "./bytes.ts";
import { checkCatalogue, checkPublicList } from "./catalogue.ts";
import { checkByDoctor, checkDatabase, listReleased } from "./database.ts";
import { Findings } from "./findings.ts";
import { checkKeys } from "./keys.ts";
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
