/** The consent ledger: all statements by readers and decisions by administrators. */
import { sql } from "kysely";
import type { Db } from "../db/kysely.ts";
import { allOf, type Schema } from "../db/schema.ts";
import type { ConsentState } from "../schemas/consents.schemas.ts";
import type { ContactRange } from "./contacts.repository.ts";
import { repositoryOf } from "./repository.ts";

export type ConsentRow = Schema["consents"];

export class ConsentsRepository extends repositoryOf("consents") {
  /** All statements of a contact, oldest first. */
  listOf(contactId: number): Promise<ConsentRow[]> {
    return this.db
      .selectFrom("consents")
      .select(allOf("consents"))
      .where("contactId", "=", contactId)
      .orderBy("givenAt")
      .execute();
  }

  /** The time of a contact's latest statement; undefined if there is none. */
  async findLatestTime(contactId: number): Promise<number | undefined> {
    return (await this.listOf(contactId)).at(-1)?.givenAt;
  }

  /** Keeps the statements, but removes the downloads and addresses from which they came. */
  async detachFrom(eventIds: readonly number[]): Promise<void> {
    if (eventIds.length === 0) return;
    const change = { eventId: null, ipAddress: null };
    await this.db.updateTable("consents").set(change).where("eventId", "in", eventIds).execute();
  }
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
 * The consent states of contacts in a range, each with its latest statement. Statements before an administrator's
 * latest decision are ignored. A no after a yes is a withdrawal, as is an administrator's no; a yes after a withdrawal
 * is a conflict.
 * @param textVersions text versions to which a consent is valid, besides those of the library; empty: all
 */
export function selectConsentStates(db: Db, textVersions: readonly string[], range: ContactRange = {}) {
  return db
    .selectFrom(selectSummaries(db, textVersions, range).as("said"))
    .innerJoin("consents", (join) =>
      join.onRef("consents.contactId", "=", "said.contactId").onRef("consents.givenAt", "=", "said.lastAt"),
    )
    .select(["said.contactId", "consents.textVersion", "consents.languageCode", "consents.givenAt"])
    .select(nameState().as("state"));
}

/** The contacts with a statement. */
export const selectContactsWithStatements = (db: Db, range: ContactRange) =>
  selectStatements(db, range).select("consents.contactId");

/** The contacts in one of the states, without looking up their latest statements. */
export const selectContactsInState = (
  db: Db,
  textVersions: readonly string[],
  range: ContactRange,
  states: readonly ConsentState[],
) =>
  db
    .selectFrom(selectSummaries(db, textVersions, range).as("said"))
    .select("said.contactId")
    // Of a comparison for equality PostgreSQL would expect one row in 200, and look up each contact by the index.
    .where(sql`case when ${nameState()} in (${sql.join(states)}) then 1 else 0 end`, ">", 0);

/** Of the row `said`. */
const nameState = () => sql<ConsentState>`case
  when "said"."refusedAt" is not null or "said"."lastNoAt" > "said"."firstYesAt" then
    case when "said"."lastYesAt" > "said"."lastNoAt" then ${state("conflict")} else ${state("withdrawn")} end
  when "said"."lastNoAt" = "said"."lastAt" then ${state("declined")}
  when "said"."lastYesAt" = "said"."lastAt" then ${state("agreed")}
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
  findState(contactId: number): Promise<ConsentStateRow | undefined> {
    const range = { first: contactId, end: contactId + 1 };
    return selectConsentStates(this.#deps.db, this.#deps.textVersions, range).executeTakeFirst();
  }

  /** Of those contacts of a page that have a statement, by contact. */
  async ofPage(contactIds: readonly number[]): Promise<Map<number, ConsentStateRow>> {
    if (contactIds.length === 0) return new Map();
    const range = { ids: contactIds };
    const rows = await selectConsentStates(this.#deps.db, this.#deps.textVersions, range).execute();
    return new Map(rows.map((row) => [row.contactId, row]));
  }
}

/**
 * The times of each contact's first and last statements since an administrator's latest decision. The decisions, which
 * are few, are read once: looking for those of each statement would take longer than everything else.
 */
function selectSummaries(db: Db, textVersions: readonly string[], range: ContactRange) {
  const decisions = selectStatements(db, range)
    .where("consents.userId", "is not", null)
    .groupBy("consents.contactId")
    .select((eb) => ["consents.contactId", eb.fn.max("consents.givenAt").as("at")]);
  return selectStatements(db, range)
    .leftJoin(decisions.as("decisions"), "decisions.contactId", "consents.contactId")
    .where((eb) =>
      eb.or([eb("decisions.at", "is", null), eb("consents.givenAt", ">=", eb.ref("decisions.at"))]),
    )
    .select((eb) => {
      const isYes =
        textVersions.length === 0
          ? eb("consents.marketing", "=", 1)
          : eb.and([
              eb("consents.marketing", "=", 1),
              eb.or([
                eb("consents.textVersion", "in", textVersions),
                eb("consents.textVersion", "in", db.selectFrom("library_consents").select("version")),
              ]),
            ]);
      const isRejected = eb.and([eb("consents.marketing", "=", 0), eb("consents.userId", "is not", null)]);
      const yesAt = eb.case().when(isYes).then(eb.ref("consents.givenAt")).end();
      const noAt = eb.case().when("consents.marketing", "=", 0).then(eb.ref("consents.givenAt")).end();
      return [
        "consents.contactId",
        eb.fn.max("consents.givenAt").as("lastAt"),
        eb.fn.min(yesAt).as("firstYesAt"),
        eb.fn.max(yesAt).as("lastYesAt"),
        eb.fn.max(noAt).as("lastNoAt"),
        eb.fn.max(eb.case().when(isRejected).then(eb.ref("consents.givenAt")).end()).as("refusedAt"),
      ];
    })
    .groupBy("consents.contactId");
}

function selectStatements(db: Db, { first, end, ids }: ContactRange) {
  let query = db.selectFrom("consents");
  if (first !== undefined) query = query.where("consents.contactId", ">=", first);
  if (end !== undefined) query = query.where("consents.contactId", "<", end);
  if (ids !== undefined) query = query.where("consents.contactId", "in", ids);
  return query;
}
