/** The audit log: as many lines as each change has left, for what was answered and for what was done without an answer. */
import { type AuditAction, auditPage } from "../../../src/schemas/audit.schemas.ts";
import type { ServiceClient } from "../../lib/service-client.ts";
import type { Ledger } from "../ledger.ts";
import type { Findings } from "./findings.ts";

const PAGE = 200;
/** What leaves a line and changes nothing that the ledger knows of. */
const READS: readonly AuditAction[] = ["login", "export"];

export class AuditCheck {
  /** The newest line that was looked at. */
  #seen = 0;

  /** @param findings with all that was found done: a change and its line come together or not at all */
  async run(ledger: Ledger, admin: ServiceClient, findings: Findings): Promise<void> {
    const lines = await this.#readNewLines(admin);
    const expected = new Map(ledger.auditLines);
    for (const [requestId, count] of findings.done) expected.set(requestId, count);
    for (const [requestId, givenId] of ledger.givenIds) {
      const [right, found] = [expected.get(requestId) ?? 0, lines.get(givenId) ?? 0];
      if (right !== found)
        findings.addLoss(`request ${givenId} has ${found} lines in the audit log, not ${right}`);
      lines.delete(givenId);
    }
    // Without a response the id isn't known: as many requests must be left as were done, each with its number of lines.
    const unanswered = [...expected].filter(([requestId]) => !ledger.givenIds.has(requestId));
    const [right, found] = [formatInOrder(new Map(unanswered)), formatInOrder(lines)];
    if (right !== found)
      findings.addLoss(`requests without an answer have left ${found || "no"} lines, not ${right || "any"}`);
    findings.compared += expected.size;
    ledger.auditLines.clear();
    ledger.givenIds.clear();
  }

  /** How many there are for each request. */
  async #readNewLines(admin: ServiceClient): Promise<Map<string, number>> {
    const lines = new Map<string, number>();
    let newest = this.#seen;
    for (let page = 1; ; page += 1) {
      const { entries } = await admin.read(`/api/admin/audit?limit=${PAGE}&page=${page}`, auditPage);
      const unseen = entries.filter(({ id }) => Number(id) > this.#seen);
      for (const { id, requestId, action } of unseen) {
        newest = Math.max(newest, Number(id));
        if (requestId !== null && !READS.includes(action))
          lines.set(requestId, (lines.get(requestId) ?? 0) + 1);
      }
      if (unseen.length < PAGE) break;
    }
    this.#seen = newest;
    return lines;
  }
}

const formatInOrder = (lines: ReadonlyMap<string, number>): string =>
  [...lines.values()]
    .filter((count) => count > 0)
    .sort((one, other) => one - other)
    .join(", ");
