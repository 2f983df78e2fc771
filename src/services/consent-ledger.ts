/** The ledger of consents: every statement is kept, and nobody can bury those that count. */
import type { NewId } from "../adapters/ids.ts";
import type { ConsentRow, ConsentsRepository } from "../repositories/consents.repository.ts";

/** Statements of one contact that come with forms, after an administrator's latest decision. */
export const MOST_STATEMENTS = 50;

/** What is stated, about whom, and by what way. */
export type Statement = Omit<ConsentRow, "id" | "givenAt" | "repeatedAt">;

export class ConsentLedger {
  readonly #newId: NewId;
  readonly #textVersions: readonly string[];

  /** @param deps.textVersions whose yes counts; empty: of all texts */
  constructor(deps: { newId: NewId; textVersions: readonly string[] }) {
    this.#newId = deps.newId;
    this.#textVersions = deps.textVersions;
  }

  /**
   * Adds a statement after all others of the contact, also when two come at once or the clock has been put back. One that
   * a form repeats is not added again; of too many, the oldest goes that decides nothing.
   */
  async add(consents: ConsentsRepository, statement: Statement, now: number): Promise<void> {
    const known = await consents.listOf(statement.contactId);
    const last = known.at(-1);
    const lastAt = last && (last.repeatedAt ?? last.givenAt);
    if (last && lastAt !== undefined && isRepeated(last, statement)) {
      await consents.setRepeatedAt(last.id, Math.max(now, lastAt));
      return;
    }
    const givenAt = lastAt === undefined ? now : Math.max(now, lastAt + 1);
    const row = { id: this.#newId(), ...statement, givenAt, repeatedAt: null };
    await consents.insert(row);
    const surplus = this.#surplus([...known, row]);
    if (surplus) await consents.delete(surplus.id);
  }

  /**
   * What can go of too many statements, the oldest first. The state depends on the first yes, the last yes, the last no
   * and the last statement alone, now and after anything that is still to come: they stay.
   */
  #surplus(rows: readonly ConsentRow[]): ConsentRow | undefined {
    const recent = rows.slice(rows.findLastIndex(({ userId }) => userId !== null) + 1);
    if (recent.length <= MOST_STATEMENTS) return undefined;
    const isYes = (row: ConsentRow) => row.marketing === 1 && this.isKnownText(row.textVersion);
    const deciding = new Set([
      recent.find(isYes),
      recent.findLast(isYes),
      recent.findLast(({ marketing }) => marketing === 0),
      recent.at(-1),
    ]);
    return recent.find((row) => !deciding.has(row));
  }

  /** Whether a yes to this version of the text counts. */
  isKnownText(textVersion: string): boolean {
    return this.#textVersions.length === 0 || this.#textVersions.includes(textVersion);
  }
}

/** The same by a form, with nothing else in between. An administrator's decision is repeated by nobody. */
const isRepeated = (last: ConsentRow, statement: Statement): boolean =>
  last.userId === null &&
  statement.userId === null &&
  last.marketing === statement.marketing &&
  last.textVersion === statement.textVersion &&
  last.languageCode === statement.languageCode;
