/** Letters: rows of the outbox without a webhook, and how often an address may be written to. */
import { sql } from "kysely";
import { messageId } from "../adapters/system.ts";
import { createSilentAdd, hideFromIndex } from "../db/rows.ts";
import { allOf } from "../db/schema.ts";
import { DAY, HOUR, MINUTE } from "../lib/time.ts";
import { createOutboxRow, NEW_IN_OUTBOX, OPEN, type OutboxRow } from "./outbox.repository.ts";
import { Repository } from "./repository.ts";

/** A letter to a contact or to a user of the console: ids, and no person. */
export interface NewLetter {
  /** A name of LETTER_KINDS. */
  kind: string;
  /** Epoch milliseconds. */
  at: number;
  contactId?: number;
  userId?: string;
  eventId?: number;
  /** What isn't personal and has no column. */
  details?: object;
  /** Keyed hashes: of the address to which it goes, and of that from which it was asked for. */
  recipient: string;
  sender: string | null;
  /** How many that the sender has asked for may wait. */
  maxWaiting: number;
}

export type LinkLetterKind = "letter.invitation" | "letter.reset";

/** A letter with a link that sets a password. */
export interface LinkLetter {
  kind: LinkLetterKind;
  at: number;
  linkId: string;
  /** Codes of languages by preference. */
  languages: readonly string[];
}

/** An address gets one letter in two minutes, five a day and ten a week. */
const PAUSE_MS = 2 * MINUTE;
const WEEK = 7 * DAY;
/** A time that is later than now by more than this was set by another clock, and doesn't count. */
const TOLERANCE_MS = HOUR;

const TIMES = ["at1", "at2", "at3", "at4", "at5", "at6", "at7", "at8", "at9", "at10"] as const;
/** Of each time but the first: what it was before. */
const MOVED = sql.join(
  TIMES.slice(1).map((time, index) => sql`${sql.ref(time)} = ${sql.ref(`mail_recipients.${TIMES[index]}`)}`),
);

/** The bounds within which letters leave. Times are in epoch milliseconds. */
interface Bounds {
  now: number;
  /** From which time on those that have left count. */
  since: number;
  perSender: number;
  limit: number;
}

export class LettersRepository extends Repository {
  #hasNews = false;
  /** Decides and notes in one statement: of several instances, one at a time has the row. */
  readonly #note = this.compile<{ recipient: string }, (string | number | null)[]>(
    sql<{ recipient: string }>`insert into mail_recipients
      (recipient, "contactId", "userId", at1, at2, at3, at4, at5, at6, at7, at8, at9, at10)
      select cast(${""} as text), cast(${0} as integer), cast(${""} as text), cast(${0} as bigint), 0, 0, 0, 0, 0, 0, 0, 0, 0
      where not exists (select 1 from outbox where sender = ${""} and "endedAt" is null limit 1 offset ${0})
      on conflict (recipient) do update set at1 = excluded.at1, ${MOVED},
        "contactId" = excluded."contactId", "userId" = excluded."userId"
      where (mail_recipients.at1 <= cast(${0} as bigint) or mail_recipients.at1 > cast(${0} as bigint))
        and (mail_recipients.at5 <= cast(${0} as bigint) or mail_recipients.at5 > cast(${0} as bigint))
        and (mail_recipients.at10 <= cast(${0} as bigint) or mail_recipients.at10 > cast(${0} as bigint))
      returning recipient`.compile(this.db),
  );

  readonly #add = createSilentAdd(this.db, { table: "outbox", constants: NEW_IN_OUTBOX });

  /**
   * Call it in the transaction of the change. Adds a letter if its recipient may get another one, and its sender ask for it.
   * @returns whether it was added
   */
  async add({ kind, at, contactId, userId, eventId, details = {}, ...letter }: NewLetter): Promise<boolean> {
    const { recipient, sender, maxWaiting } = letter;
    const to = [recipient, contactId ?? null, userId ?? null, at];
    const late = at + TOLERANCE_MS;
    const bounds = [at - PAUSE_MS, late, at - DAY, late, at - WEEK, late];
    // Without a sender, no row is compared.
    const noted = await this.#note(...to, sender, sender === null ? 0 : maxWaiting - 1, ...bounds);
    if (noted.length === 0) return false;
    const row = createOutboxRow({ event: kind, at, contactId, eventId, details });
    await this.#add({ ...row, userId: userId ?? null, sender });
    this.#hasNews = true;
    return true;
  }

  /**
   * To the user of a link; nothing is added without such a link, by the same statement. Links have a limit of their own, which
   * the statement that adds them has decided.
   */
  async addForLink({ kind, at, linkId, languages }: LinkLetter): Promise<void> {
    await sql`insert into outbox
      (id, event, "userId", details, state, revision, "createdAt", "dueAt", "dueWithin", attempts)
      select cast(${messageId()} as text), cast(${kind} as text), "userId",
        cast(${JSON.stringify({ linkId, languages })} as text), 'waiting', 0, cast(${at} as bigint),
        cast(${at} as bigint), 0, 0
      from password_links where id = ${linkId}`.execute(this.db);
    this.#hasNews = true;
  }

  /** What isn't sent yet to a contact is never sent. */
  async forgetContact(contactId: number): Promise<void> {
    await this.db
      .deleteFrom("outbox")
      .where("contactId", "=", contactId)
      .where("webhookId", "is", null)
      .where("state", "in", OPEN)
      .execute();
  }

  /** Compiled once: it runs after each commit that adds something to the outbox. */
  readonly #countLeft = this.compile<{ count: number }, [since: number, now: number]>(
    this.db
      .selectFrom("outbox")
      // The index of a webhook's rows has all letters, those that wait among them.
      .where(hideFromIndex("webhookId"), "is", null)
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("endedAt", ">", 0)
      .where("endedAt", "<=", 0)
      .where("state", "!=", sql.lit("dropped"))
      .compile(),
  );

  /** Whether something was added since the last call. */
  takeNews(): boolean {
    const hadNews = this.#hasNews;
    this.#hasNews = false;
    return hadNews;
  }

  #letters() {
    return this.db.selectFrom("outbox").where("webhookId", "is", null);
  }

  /** How many have left, or have failed for good. */
  async countLeft({ since, now }: Pick<Bounds, "since" | "now">): Promise<number> {
    const [row] = await this.#countLeft(since, now);
    return row?.count ?? 0;
  }

  /** What becomes of letters. @param since from which time on those that ended count */
  async readState(since: number) {
    const counted = await this.#letters()
      .select((eb) => ["state", eb.fn.countAll<number>().as("count")])
      .where((eb) => eb.or([eb("state", "in", OPEN), eb("endedAt", ">", since)]))
      .groupBy("state")
      .execute();
    const last = await this.#letters()
      .select(["error", "lastAttemptAt"])
      .where("error", "is not", null)
      .orderBy("lastAttemptAt", "desc")
      .limit(1)
      .executeTakeFirst();
    const counts = new Map(counted.map(({ state, count }) => [state, count]));
    const countOf = (state: string) => counts.get(state) ?? 0;
    return {
      waiting: countOf("waiting"),
      held: countOf("held"),
      sent: countOf("delivered"),
      failed: countOf("failed"),
      lastError: last?.error ?? null,
    };
  }

  /**
   * The longest due: first those to accounts, which are few, then those to readers. However many letters readers have asked for, a
   * forgotten password doesn't wait behind them.
   */
  async listDue({ limit, ...bounds }: Bounds): Promise<OutboxRow[]> {
    const toAccounts = await this.#due(bounds)
      // By the index of the rows of users: others have all letters that wait.
      .where("userId", "is not", null)
      .where(hideFromIndex("webhookId"), "is", null)
      .limit(limit)
      .execute();
    const left = limit - toAccounts.length;
    return left === 0 ? toAccounts : [...toAccounts, ...(await this.#listDueToReaders(bounds, left))];
  }

  /**
   * Without those of senders whose hour is full. In the order of the index of what is due: others would sort all that wait, for
   * each few letters.
   */
  #listDueToReaders({ now, since, perSender }: Omit<Bounds, "limit">, limit: number): Promise<OutboxRow[]> {
    const full = this.#sent(since, now)
      .select("sender")
      .groupBy("sender")
      .having((eb) => eb(eb.fn.countAll<number>(), ">=", perSender));
    return this.#due({ now })
      .where("userId", "is", null)
      .where("webhookId", "is", null)
      .where((eb) => eb.or([eb("sender", "is", null), eb("sender", "not in", full)]))
      .limit(limit)
      .execute();
  }

  #due({ now }: Pick<Bounds, "now">) {
    return this.db
      .selectFrom("outbox")
      .select(allOf("outbox"))
      .where("state", "=", "waiting")
      .where("dueAt", "<=", now)
      .orderBy("dueAt")
      .orderBy("sequence");
  }

  /** How many letters that these senders have asked for have left. */
  async countBySender(
    senders: readonly string[],
    { since, now }: Pick<Bounds, "since" | "now">,
  ): Promise<Map<string, number>> {
    if (senders.length === 0) return new Map();
    const rows = await this.#sent(since, now)
      .select((eb) => ["sender", eb.fn.countAll<number>().as("count")])
      .where("sender", "in", senders)
      .groupBy("sender")
      .execute();
    return new Map(rows.map(({ sender, count }) => [sender ?? "", count]));
  }

  #sent(since: number, now: number) {
    return this.db
      .selectFrom("outbox")
      .where("sender", "is not", null)
      .where("endedAt", ">", since)
      .where("endedAt", "<=", now);
  }

  /** Forgets senders of letters that have left before, and recipients to whom none has been written for a week. */
  async forgetOld(before: number): Promise<void> {
    await this.db
      .updateTable("outbox")
      .set({ sender: null })
      .where("sender", "is not", null)
      .where("endedAt", "<=", before)
      .execute();
    await this.db
      .deleteFrom("mail_recipients")
      .where("at1", "<", before - WEEK)
      .execute();
  }
}
