/** Bulk upsert: creates and updates many books in one request, each of them whole or not at all. */
import type { Clock } from "../adapters/clock.ts";
import type { NewId } from "../adapters/ids.ts";
import { batchesOf } from "../lib/batches.ts";
import { type CloudSource, checkCloudLink } from "../lib/cloud-links.ts";
import { turns } from "../lib/turns.ts";
import type { Author } from "../repositories/change.ts";
import type { CatalogueRepositories, ChangeCatalogue } from "../repositories/index.ts";
import type { BulkAnswer } from "../schemas/bulk.schemas.ts";
import { type GivenItem, readItem } from "./bulk-item.ts";
import { codesOf, planOf, wantedBy } from "./bulk-plan.ts";
import { BulkReport, type Outcome } from "./bulk-report.ts";
import { carryOut } from "./bulk-write.ts";
import { lastPlace } from "./last-place.ts";

/** Items that are written together; whoever else writes has a turn after each group. */
const ITEMS_A_GROUP = 50;

export class BulkUpsertService {
  readonly #reads: CatalogueRepositories;
  readonly #change: ChangeCatalogue;
  readonly #cloudAllowHosts: readonly string[];
  readonly #newId: NewId;
  readonly #clock: Clock;

  constructor(uses: {
    reads: CatalogueRepositories;
    change: ChangeCatalogue;
    cloudAllowHosts: readonly string[];
    newId: NewId;
    clock: Clock;
  }) {
    this.#reads = uses.reads;
    this.#change = uses.change;
    this.#cloudAllowHosts = uses.cloudAllowHosts;
    this.#newId = uses.newId;
    this.#clock = uses.clock;
  }

  /** @param books what reads the items, each in its turn: what is wrong with one hinders no other */
  async upsert(
    by: Author,
    books: readonly (() => unknown)[],
    { isDryRun }: { isDryRun: boolean },
  ): Promise<BulkAnswer> {
    const report = new BulkReport({ isDryRun });
    const allowHosts = this.#cloudAllowHosts;
    const reading = {
      checkUrl: (url: string, source: CloudSource) => checkCloudLink(url, source, { allowHosts }),
      placesOfSlugs: new Map<string, number>(),
    };
    const nextTurn = turns();
    for (const group of batchesOf([...books.entries()], ITEMS_A_GROUP)) {
      const items: { item: GivenItem; known: Outcome | undefined }[] = [];
      for (const [index, read] of group) {
        const item = readItem(read(), index, reading);
        const isWritten = !isDryRun && item.faults.length === 0;
        items.push({ item, known: isWritten ? undefined : await this.#examine(item, this.#reads) });
        await nextTurn();
      }
      const outcomes = await Promise.all(
        items.map(async ({ item, known }) => ({ item, outcome: known ?? (await this.#write(by, item)) })),
      );
      for (const { item, outcome } of outcomes) report.add(item, outcome);
    }
    return report.answer();
  }

  /** Writes the item, unless the catalogue has something against it. */
  #write(by: Author, item: GivenItem): Promise<Outcome> {
    return this.#change(by, async (repositories) => {
      const outcome = await this.#examine(item, repositories);
      const change = "plan" in outcome ? await carryOut(repositories, outcome.plan) : undefined;
      return { answer: outcome, change };
    });
  }

  /** What the item would change in the catalogue as it is, or all that is wrong with it. */
  async #examine(
    item: GivenItem,
    { books, translations, publication, languages }: CatalogueRepositories,
  ): Promise<Outcome> {
    const wanted = wantedBy(item, await languages.idsByCodes(codesOf(item)));
    if ("faults" in wanted) return wanted;
    const book = await books.findBySlug(item.slug);
    const state = book && {
      book,
      translations: await translations.listOfBook(book.id),
      files: await publication.activeFilesOf([book.id]),
    };
    const place = book?.sortOrder ?? wanted.fields.sortOrder ?? (await lastPlace(books));
    return { plan: planOf(wanted, state, { newId: this.#newId, now: this.#clock.now(), place }) };
  }
}
