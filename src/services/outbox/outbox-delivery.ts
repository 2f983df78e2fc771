/** Delivers what is in the outbox: at one instance, at least once, a few requests at a time at each receiver. */
import pLimit from "p-limit";
import type { Logger } from "../../adapters/logger.ts";
import type { SealedTexts } from "../../adapters/sealed-texts.ts";
import type { Cancel, Clock, Scheduler } from "../../adapters/system.ts";
import type { PostResult, WebhookClient } from "../../adapters/webhook-client.ts";
import type { Database } from "../../db/database.ts";
import { DAY, SECOND } from "../../lib/time.ts";
import type { RecordRepositories, WriteRecords } from "../../repositories/index.ts";
import type { OutboxRow } from "../../repositories/outbox.repository.ts";
import type { WebhookRow } from "../../repositories/webhooks.repository.ts";
import type { LetterDelivery } from "../letters/letter-delivery.ts";
import { Service } from "../shared/service.ts";
import { type EventContents, isErased } from "./event-contents.ts";
import { findDelay, parseRetryAfter } from "./schedule.ts";
import { signMessage } from "./webhook-secrets.ts";

/** Without a change, what is due is looked for this often. */
const LOOK_EVERY_MS = 5 * SECOND;
/** A round begins no request after this time: with the last ones it holds its lock for a minute at most. */
const ROUND_MS = 45 * SECOND;
const AT_ONCE = 16;
const AT_ONCE_PER_WEBHOOK = 2;
const ROWS_AT_ONCE = 20;
/** Without a success for this time a webhook is disabled. */
const FAILING_AFTER_MS = 5 * DAY;
/** Waiting rows: what is beyond is dropped and counted. */
const MAX_WAITING = 100_000;
const DROPPED_AT_ONCE = 200;

const FAILED = "could not deliver events; trying again";

interface OutboxDeliveryDeps {
  /** They read committed data. */
  reads: Pick<RecordRepositories, "deliveries" | "webhooks">;
  /** On a worker thread, for statements on all rows. */
  report: Pick<RecordRepositories, "deliveries">;
  write: WriteRecords;
  database: Pick<Database, "runAtOneInstance">;
  contents: EventContents;
  client: WebhookClient;
  /** Undefined: no letters are written. */
  letters: LetterDelivery | undefined;
  sealed: SealedTexts;
  clock: Clock;
  schedule: Scheduler;
  random: () => number;
  log: Logger;
}

export class OutboxDelivery extends Service<OutboxDeliveryDeps> {
  readonly #places = pLimit(AT_ONCE);
  readonly #stopped = new AbortController();
  #cancel: Cancel = () => {};
  /** The lock of SQLite lets two calls of one process in. */
  #running: Promise<void> | undefined;
  #wanted = new Wish();
  #boundedAt = Number.NEGATIVE_INFINITY;

  /** Runs now, and then again and again. */
  start(): void {
    this.#cancel();
    if (this.#stopped.signal.aborted) return;
    this.wake();
    this.#cancel = this.deps.schedule(LOOK_EVERY_MS, () => this.start());
  }

  /** Call this after a commit that may have added something. */
  wake(): void {
    this.#wanted.resolve();
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Ends the requests that are under way. They are sent again. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#cancel();
    await this.#running;
    await this.deps.client.close();
    await this.deps.letters?.close();
  }

  /** Resolves after the present round. */
  async settle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    const { database, letters, reads, log } = this.deps;
    while (this.#wanted.isWanted && !this.#stopped.signal.aborted) {
      try {
        // A lock needs a connection of its own.
        if (!letters && (await reads.webhooks.count()) === 0) return;
        const ran = await database.runAtOneInstance("outbox", (lost) => this.#deliverRound(lost));
        if (!ran) return;
      } catch (error) {
        log.warn({ err: error }, FAILED);
        return;
      }
    }
  }

  /** Begins anew with each wish, for receivers at which nothing is under way: none waits for another. */
  async #deliverRound(lost: AbortSignal): Promise<void> {
    const { log } = this.deps;
    const cut = AbortSignal.any([lost, this.#stopped.signal]);
    const round = { cut, ended: AbortSignal.any([cut, AbortSignal.timeout(ROUND_MS)]) };
    const busy = new Map<string, Promise<void>>();
    await this.#boundWaiting();
    try {
      do {
        this.#wanted = new Wish();
        for (const { id, deliver } of await this.#listTargets()) {
          if (busy.has(id)) continue;
          const work = deliver(round).catch((error) => log.warn({ err: error }, FAILED));
          const end = work.finally(() => busy.delete(id));
          busy.set(id, end);
        }
        await Promise.race([this.#wanted.promise, Promise.all(busy.values())]);
      } while (!round.ended.aborted && (this.#wanted.isWanted || busy.size > 0));
    } finally {
      // Afterwards another instance may begin.
      await Promise.all(busy.values());
    }
  }

  /** The active webhooks, and the mail server. */
  async #listTargets(): Promise<Target[]> {
    const { reads, letters } = this.deps;
    const active = (await reads.webhooks.list()).filter(({ isActive }) => isActive === 1);
    const targets: Target[] = active.map((webhook) => ({
      id: webhook.id,
      deliver: (round) => this.#deliverTo(webhook, round),
    }));
    if (letters) targets.push({ id: "letters", deliver: (round) => letters.deliver(round) });
    return targets;
  }

  /** A receiver that is slow takes the time of its own deliveries only. */
  async #deliverTo(webhook: WebhookRow, round: Round): Promise<void> {
    const { reads, clock } = this.deps;
    const limit = pLimit(AT_ONCE_PER_WEBHOOK);
    while (!round.ended.aborted) {
      const due = await reads.deliveries.listDue(webhook.id, clock.now(), ROWS_AT_ONCE);
      if (due.length === 0) return;
      const sent = due.map((row) => limit(() => this.#places(() => this.#deliver(webhook, row, round))));
      const results = await Promise.all(sent);
      if (results.some((isOver) => isOver)) return;
    }
  }

  /** @returns whether nothing more is to be sent to the webhook in this round */
  async #deliver(webhook: WebhookRow, row: OutboxRow, { cut, ended }: Round): Promise<boolean> {
    if (ended.aborted) return true;
    const { write, contents, sealed, clock, client } = this.deps;
    if (isErased(row)) {
      await write(({ deliveries }) => deliveries.deleteWaiting(row.sequence));
      return false;
    }
    const body = await contents.compose(row, webhook.includeContact === 1);
    const at = clock.now();
    const headers = await signMessage(sealed, webhook, { id: row.id, at, body });
    // An operator has to renew the secret: the doctor names it.
    if (!headers) return true;
    const began = performance.now();
    const result = await client.post({ url: webhook.url, headers, body, signal: cut });
    // Cut off by this side: it is sent again, and isn't a failure of the receiver.
    if (result.status === null && cut.aborted) return true;
    await this.#record(webhook, row, { at, result, durationMs: Math.round(performance.now() - began) });
    return result.status === 410;
  }

  async #record(webhook: WebhookRow, row: OutboxRow, { at, result, durationMs }: Attempt): Promise<void> {
    const { write, log, clock } = this.deps;
    const { status } = result;
    const isSuccess = status !== null && status >= 200 && status < 300;
    const change = this.#findNext(row, result, isSuccess);
    const reason = findReason(webhook, { status, isSuccess, at });
    await write(async ({ deliveries, webhooks }) => {
      await deliveries.recordAttempt(row, { ...change, lastAttemptAt: at, httpStatus: status, durationMs });
      await webhooks.noteAttempt(webhook.id, { at, status, isSuccess });
      if (reason) await webhooks.disable(webhook.id, reason, clock.now());
    });
    if (reason) log.warn({ webhookId: webhook.id, reason }, "disabled a webhook");
  }

  #findNext({ attempts: before }: OutboxRow, result: PostResult, isSuccess: boolean) {
    const now = this.deps.clock.now();
    const attempts = before + 1;
    if (isSuccess) return { attempts, state: "delivered", endedAt: now, error: null };
    const retryAfterMs = result.status === null ? 0 : parseRetryAfter(result.retryAfter, now);
    const error = result.error ?? `The response was ${result.status}.`;
    const delay = result.status === 410 ? undefined : findDelay(attempts, this.deps.random(), retryAfterMs);
    if (delay === undefined) return { attempts, state: "failed", endedAt: now, error };
    return { attempts, dueAt: now + delay, dueWithin: delay, error };
  }

  /**
   * Drops what is waiting beyond the bound, and makes due what another clock has set too late. It reads all rows that wait, so
   * not after each commit.
   */
  async #boundWaiting(): Promise<void> {
    const { report, write, clock, log } = this.deps;
    const now = clock.now();
    if (Math.abs(now - this.#boundedAt) < LOOK_EVERY_MS) return;
    this.#boundedAt = now;
    const misplaced = await report.deliveries.listMisplaced(now, 1000);
    if (misplaced.length > 0) await write(({ deliveries }) => deliveries.makeDue(misplaced, now));
    if ((await report.deliveries.countWaiting()) <= MAX_WAITING) return;
    let dropped = 0;
    let last: number;
    do {
      last = await write(({ deliveries }) => deliveries.deleteBeyond(MAX_WAITING, DROPPED_AT_ONCE));
      dropped += last;
    } while (last === DROPPED_AT_ONCE);
    await write(({ outbox }) => outbox.countDropped(dropped, now));
    log.error({ dropped }, `dropped events: more than ${MAX_WAITING} are waiting`);
  }
}

/** Whether somebody wants a round, and when. */
class Wish {
  readonly #resolvers = Promise.withResolvers<void>();
  readonly promise = this.#resolvers.promise;
  isWanted = false;

  resolve(): void {
    this.isWanted = true;
    this.#resolvers.resolve();
  }
}

interface Round {
  /** Ends also the requests that are under way: the lock is lost, or the service stops. */
  cut: AbortSignal;
  /** No request begins any more. */
  ended: AbortSignal;
}

interface Target {
  id: string;
  deliver: (round: Round) => Promise<void>;
}

interface Attempt {
  at: number;
  result: PostResult;
  durationMs: number;
}

/** Why a webhook is disabled; undefined if it isn't. */
function findReason(
  { failingSince }: WebhookRow,
  { status, isSuccess, at }: { status: number | null; isSuccess: boolean; at: number },
): "gone" | "failing" | undefined {
  if (status === 410) return "gone";
  const hasFailedLong = !isSuccess && failingSince !== null && at - failingSince >= FAILING_AFTER_MS;
  return hasFailedLong ? "failing" : undefined;
}
