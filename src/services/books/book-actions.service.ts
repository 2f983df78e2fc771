/** Actions on many books: each book is changed wholly or not at all, and has its own result. */
import { AppError, badRequest, bodyError, type FieldError, invalidInput } from "../../errors.ts";
import { splitIntoBatches } from "../../lib/collections.ts";
import { createYielder, waitForAll } from "../../lib/event-loop.ts";
import { foldForSearch } from "../../lib/text.ts";
import type { BookRow } from "../../repositories/books.repository.ts";
import type { Author, Change, Changed } from "../../repositories/change.ts";
import type { CatalogueRepositories, Repositories } from "../../repositories/index.ts";
import type { BookAction, BookActionRequest, BookActionResult } from "../../schemas/book-actions.schemas.ts";
import { MAX_TAGS } from "../../schemas/credits.schemas.ts";
import { decidePublication, putPublication } from "../channels/publication-change.ts";
import { findBook, unknownLanguage } from "../shared/catalogue-lookup.ts";
import { readBookCredits } from "../shared/credits.ts";
import { type CatalogueDeps, Service } from "../shared/service.ts";
import { bookObject, changeBook } from "./books.service.ts";
import { bookVersion } from "./presenters.ts";

/** Changes that wait for the database together, and so share transactions. */
const AT_ONCE = 50;

/** With the version that the book has then, where the action changed what a version is made of. */
type Done = Pick<Changed<unknown>, "change" | "reach"> & Pick<BookActionResult, "version">;

/** What an action does to one book; undefined if the book is in the requested state already. */
type Step =
  | undefined
  | {
      before: NonNullable<BookActionResult["before"]>;
      carryOut(repositories: Repositories): Promise<Done>;
    };

type Outcome = Omit<BookActionResult, "bookId">;

export class BookActionsService extends Service<Pick<CatalogueDeps, "reads" | "change" | "clock">> {
  /** @throws AppError 400 with all errors if the channel or the language doesn't exist, or a book is named twice */
  async run(
    by: Author,
    { bookIds, action, dryRun = false }: BookActionRequest,
  ): Promise<{ results: BookActionResult[] }> {
    const errors = [...repeatedBooks(bookIds), ...(await findUnknownPlaces(action, this.deps.reads))];
    if (errors.length > 0) throw invalidInput(errors);
    const yieldToEventLoop = createYielder();
    const results: BookActionResult[] = [];
    for (const batch of splitIntoBatches(bookIds, AT_ONCE)) {
      await yieldToEventLoop();
      const outcomes = await waitForAll(batch.map((bookId) => this.#outcome(by, { bookId, action, dryRun })));
      for (const [index, bookId] of batch.entries()) {
        const outcome = outcomes[index];
        if (outcome) results.push({ bookId, ...outcome });
      }
    }
    return { results };
  }

  /** The error of one book doesn't affect the others; a failure of the database ends the request. */
  async #outcome(
    by: Author,
    { bookId, action, dryRun }: { bookId: string; action: BookAction; dryRun: boolean },
  ): Promise<Outcome> {
    const decide = async (repositories: CatalogueRepositories) =>
      this.#decide(by, action, { repositories, book: await findBook(repositories.books, bookId) });
    try {
      if (dryRun) return outcomeOf(await decide(this.deps.reads));
      return await this.deps.change(by, async (repositories): Promise<Changed<Outcome>> => {
        const step = await decide(repositories);
        if (!step) return { change: undefined, response: outcomeOf(step) };
        const { version, ...done } = await step.carryOut(repositories);
        return { ...done, response: { ...outcomeOf(step), ...(version !== undefined && { version }) } };
      });
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      return { status: "failed", error: error.message, code: error.errors[0]?.code ?? error.code };
    }
  }

  async #decide(
    by: Author,
    action: BookAction,
    { repositories, book }: { repositories: CatalogueRepositories; book: BookRow },
  ): Promise<Step> {
    const now = this.deps.clock.now();
    if (action.type === "archive") {
      if (book.isActive === 0) return undefined;
      const archived = { isActive: 0, archivedAt: now, archivedBy: by.name, updatedAt: now } as const;
      return { before: { isActive: 1 }, carryOut: updateOf("archive", book, archived) };
    }
    if (action.type === "restore") {
      if (book.isActive === 1) return undefined;
      const active = { isActive: 1, archivedAt: null, archivedBy: null, updatedAt: now } as const;
      return { before: { isActive: 0 }, carryOut: updateOf("restore", book, active) };
    }
    if (action.type === "publish" || action.type === "unpublish") {
      return this.#decidePublication(action, { repositories, book });
    }
    const { tags, series } = readBookCredits(book);
    const given = action.type === "setSeries" ? { series: action.series } : { tags: tagsAfter(action, tags) };
    const after = changeBook(book, given, now);
    if (after.tags === book.tags && after.series === book.series) return undefined;
    const before = action.type === "setSeries" ? { series } : { tags };
    return {
      before,
      async carryOut(writing) {
        return {
          ...(await updateOf("update", book, after)(writing)),
          version: bookVersion({ ...book, ...after }),
        };
      },
    };
  }

  async #decidePublication(
    { type, channelId, languageCode }: Extract<BookAction, { channelId: string }>,
    { repositories, book }: { repositories: CatalogueRepositories; book: BookRow },
  ): Promise<Step> {
    const channel = await repositories.channels.find(channelId);
    const language = await repositories.languages.findByCode(languageCode);
    // Deleted since the request began.
    if (!channel || !language)
      throw invalidInput(await findUnknownPlaces({ channelId, languageCode }, repositories));
    const place = { book, channel, language };
    const decided = await decidePublication(repositories, place, type === "publish");
    if (!decided.isChanged) return undefined;
    const now = this.deps.clock.now();
    return {
      before: { isPublished: !decided.isOwn },
      carryOut: (writing) => putPublication(writing, place, { ...decided, now }),
    };
  }
}

async function findUnknownPlaces(
  action: BookAction | { channelId: string; languageCode: string },
  { channels, languages }: CatalogueRepositories,
): Promise<FieldError[]> {
  if (!("channelId" in action)) return [];
  const { channelId, languageCode } = action;
  const errors: FieldError[] = [];
  if (!(await channels.find(channelId)))
    errors.push(bodyError("action.channelId", "does not exist", "unknown_channel"));
  if (!(await languages.findByCode(languageCode)))
    errors.push(unknownLanguage("action.languageCode", languageCode));
  return errors;
}

const outcomeOf = (step: Step): Outcome =>
  step ? { status: "changed", before: step.before } : { status: "unchanged" };

/** Its files don't change, so that archiving and restoring a book gives the same active files. */
const updateOf =
  (action: Change["action"], before: BookRow, values: Partial<BookRow>) =>
  async ({ books }: Repositories) => {
    const after = await books.update(before.id, values);
    return { change: { action, object: bookObject(after), before, after }, reach: { bookId: before.id } };
  };

/** Tags are the same if they differ only in case and accents. @throws AppError 400 if a book would get too many */
function tagsAfter(
  { type, tags: given }: { type: "addTags" | "removeTags"; tags: readonly string[] },
  tags: readonly string[],
): string[] {
  const removed = new Set(given.map(foldForSearch));
  if (type === "removeTags") return tags.filter((tag) => !removed.has(foldForSearch(tag)));
  const known = new Set(tags.map(foldForSearch));
  const added = given.filter((tag) => {
    const folded = foldForSearch(tag);
    const isNew = !known.has(folded);
    known.add(folded);
    return isNew;
  });
  const all = [...tags, ...added];
  if (all.length <= MAX_TAGS) return all;
  const errors = [bodyError("action.tags", `would be more than ${MAX_TAGS} of one book`, "too_big")];
  throw badRequest("invalid_input", `A book can have at most ${MAX_TAGS} tags.`, { errors });
}

function repeatedBooks(bookIds: readonly string[]): FieldError[] {
  const seen = new Set<string>();
  return bookIds.flatMap((id, index) => {
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [bodyError(`bookIds.${index}`, "must not occur twice", "repeated_book")];
  });
}
