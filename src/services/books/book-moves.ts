/** Moves books behind others, and gives as few books as possible new positions for that. */
import type { Yielder } from "../../lib/event-loop.ts";
import type { BookPosition } from "../../repositories/books.repository.ts";
import { MAX_INT32 } from "../../schemas/atoms.ts";

/** A book to move, and the one after which it is placed; null: before all others. */
export interface MoveAfter {
  bookId: string;
  after: string | null;
}

/**
 * The books in their new order. Neighbours are kept by index, because maps of all ids would take most of the time.
 * @param books by position, then by id
 * @param moves of books that are in the list; none is moved behind itself
 */
export function moveBooks(books: readonly BookPosition[], moves: readonly MoveAfter[]): BookPosition[] {
  const named = new Set(moves.flatMap(({ bookId, after }) => [bookId, after]));
  const places = new Map(books.flatMap(({ id }, index) => (named.has(id) ? [[id, index] as const] : [])));
  /** Before the first book and behind the last one. */
  const end = books.length;
  const next = Int32Array.from({ length: end + 1 }, (_, index) => (index === end ? 0 : index + 1));
  const previous = Int32Array.from({ length: end + 1 }, (_, index) => (index === 0 ? end : index - 1));
  const connect = (one: number, other: number) => {
    next[one] = other;
    previous[other] = one;
  };
  for (const { bookId, after } of moves) {
    const place = places.get(bookId) ?? end;
    const neighbour = after === null ? end : (places.get(after) ?? end);
    connect(previous[place] ?? end, next[place] ?? end);
    const follower = next[neighbour] ?? end;
    connect(neighbour, place);
    connect(place, follower);
  }
  const order: BookPosition[] = [];
  for (let book = books[next[end] ?? end], at = next[end] ?? end; book; book = books[at]) {
    order.push(book);
    at = next[at] ?? end;
  }
  return order;
}

/** A book whose position changes. */
export interface NewPosition extends BookPosition {
  before: number;
}

/**
 * New positions, so that all positions are in this order. Books that aren't moved keep theirs where there is room;
 * otherwise those behind a place get higher ones, or those before it lower ones, whichever are fewer.
 */
export async function assignPositions(
  order: readonly BookPosition[],
  movedIds: ReadonlySet<string>,
  yieldToEventLoop: Yielder,
): Promise<readonly NewPosition[]> {
  const upwards = assignInDirection(order, movedIds, 1);
  await yieldToEventLoop();
  const downwards = assignInDirection(order.toReversed(), movedIds, -1);
  const byLength = upwards.length <= downwards.length ? [upwards, downwards] : [downwards, upwards];
  return byLength.find(isStorable) ?? numberAgain(order);
}

const isStorable = (changed: readonly NewPosition[]): boolean =>
  changed.every(({ sortOrder }) => sortOrder >= -MAX_INT32 - 1 && sortOrder <= MAX_INT32);

const numberAgain = (order: readonly BookPosition[]): NewPosition[] =>
  order.flatMap(({ id, sortOrder: before }, index) =>
    before === index + 1 ? [] : [{ id, sortOrder: index + 1, before }],
  );

/** Upwards from the first book, or downwards from the last one. */
type Direction = 1 | -1;

function assignInDirection(
  order: readonly BookPosition[],
  movedIds: ReadonlySet<string>,
  direction: Direction,
): NewPosition[] {
  const changed: NewPosition[] = [];
  let previous: BookPosition | undefined;
  let moved: BookPosition[] = [];
  const place = (book: BookPosition, sortOrder: number) => {
    previous = sortOrder === book.sortOrder ? book : { id: book.id, sortOrder };
    if (previous !== book) changed.push({ ...previous, before: book.sortOrder });
  };
  const placeMoved = (kept: BookPosition | undefined) => {
    if (moved.length === 0) return;
    const first = positionOfFirst({ moved, kept }, previous, direction);
    for (const [index, book] of moved.entries()) place(book, first + direction * index);
    moved = [];
  };
  for (const book of order) {
    if (movedIds.has(book.id)) moved.push(book);
    else {
      placeMoved(book);
      place(book, positionOfKept(book, previous, direction));
    }
  }
  placeMoved(undefined);
  return changed;
}

/** Moved books that are next to each other, with the book behind them that isn't moved; undefined at the end. */
interface Run {
  moved: readonly BookPosition[];
  kept: BookPosition | undefined;
}

/** A single book keeps its position if that is between those of its neighbours. */
function positionOfFirst(
  { moved, kept }: Run,
  previous: BookPosition | undefined,
  direction: Direction,
): number {
  const [book, ...others] = moved;
  const own = book?.sortOrder ?? 0;
  const isBetween =
    book !== undefined &&
    others.length === 0 &&
    (!previous || isBeyond(book, previous, direction)) &&
    (!kept || isBeyond(kept, book, direction));
  if (isBetween) return own;
  if (previous) return previous.sortOrder + direction;
  return kept ? kept.sortOrder - direction * moved.length : own;
}

/** Its own one if that is behind the previous book, otherwise the next one. */
function positionOfKept(
  kept: BookPosition,
  previous: BookPosition | undefined,
  direction: Direction,
): number {
  if (!previous || isBeyond(kept, previous, direction)) return kept.sortOrder;
  const beside = { id: kept.id, sortOrder: previous.sortOrder };
  return isBeyond(beside, previous, direction) ? beside.sortOrder : previous.sortOrder + direction;
}

/** Books with the same position are ordered by id. */
const isBeyond = (book: BookPosition, other: BookPosition, direction: Direction): boolean =>
  direction * (book.sortOrder - other.sortOrder || (book.id < other.id ? -1 : 1)) > 0;
