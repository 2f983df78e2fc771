/** The consent ledger: all statements by readers and decisions by administrators. */
import { type ExpressionBuilder, type Selectable, sql } from "kysely";
import type { Db } from "../db/kysely.ts";
import { allOf, type Schema } from "../db/schema.ts";
import { DAY } from "../lib/time.ts";
import type { ConsentState } from "../schemas/consents.schemas.ts";
import type { ContactRange } from "./contacts.repository.ts";
import { repositoryOf } from "./repository.ts";

export type ConsentRow = Selectable<Schema["consents"]>;

export class ConsentsRepository extends repositoryOf("consents") {
  /** All statements of a contact, oldest first, also those for former addresses. */
  listOf(contactId: number): Promise<ConsentRow[]> {
    return this.db
      .selectFrom("consents")
      .select(allOf("consents"))
      .where("contactId", "=", contactId)
      .orderBy("givenAt")
      .execute();
  }

  /** The statements for the address that the contact has now, oldest first. */
  async listCurrent(contactId: number): Promise<ConsentRow[]> {
    return (await this.listOf(contactId)).filter(isForCurrentAddress);
  }

  /** The time of the latest statement for the address that the contact has now; undefined if there is none. */
  async findLatestTime(contactId: number): Promise<number | undefined> {
    return (await this.listCurrent(contactId)).at(-1)?.givenAt;
  }

  /** The contact gets another address: all statements so far are for a former one. */
  async leaveAddress(contactId: number): Promise<void> {
    await this.db
      .updateTable("consents")
      .set({ formerAddress: 1 })
      .where("contactId", "=", contactId)
      .where("formerAddress", "<>", 1)
      .execute();
  }

  /** Keeps the statements, but removes the downloads and addresses from which they came. */
  async detachFrom(eventIds: readonly number[]): Promise<void> {
    if (eventIds.length === 0) return;
    const change = { eventId: null, ipAddress: null };
    await this.db.updateTable("consents").set(change).where("eventId", "in", eventIds).execute();
  }
}

/** What was stated for another mailbox says nothing about this one. */
export const isForCurrentAddress = ({ formerAddress }: ConsentRow): boolean => formerAddress === 0;

/** How long a yes of a form waits until the owner of the address confirms it. */
export const PENDING_MS = 7 * DAY;

/** What decides whether a yes counts. */
export interface ConsentRules {
  /** Text versions to which a consent is valid, besides those of the library; empty: all. */
  textVersions: readonly string[];
  /** What has waited for a confirmation since before doesn't wait any more. Epoch milliseconds. */
  pendingSince: number;
}

/** The consent state of a contact with at least one statement. */
export interface ConsentStateRow {
  contactId: number;
  state: ConsentState;
  /** Of the latest statement, like the other fields. */
  textVersion: string;
  languageCode: string;
  givenAt: number;
}

/**
 * The consent states of contacts in a range, each with its latest statement for its address. Statements before an administrator's
 * latest decision, or a yes that the owner of the address has confirmed, are ignored. A no after a yes is a withdrawal,
 * as is an administrator's no; a yes after a withdrawal is a conflict. A yes that waits for a confirmation isn't one.
 */
export function selectConsentStates(db: Db, rules: ConsentRules, range: ContactRange = {}) {
  return db
    .selectFrom(selectSummaries(db, rules, range).as("said"))
    .innerJoin("consents", (join) =>
      join.onRef("consents.contactId", "=", "said.contactId").onRef("consents.givenAt", "=", "said.lastAt"),
    )
    .select(["said.contactId", "consents.textVersion", "consents.languageCode", "consents.givenAt"])
    .select(nameState().as("state"));
}

/** The contacts with a statement that counts, or may count once it is confirmed. */
export const selectContactsWithStatements = (
  db: Db,
  { pendingSince }: Pick<ConsentRules, "pendingSince">,
  range: ContactRange,
) =>
  selectStatements(db, range)
    .select("consents.contactId")
    .where((eb) =>
      eb.or([eb("consents.confirmation", "is distinct from", "pending"), isWaiting(eb, pendingSince)]),
    );

/** The contacts in one of the states, without looking up their latest statements. */
export const selectContactsInState = (
  db: Db,
  rules: ConsentRules,
  range: ContactRange,
  states: readonly ConsentState[],
) =>
  db
    .selectFrom(selectSummaries(db, rules, range).as("said"))
    .select("said.contactId")
    // Of a comparison for equality PostgreSQL would expect one row in 200, and look up each contact by the index.
    .where(sql`case when ${nameState()} in (${sql.join(states)}) then 1 else 0 end`, ">", 0);

/** Of the row `said`. What waits changes nothing of what was agreed. */
const nameState = () => sql<ConsentState>`case
  when "said"."pendingAt" = "said"."lastAt" and ${nameSaid()} <> ${state("agreed")} then ${state("pending")}
  else ${nameSaid()} end`;

/** Without what waits for a confirmation, or has waited in vain. */
const nameSaid = () => sql<ConsentState>`case
  when "said"."refusedAt" is not null or "said"."lastNoAt" > "said"."firstYesAt" then
    case when "said"."lastYesAt" > "said"."lastNoAt" then ${state("conflict")} else ${state("withdrawn")} end
  when "said"."saidAt" is null then ${state("none")}
  when "said"."lastNoAt" = "said"."saidAt" then ${state("declined")}
  when "said"."lastYesAt" = "said"."saidAt" then ${state("agreed")}
  else ${state("unknown_text")} end`;

const state = (name: ConsentState) => sql.lit<ConsentState>(name);

interface ConsentStatesQueryDeps {
  db: Db;
  textVersions: readonly string[];
}

export class ConsentStatesQuery {
  readonly #deps: ConsentStatesQueryDeps;

  constructor(deps: ConsentStatesQueryDeps) {
    this.#deps = deps;
  }

  /** Undefined if the contact has no statements. */
  findState(contactId: number, now: number): Promise<ConsentStateRow | undefined> {
    const range = { first: contactId, end: contactId + 1 };
    return this.#select(range, now).executeTakeFirst();
  }

  /** Of those contacts of a page that have a statement, by contact. */
  async ofPage(contactIds: readonly number[], now: number): Promise<Map<number, ConsentStateRow>> {
    if (contactIds.length === 0) return new Map();
    const rows = await this.#select({ ids: contactIds }, now).execute();
    return new Map(rows.map((row) => [row.contactId, row]));
  }

  #select(range: ContactRange, now: number) {
    const { db, textVersions } = this.#deps;
    return selectConsentStates(db, { textVersions, pendingSince: now - PENDING_MS }, range);
  }
}

/**
 * The times of each contact's first and last statements since the latest decision: of an administrator, or of the owner
 * of the address, who confirms a yes. The decisions, which are few, are read once: looking for those of each statement
 * would take longer than everything else.
 */
function selectSummaries(db: Db, { textVersions, pendingSince }: ConsentRules, range: ContactRange) {
  return selectStatements(db, range)
    .leftJoin(selectDecisions(db, range).as("decisions"), "decisions.contactId", "consents.contactId")
    .where((eb) =>
      eb.or([eb("decisions.at", "is", null), eb("consents.givenAt", ">=", eb.ref("decisions.at"))]),
    )
    .select((eb) => {
      const isSaid = eb("consents.confirmation", "is distinct from", "pending");
      const isAgreed = eb.and([eb("consents.marketing", "=", 1), isSaid]);
      const isYes =
        textVersions.length === 0
          ? isAgreed
          : eb.and([
              isAgreed,
              eb.or([
                eb("consents.textVersion", "in", textVersions),
                eb("consents.textVersion", "in", db.selectFrom("library_consents").select("version")),
              ]),
            ]);
      const givenIf = (condition: typeof isSaid) =>
        eb.fn.max(eb.case().when(condition).then(eb.ref("consents.givenAt")).end());
      const isRejected = eb.and([eb("consents.marketing", "=", 0), eb("consents.userId", "is not", null)]);
      const yesAt = eb.case().when(isYes).then(eb.ref("consents.givenAt")).end();
      return [
        "consents.contactId",
        eb.fn.max("consents.givenAt").as("lastAt"),
        eb.fn.min(yesAt).as("firstYesAt"),
        givenIf(isYes).as("lastYesAt"),
        givenIf(eb("consents.marketing", "=", 0)).as("lastNoAt"),
        givenIf(isRejected).as("refusedAt"),
        givenIf(isSaid).as("saidAt"),
        givenIf(isWaiting(eb, pendingSince)).as("pendingAt"),
      ];
    })
    .groupBy("consents.contactId");
}

/** The time of each contact's latest decision. */
const selectDecisions = (db: Db, range: ContactRange) =>
  selectStatements(db, range)
    .where((eb) =>
      eb.or([eb("consents.userId", "is not", null), eb("consents.confirmation", "=", "confirmed")]),
    )
    .groupBy("consents.contactId")
    .select((eb) => ["consents.contactId", eb.fn.max("consents.givenAt").as("at")]);

/** Of a statement: whether it still waits for a confirmation. */
const isWaiting = (eb: ExpressionBuilder<Schema, "consents">, pendingSince: number) =>
  eb.and([
    eb("consents.confirmation", "=", "pending"),
    eb(eb.fn.coalesce("consents.repeatedAt", "consents.givenAt"), ">", pendingSince),
  ]);

/** Those for the address that a contact has now. */
function selectStatements(db: Db, { first, end, ids }: ContactRange) {
  // Of a comparison for equality PostgreSQL would expect one row in 200 until it has analysed the column.
  let query = db.selectFrom("consents").where("consents.formerAddress", "<>", 1);
  if (first !== undefined) query = query.where("consents.contactId", ">=", first);
  if (end !== undefined) query = query.where("consents.contactId", "<", end);
  if (ids !== undefined) query = query.where("consents.contactId", "in", ids);
  return query;
}
