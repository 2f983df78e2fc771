/** Whether the database is whole in itself. */
import type { Soundness } from "../../db/soundness.ts";
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
      findings.add("damaged_database", { kind: "database", id: "", name: "database.sqlite" }, fault);
    }
    if (faults.length > 0) return false;
    findings.begin("broken_reference");
    for (const { table, rowid, parent } of await this.#soundness.brokenReferences()) {
      const object = { kind: "database", id: String(rowid ?? ""), name: table } as const;
      findings.add("broken_reference", object, `The row refers to one of ${parent} that isn't there.`);
    }
    return true;
  }
}
