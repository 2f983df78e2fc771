/** Whether the database is whole in itself, and holds nothing that runs by itself. */
import { describe as describeObject, type SchemaObject } from "../../db/foreign-schema.ts";
import type { DatabaseState } from "../../db/soundness.ts";
import { DATABASE_FILE } from "../../lib/data-dir-names.ts";
import { type Findings, MAX_FINDINGS } from "./findings.ts";

export class DatabaseChecks {
  readonly #examine: (limit: number) => Promise<DatabaseState>;

  constructor({ examine }: { examine: (limit: number) => Promise<DatabaseState> }) {
    this.#examine = examine;
  }

  /** @returns false when its pages are damaged: what is read from it then may be anything */
  async isSound(findings: Findings): Promise<boolean> {
    findings.begin("damaged_database");
    const { damage, brokenReferences, foreign } = await this.#examine(MAX_FINDINGS);
    for (const message of damage) {
      findings.add("damaged_database", { kind: "database", id: "", name: DATABASE_FILE }, message);
    }
    if (damage.length > 0) return false;
    findings.addAll("broken_reference", brokenReferences, ({ table, rowid, parent }) => ({
      object: { kind: "database", id: String(rowid ?? ""), name: table },
      message: `The row refers to one of ${parent} that isn't there.`,
    }));
    addForeign(findings, "foreign_trigger", foreign.programs);
    addForeign(findings, "foreign_table", foreign.data);
    return true;
  }
}

function addForeign(
  findings: Findings,
  check: "foreign_trigger" | "foreign_table",
  objects: readonly SchemaObject[],
): void {
  findings.begin(check);
  for (const each of objects) {
    const message = `This service did not create the ${describeObject(each)}.`;
    findings.add(check, { kind: "database", id: each.name, name: each.table }, message);
  }
}
