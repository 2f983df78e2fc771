/** What became of the items of a bulk request. */
import type { Fault } from "../errors.ts";
import type { BulkAnswer, BulkResult } from "../schemas/bulk.schemas.ts";
import type { GivenItem } from "./bulk-item.ts";
import type { BulkPlan } from "./bulk-plan.ts";

/** What an item changes, or why it changes nothing. */
export type Outcome = { plan: BulkPlan } | { faults: readonly Fault[] };

/** More than anybody mends in one go. */
const MAX_FAULTS_OF_ITEM = 100;
/** Ten of every item, so that the answer stays moderate. Beyond, an item tells its first and how many there are. */
const MAX_FAULTS = 10_000;

export class BulkReport {
  readonly #results: BulkResult[] = [];
  readonly #isDryRun: boolean;
  #roomForFaults = MAX_FAULTS;

  constructor({ isDryRun }: { isDryRun: boolean }) {
    this.#isDryRun = isDryRun;
  }

  add({ index, slug }: Pick<GivenItem, "index" | "slug">, outcome: Outcome): void {
    const became = "plan" in outcome ? this.#written(outcome.plan) : this.#failed(outcome.faults);
    this.#results.push({ index, slug, ...became });
  }

  answer(): BulkAnswer {
    const results = this.#results;
    const count = (wanted: BulkResult["status"]) => results.filter(({ status }) => status === wanted).length;
    const counts = { created: count("created"), updated: count("updated"), failed: count("failed") };
    return { summary: { total: results.length, ...counts }, results };
  }

  /** A book that isn't made has no id. */
  #written({ book, translations, files }: BulkPlan) {
    return {
      status: book.before ? "updated" : "created",
      bookId: this.#isDryRun && !book.before ? "" : book.after.id,
      translationsUpserted: translations.length,
      filesUpserted: files.length,
    } as const;
  }

  #failed(faults: readonly Fault[]) {
    const errors = faults.slice(0, Math.max(1, Math.min(MAX_FAULTS_OF_ITEM, this.#roomForFaults)));
    this.#roomForFaults -= errors.length;
    const nothing = { bookId: "", translationsUpserted: 0, filesUpserted: 0 };
    return { status: "failed", ...nothing, error: sentenceOf(faults), errors } as const;
  }
}

/** For clients that show one sentence. */
function sentenceOf([first, ...others]: readonly Fault[]): string {
  const more = others.length > 0 ? ` (and ${others.length} more)` : "";
  return `${first?.path}: ${first?.message}${more}`;
}
