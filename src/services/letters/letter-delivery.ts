/** Hands letters over to the mail server, oldest first, within the limits of an hour. */
import pLimit from "p-limit";
import type { Logger } from "../../adapters/logger.ts";
import type { MailClient, SendResult } from "../../adapters/mail-client.ts";
import type { Clock } from "../../adapters/system.ts";
import type { MailSettings } from "../../config.ts";
import { HOUR, MINUTE } from "../../lib/time.ts";
import type { RecordRepositories, WriteRecords } from "../../repositories/index.ts";
import type { OutboxRow } from "../../repositories/outbox.repository.ts";
import { findDelay } from "../outbox/schedule.ts";
import { Service } from "../shared/service.ts";
import type { LetterContents } from "./letter-contents.ts";

const AT_ONCE = 2;
const ROWS_AT_ONCE = 20;
/** After a refused log-in nothing is sent for this time: servers lock accounts out. */
const REFUSED_PAUSE_MS = 5 * MINUTE;
/** After so many letters in a row that the server of an address has refused, it gets none any more. */
const FAILING_AFTER = 3;
/** How often senders and recipients are forgotten that no limit needs. */
const FORGET_EVERY_MS = 10 * MINUTE;

interface LetterDeliveryDeps {
  /** They read committed data. */
  reads: Pick<RecordRepositories, "letters">;
  write: WriteRecords;
  client: Pick<MailClient, "send" | "close">;
  contents: LetterContents;
  settings: Pick<MailSettings, "perHour" | "perSenderHour">;
  clock: Clock;
  random: () => number;
  log: Logger;
}

/** The part of a round of the outbox. */
interface Round {
  /** Ends also the attempts that are under way. */
  cut: AbortSignal;
  /** No attempt begins any more. */
  ended: AbortSignal;
}

export class LetterDelivery extends Service<LetterDeliveryDeps> {
  /** Until when nothing is sent: the server has refused the log-in. */
  #pausedUntil = 0;
  #forgotAt = 0;

  /** Sends what may leave now. */
  async deliver(round: Round): Promise<void> {
    const limit = pLimit(AT_ONCE);
    const now = this.deps.clock.now();
    await this.#forgetOld(now);
    // A clock that was set back would pause for longer than it may.
    if (now < this.#pausedUntil && now > this.#pausedUntil - REFUSED_PAUSE_MS) return;
    const over = new AbortController();
    const ended = AbortSignal.any([round.ended, over.signal]);
    while (!ended.aborted) {
      const due = await this.#pick();
      if (due.length === 0) return;
      const work = due.map((row) =>
        limit(async () => {
          if (await this.#deliver(row, { ...round, ended })) over.abort();
        }),
      );
      await Promise.all(work);
    }
  }

  async close(): Promise<void> {
    await this.deps.client.close();
  }

  /** The oldest that are due, as many as the hour has room for, in all and by sender. */
  async #pick(): Promise<OutboxRow[]> {
    const { reads, clock, settings } = this.deps;
    const now = clock.now();
    const hour = { now, since: now - HOUR };
    const left = settings.perHour - (await reads.letters.countLeft(hour));
    if (left <= 0) return [];
    const bounds = { ...hour, perSender: settings.perSenderHour, limit: Math.min(left, ROWS_AT_ONCE) };
    const rows = await reads.letters.listDue(bounds);
    const senders = [...new Set(rows.flatMap(({ sender }) => sender ?? []))];
    const counts = await reads.letters.countBySender(senders, hour);
    return rows.filter(({ sender }) => {
      if (sender === null) return true;
      const count = (counts.get(sender) ?? 0) + 1;
      counts.set(sender, count);
      return count <= settings.perSenderHour;
    });
  }

  /** @returns whether nothing more is to be sent in this round */
  async #deliver(row: OutboxRow, { cut, ended }: Round): Promise<boolean> {
    const { write, contents, client, clock } = this.deps;
    if (ended.aborted) return true;
    const letter = await contents.compose(row);
    if (!letter) {
      await write(({ deliveries }) => deliveries.deleteWaiting(row.sequence));
      return false;
    }
    const at = clock.now();
    const began = performance.now();
    const result = await client.send({ ...letter, signal: cut });
    // Cut off by this side: it is sent again.
    if (result.kind !== "sent" && cut.aborted) return true;
    await this.#record(row, result, { at, durationMs: Math.round(performance.now() - began) });
    // A server that doesn't respond isn't asked for each letter.
    return result.kind === "login" || (result.kind === "later" && result.status === null);
  }

  async #record(
    row: OutboxRow,
    result: SendResult,
    { at, durationMs }: { at: number; durationMs: number },
  ): Promise<void> {
    const { write, clock, log } = this.deps;
    if (result.kind === "login") {
      this.#pausedUntil = clock.now() + REFUSED_PAUSE_MS;
      log.error({ status: result.status }, "the mail server has refused the log-in: no letters are sent");
    }
    const attempt = { lastAttemptAt: at, httpStatus: result.status, durationMs, error: result.error };
    const change = { ...attempt, ...this.#findNext(row, result) };
    await write(async ({ contacts, deliveries }) => {
      await deliveries.recordAttempt(row, change);
      if (row.contactId === null) return;
      if (result.kind === "sent") await contacts.noteTaken(row.contactId);
      if (result.kind === "recipient") await contacts.noteRefused(row.contactId, FAILING_AFTER);
    });
  }

  #findNext({ attempts: before }: OutboxRow, { kind }: SendResult) {
    const now = this.deps.clock.now();
    // What isn't its own failure doesn't count against a letter.
    if (kind === "login") return { dueAt: now + REFUSED_PAUSE_MS, dueWithin: REFUSED_PAUSE_MS };
    const attempts = before + 1;
    if (kind === "sent") return { attempts, state: "delivered", endedAt: now };
    const delay = kind === "later" ? findDelay(attempts, this.deps.random()) : undefined;
    if (delay === undefined) return { attempts, state: "failed", endedAt: now };
    return { attempts, dueAt: now + delay, dueWithin: delay };
  }

  async #forgetOld(now: number): Promise<void> {
    if (Math.abs(now - this.#forgotAt) < FORGET_EVERY_MS) return;
    this.#forgotAt = now;
    await this.deps.write(({ letters }) => letters.forgetOld(now - HOUR));
  }
}
