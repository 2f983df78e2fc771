/** Gives books the state back that they had before an action on many of them, except what others changed since. */
import { Problem, type Schemas } from "../api/client.ts";
import { readBook, runBookAction, updateBook } from "./queries.ts";

/** Titles by id, in the order in which they were selected. */
export type SelectedBooks = ReadonlyMap<string, string>;

type Action = Schemas["BookActionRequest"]["action"];
type Results = Schemas["BookActionResponse"]["results"];

/** A book that an action changed. */
type Changed = Pick<Results[number], "bookId" | "version"> & {
  before: NonNullable<Results[number]["before"]>;
};

export interface BookUndo {
  readonly action: Action;
  /** Books whose turn is still to come, or that an error of the server or the line left out. */
  readonly rest: readonly Changed[];
  readonly restored: number;
  /** Books that stay as they are: somebody changed or deleted them since. */
  readonly kept: readonly string[];
}

export const beginUndo = (action: Action, results: Results): BookUndo => ({
  action,
  rest: results.flatMap(({ bookId, status, before, version }) =>
    status === "changed" && before ? [{ bookId, before, ...(version !== undefined && { version }) }] : [],
  ),
  restored: 0,
  kept: [],
});

/** So many failures one after the other aren't those of single books. */
const MOST_FAILURES = 2;

/**
 * Restores what it can: together where one action is the exact opposite, otherwise one book after the other, each only
 * in the version that it got by the action.
 * @param report is called after each step
 * @throws the last error, if a further attempt can restore more
 */
export async function undoBookAction(undo: BookUndo, report: (undo: BookUndo) => void): Promise<void> {
  const opposite = findOpposite(undo.action);
  if (opposite) return report(await restoreTogether(undo, opposite));
  let now = undo;
  let failures = 0;
  let last: unknown;
  for (const book of undo.rest) {
    try {
      const isRestored = await restoreBook(book);
      now = {
        ...now,
        rest: now.rest.filter((each) => each !== book),
        ...(isRestored ? { restored: now.restored + 1 } : { kept: [...now.kept, book.bookId] }),
      };
      report(now);
      failures = 0;
    } catch (error) {
      last = error;
      failures += 1;
      if (failures === MOST_FAILURES) break;
    }
  }
  if (last !== undefined) throw last;
}

async function restoreTogether(undo: BookUndo, opposite: Action): Promise<BookUndo> {
  const bookIds = undo.rest.map(({ bookId }) => bookId);
  const { results } = await runBookAction({ bookIds, action: opposite });
  const kept = results.filter(({ status }) => status === "failed").map(({ bookId }) => bookId);
  return { ...undo, rest: [], restored: bookIds.length - kept.length, kept };
}

/** @returns whether the book has its former state; otherwise it can't get it any more */
async function restoreBook({ bookId, before: { tags, series }, version }: Changed): Promise<boolean> {
  try {
    await updateBook(bookId, { ...(tags && { tags }), ...(series !== undefined && { series }) }, version);
    return true;
  } catch (error) {
    if (!(error instanceof Problem) || ![400, 404, 409, 412].includes(error.status)) throw error;
    // Of an attempt before, only the response may have been lost.
    if (error.status !== 412) return false;
    const { book } = await readBook(bookId);
    return isSame(tags ?? book.tags, book.tags) && isSame(series ?? book.series, book.series);
  }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Undefined where what there was before differs from book to book. */
function findOpposite(action: Action): Action | undefined {
  switch (action.type) {
    case "archive":
      return { type: "restore" };
    case "restore":
      return { type: "archive" };
    case "publish":
      return { ...action, type: "unpublish" };
    case "unpublish":
      return { ...action, type: "publish" };
    default:
      return undefined;
  }
}
