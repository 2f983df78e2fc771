/** Whether the database is whole in itself. */
import type { Soundness } from "../../db/soundness.ts";
import { DATABASE_FILE } from "../../lib/data-dir-names.ts";
import { type Findings, MAX_FINDINGS } from "./findings.ts";

export class DatabaseChecks {
  readonly #soundness: Soundness;

  constructor({ soundness }: { soundness: Soundness }) {
    this.#soundness = soundness;
  }

  /** @returns false when its pages are damaged: what is read from it then may be anything */
  async isSound(findings: Findings): Promise<boolean> {
    findings.begin("damaged_database");
    const faults = await this.#soundness.faults(MAX_FINDINGS);
    for (const fault of faults) {
      findings.add("damaged_database", { kind: "database", id: "", name: DATABASE_FILE }, fault);
    }
    if (faults.length > 0) return false;
    const references = await this.#soundness.brokenReferences(MAX_FINDINGS);
    findings.addAll("broken_reference", references, ({ table, rowid, parent }) => ({
      object: { kind: "database", id: String(rowid ?? ""), name: table },
      message: `The row refers to one of ${parent} that isn't there.`,
    }));
    return true;
  }
}
