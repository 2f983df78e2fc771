/** The audit log: as many lines as each change has left, for what was answered and for what was done without an answer. */
import { auditPage } from "../../src/schemas/audit.schemas.ts";
import type { Client } from "../client.ts";
import type { Scene } from "../scene.ts";
import type { Findings } from "./findings.ts";

const PAGE = 200;

export class AuditCheck {
  /** The newest line that was looked at. */
  #seen = 0;

  /** @param findings with all that was found done: a change and its line come together or not at all */
  async run(scene: Scene, admin: Client, findings: Findings): Promise<void> {
    const lines = await this.#newLines(admin);
    const expected = new Map(scene.auditLines);
    for (const [requestId, count] of findings.done) expected.set(requestId, count);
    for (const requestId of new Set([...expected.keys(), ...lines.keys()])) {
      const [right, found] = [expected.get(requestId) ?? 0, lines.get(requestId) ?? 0];
      if (right !== found)
        findings.lost(`request ${requestId} has ${found} lines in the audit log, not ${right}`);
    }
    findings.compared += expected.size;
    scene.auditLines.clear();
  }

  /** How many there are for each request. */
  async #newLines(admin: Client): Promise<Map<string, number>> {
    const lines = new Map<string, number>();
    let newest = this.#seen;
    for (let page = 1; ; page += 1) {
      const { entries } = await admin.read(`/api/admin/audit?limit=${PAGE}&page=${page}`, auditPage);
      const unseen = entries.filter(({ id }) => Number(id) > this.#seen);
      for (const { id, requestId, action } of unseen) {
        newest = Math.max(newest, Number(id));
        // A log-in changes nothing that the scene knows of.
        if (requestId !== null && action !== "login") lines.set(requestId, (lines.get(requestId) ?? 0) + 1);
      }
      if (unseen.length < PAGE) break;
    }
    this.#seen = newest;
    return lines;
  }
}
