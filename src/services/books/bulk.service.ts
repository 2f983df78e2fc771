/** Bulk upsert: creates and updates many books in one request. Each item succeeds or fails as a whole. */
import type { Schema } from "../../db/schema.ts";
import type { FieldError } from "../../errors.ts";
import { type CloudSource, checkCloudLink } from "../../lib/cloud-links.ts";
import { splitIntoBatches } from "../../lib/collections.ts";
import { createYielder, waitForAll } from "../../lib/event-loop.ts";
import type { Author, Change, Changed } from "../../repositories/change.ts";
import type { CatalogueRepositories, Repositories } from "../../repositories/index.ts";
import type { TranslatedRow } from "../../repositories/translations.repository.ts";
import type { BulkResponse, BulkResult } from "../../schemas/bulk.schemas.ts";
import { findNextPosition } from "../shared/catalogue-lookup.ts";
import { readKnownCredits } from "../shared/credits.ts";
import { type CatalogueDeps, Service } from "../shared/service.ts";
import { bookObject } from "./books.service.ts";
import { type Claims, createClaims, findBookOf } from "./bulk-keys.ts";
import { type BulkPlan, type GivenItem, listCodes, planOf, readItem, resolveItem } from "./bulk-plan.ts";

/** Items that are written together. Other writes run between the groups. */
const ITEMS_PER_GROUP = 50;

interface BulkUpsertServiceDeps extends Pick<CatalogueDeps, "reads" | "change" | "newId" | "clock"> {
  cloudAllowHosts: readonly string[];
}

export class BulkUpsertService extends Service<BulkUpsertServiceDeps> {
  /** @param books the unvalidated items: an invalid item doesn't affect the others */
  async upsert(
    by: Author,
    books: readonly unknown[],
    { isDryRun }: { isDryRun: boolean },
  ): Promise<BulkResponse> {
    const report = new BulkReport({ isDryRun });
    const allowHosts = this.deps.cloudAllowHosts;
    const reading = {
      checkUrl: (url: string, source: CloudSource) => checkCloudLink(url, source, { allowHosts }),
      firstOfSlugs: new Map<string, { index: number; title: string | undefined }>(),
    };
    const claims = createClaims();
    const yieldToEventLoop = createYielder();
    for (const group of splitIntoBatches([...books.entries()], ITEMS_PER_GROUP)) {
      const items: { item: GivenItem; known: Outcome | undefined }[] = [];
      for (const [index, given] of group) {
        const item = readItem(given, index, reading);
        const isWritten = !isDryRun && item.errors.length === 0;
        items.push({
          item,
          known: isWritten ? undefined : await this.#examine(by, item, this.deps.reads, claims),
        });
        await yieldToEventLoop();
      }
      // A failed request must not go on writing after its response.
      const outcomes = await waitForAll(
        items.map(async ({ item, known }) => ({
          item,
          outcome: known ?? (await this.#write(by, item, claims)),
        })),
      );
      for (const { item, outcome } of outcomes) report.add(item, outcome);
    }
    return report.createResponse();
  }

  /** Writes the item unless it conflicts with the catalogue. */
  #write(by: Author, item: GivenItem, claims: Claims): Promise<Outcome> {
    return this.deps.change(by, async (repositories): Promise<Changed<Outcome>> => {
      const outcome = await this.#examine(by, item, repositories, claims);
      if (!("plan" in outcome)) return { response: outcome, change: undefined };
      const change = await carryOut(repositories, outcome.plan);
      return { response: outcome, change, reach: { bookId: outcome.plan.book.after.id } };
    });
  }

  /** The changes that the item makes to the current catalogue, or all its errors. */
  async #examine(
    by: Author,
    item: GivenItem,
    repositories: CatalogueRepositories,
    claims: Claims,
  ): Promise<Outcome> {
    const { books, translations, publication, languages } = repositories;
    const languageIds = await languages.findIdsByCodes(listCodes(item));
    const { book, ...conflict } = await findBookOf(item, { repositories, languageIds, claims });
    const wanted = resolveItem(item, { book, languageIds });
    if ("errors" in wanted || conflict.error) {
      const others = "errors" in wanted ? wanted.errors : [];
      return {
        errors: [...(conflict.error ? [conflict.error] : []), ...others],
        ofAnotherTitle: conflict.bookId,
      };
    }
    const state = book && {
      book,
      translations: await translations.listOfBook(book.id),
      files: await publication.listActiveFiles([book.id]),
    };
    const position = book?.sortOrder ?? wanted.fields.sortOrder ?? (await findNextPosition(books));
    return {
      plan: planOf(wanted, state, { newId: this.deps.newId, now: this.deps.clock.now(), position, by }),
    };
  }
}

/** Each row count is a separate prepared statement, and prepared statements are kept. This keeps them few and short. */
const ROWS_PER_STATEMENT = 10;

/** @returns undefined if everything is already up to date */
async function carryOut(repositories: Repositories, plan: BulkPlan): Promise<Change | undefined> {
  const { before, after } = plan.book;
  if (before === after && plan.translations.length + plan.files.length === 0) return undefined;
  if (!before) await repositories.books.insert(after);
  else if (after !== before) await repositories.books.update(after.id, after);
  await writeTranslations(repositories, plan);
  await writeFiles(repositories, plan);
  return {
    action: before ? "update" : "create",
    object: bookObject(after),
    ...(before && { before: { ...before, ...reportParts(plan, "before") } }),
    after: { ...after, ...reportParts(plan, "after") },
  };
}

async function writeTranslations({ translations }: Repositories, plan: BulkPlan): Promise<void> {
  for (const { before, after } of plan.translations) if (before) await translations.update(after.id, after);
  const added = plan.translations.filter(({ before }) => !before).map(({ after }) => after);
  for (const rows of splitIntoBatches(added, ROWS_PER_STATEMENT)) await translations.insert(...rows);
}

async function writeFiles({ files }: Repositories, plan: BulkPlan): Promise<void> {
  const added: Schema["book_files"][] = [];
  for (const { before, after } of plan.files) {
    if (before?.id === after.id) await files.update(after.id, after);
    else {
      if (before) await files.deactivateAt(after, after.createdAt);
      added.push(after);
    }
  }
  for (const rows of splitIntoBatches(added, ROWS_PER_STATEMENT)) await files.insert(...rows);
}

/** The changed translations and files, as they were before or as they are after. */
const reportParts = ({ translations, files }: BulkPlan, side: "before" | "after") => ({
  translations: translations.flatMap((part) => reportTranslation(part.languageCode, part[side]) ?? []),
  files: files.flatMap((part) => reportFile(part.languageCode, part[side]) ?? []),
});

const reportTranslation = (languageCode: string, row: TranslatedRow | undefined) =>
  row && { languageCode, title: row.title, description: row.description, ...readKnownCredits(row) };

function reportFile(languageCode: string, row: Schema["book_files"] | undefined) {
  if (!row) return undefined;
  const { fileType, sourceType, cloudUrl, fileName, fileSizeBytes } = row;
  return { languageCode, fileType, sourceType, cloudUrl, fileName, fileSizeBytes };
}

/** The changes of an item, or the errors that prevent them. */
type Outcome =
  | { plan: BulkPlan }
  | {
      errors: readonly FieldError[];
      /** The id of the book to which a derived slug belongs; empty if it isn't stored yet. */
      ofAnotherTitle?: string | undefined;
    };

/** Enough for a client to correct an item. */
const MAX_ERRORS_PER_ITEM = 100;
/**
 * Ten per item on average, to bound the response. Beyond this limit, an item reports its first error and the number of
 * errors.
 */
const MAX_ERRORS = 10_000;

class BulkReport {
  readonly #results: BulkResult[] = [];
  readonly #isDryRun: boolean;
  #roomForErrors = MAX_ERRORS;

  constructor({ isDryRun }: { isDryRun: boolean }) {
    this.#isDryRun = isDryRun;
  }

  add({ index, slug }: Pick<GivenItem, "index" | "slug">, outcome: Outcome): void {
    const became = "plan" in outcome ? this.#reportWritten(outcome.plan) : this.#reportFailed(outcome);
    this.#results.push({ index, slug, ...became });
  }

  createResponse(): BulkResponse {
    const results = this.#results;
    const count = (wanted: BulkResult["status"]) => results.filter(({ status }) => status === wanted).length;
    const counts = { created: count("created"), updated: count("updated"), failed: count("failed") };
    return { summary: { total: results.length, ...counts }, results };
  }

  /** A book that isn't created has no id. */
  #reportWritten({ book, translations, files }: BulkPlan) {
    return {
      slug: book.after.slug,
      status: book.before ? "updated" : "created",
      bookId: this.#isDryRun && !book.before ? "" : book.after.id,
      translationsUpserted: translations.length,
      filesUpserted: files.length,
    } as const;
  }

  #reportFailed({ errors: fieldErrors, ofAnotherTitle }: Extract<Outcome, { errors: unknown }>) {
    const errors = fieldErrors.slice(0, Math.max(1, Math.min(MAX_ERRORS_PER_ITEM, this.#roomForErrors)));
    this.#roomForErrors -= errors.length;
    const nothing = { bookId: "", translationsUpserted: 0, filesUpserted: 0 };
    const other = ofAnotherTitle !== undefined && {
      bookId: ofAnotherTitle,
      code: "slug_of_another_title" as const,
    };
    return { status: "failed", ...nothing, ...other, error: formatErrors(fieldErrors), errors } as const;
  }
}

/** For clients that show a single message. */
function formatErrors([first, ...others]: readonly FieldError[]): string {
  const more = others.length > 0 ? ` (and ${others.length} more)` : "";
  return `${first?.path}: ${first?.message}${more}`;
}
