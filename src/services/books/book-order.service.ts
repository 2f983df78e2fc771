/** The order of books: reorders all active books, or moves some of them. */
import { createWriteYielder } from "../../db/group-commit.ts";
import { bodyError, type FieldError, invalidInput } from "../../errors.ts";
import type { BookPosition, KnownPosition } from "../../repositories/books.repository.ts";
import type { Author } from "../../repositories/change.ts";
import type { CatalogueRepositories } from "../../repositories/index.ts";
import { isSameVersion } from "../../repositories/publication.repository.ts";
import type { BookOrder, BookPlace } from "../../schemas/book-order.schemas.ts";
import { type CatalogueDeps, Service } from "../shared/service.ts";
import { assignPositions, type MoveAfter, moveBooks, type NewPosition } from "./book-moves.ts";

/** The requested position of a book, and the path of the request field that contains it. */
interface RequestedOrder extends BookPosition {
  path: string;
}

export class BookOrderService extends Service<Pick<CatalogueDeps, "report" | "change">> {
  /**
   * Changes all positions in one transaction, which takes 5 to 25 ms for a thousand books, 50 ms for ten thousand with
   * short texts and 300 ms with a thousand characters each, because whole rows are rewritten. It yields to the event loop
   * after each thousand. Everything that can be computed beforehand is computed outside the transaction, and again only if the catalogue has
   * changed since.
   * @returns the books that the request names, in the order of the request, with their positions
   */
  async reorder(by: Author, order: BookOrder): Promise<BookPlace[]> {
    const version = await this.deps.report.publication.readCatalogueVersion();
    const found = await planOrder(order, this.deps.report);
    return this.deps.change(by, async (repositories) => {
      const isUnchanged = isSameVersion(version, await repositories.publication.readCatalogueVersion());
      const { moves, places } = isUnchanged ? found : await planOrder(order, repositories);
      if (moves.length === 0) return { response: places, change: undefined };
      await repositories.books.putPositions(moves);
      return { response: places, change: describeReorder(moves) };
    });
  }
}

/** What a request changes, and the positions of the books that it names. */
interface PlannedOrder {
  /** Sorted by id, which is close to the storage order: this halves the time of the writes. */
  moves: NewPosition[];
  places: BookPlace[];
}

function planOrder(order: BookOrder, repositories: CatalogueRepositories): Promise<PlannedOrder> {
  const after = (order.moves ?? []).flatMap(({ bookId, after }) =>
    after === undefined ? [] : [{ bookId, after }],
  );
  return after.length > 0 ? planPlaces(after, repositories) : planPositions(order, repositories);
}

/** A complete order counts from 1, as new books do. */
const listRequestedOrders = ({ bookIds = [], moves = [] }: BookOrder): RequestedOrder[] => [
  ...bookIds.map((id, index) => ({ id, sortOrder: index + 1, path: `bookIds.${index}` })),
  ...moves.flatMap(({ bookId, sortOrder }, index) =>
    sortOrder === undefined ? [] : [{ id: bookId, sortOrder, path: `moves.${index}.bookId` }],
  ),
];

async function planPositions(order: BookOrder, { books }: CatalogueRepositories): Promise<PlannedOrder> {
  const requestedOrders = listRequestedOrders(order);
  const named = new Set(requestedOrders.map(({ id }) => id));
  const known = new Map((await books.findPositions([...named])).map((known) => [known.id, known]));
  const errors = findErrors(requestedOrders, known, { mayBeArchived: order.moves !== undefined });
  if (order.bookIds) {
    const given = known.values().reduce((sum, { isActive }) => sum + isActive, 0);
    const missing = (await books.countActive()) - given;
    if (missing > 0) errors.push(missingBooks(missing));
  }
  if (errors.length > 0) throw invalidInput(errors);
  const moves = requestedOrders.flatMap(({ id, sortOrder }) => {
    const before = known.get(id)?.sortOrder;
    return before === undefined || before === sortOrder ? [] : [{ id, sortOrder, before }];
  });
  return { moves: sortById(moves), places: requestedOrders.map(({ id, sortOrder }) => ({ id, sortOrder })) };
}

const sortById = (moves: readonly NewPosition[]): NewPosition[] =>
  moves.toSorted((one, other) => (one.id < other.id ? -1 : 1));

/** Moves books behind others, one after the other. Each step takes 2 to 30 ms for fifty thousand books. */
async function planPlaces(
  moves: readonly MoveAfter[],
  { books }: CatalogueRepositories,
): Promise<PlannedOrder> {
  const yieldToEventLoop = createWriteYielder();
  const active = await books.listActivePositions();
  await yieldToEventLoop();
  const named = new Set(moves.flatMap(({ bookId, after }) => (after === null ? [bookId] : [bookId, after])));
  const known = new Map(active.filter(({ id }) => named.has(id)).map((book) => [book.id, book]));
  const others = await books.findPositions([...named].filter((id) => !known.has(id)));
  const archived = new Set(others.map(({ id }) => id));
  const errorOf = (id: string | null, path: string): FieldError[] => {
    if (id === null || known.has(id)) return [];
    return [archived.has(id) ? bodyError(path, ...ARCHIVED) : bodyError(path, ...UNKNOWN)];
  };
  const errors = moves.flatMap(({ bookId, after }, index) => [
    ...errorOf(bookId, `moves.${index}.bookId`),
    ...(after === bookId
      ? [bodyError(`moves.${index}.after`, "must be another book", "after_itself")]
      : errorOf(after, `moves.${index}.after`)),
  ]);
  if (errors.length > 0) throw invalidInput(errors);
  const movedIds = new Set(moves.map(({ bookId }) => bookId));
  await yieldToEventLoop();
  const order = moveBooks(active, moves);
  await yieldToEventLoop();
  const changed = await assignPositions(order, movedIds, yieldToEventLoop);
  await yieldToEventLoop();
  for (const book of changed) if (movedIds.has(book.id)) known.set(book.id, book);
  const formerPlaces = new Map(
    active.flatMap(({ id }, index) =>
      movedIds.has(id) ? [[id, active[index - 1]?.id ?? null] as const] : [],
    ),
  );
  const places = [...movedIds].map((id) => ({
    id,
    sortOrder: known.get(id)?.sortOrder ?? 0,
    formerlyAfter: formerPlaces.get(id) ?? null,
  }));
  return { moves: sortById(changed), places };
}

const UNKNOWN = ["does not exist", "unknown_book"] as const;
const ARCHIVED = ["must not be archived: archived books keep their positions", "archived_book"] as const;

/** Reports a separate error for each book that can't have the requested position. */
function findErrors(
  requestedOrders: readonly RequestedOrder[],
  known: ReadonlyMap<string, KnownPosition>,
  { mayBeArchived }: { mayBeArchived: boolean },
): FieldError[] {
  const seen = new Set<string>();
  return requestedOrders.flatMap(({ id, path }) => {
    const book = known.get(id);
    const isRepeated = seen.has(id);
    seen.add(id);
    if (!book) return [bodyError(path, ...UNKNOWN)];
    if (isRepeated) return [bodyError(path, "must not occur twice", "repeated_book")];
    if (book.isActive === 1 || mayBeArchived) return [];
    return [bodyError(path, ...ARCHIVED)];
  });
}

const missingBooks = (count: number): FieldError =>
  bodyError("bookIds", `must contain every active book once; ${count} are missing`, "missing_books");

/** One audit entry for all books: the new positions by book id. */
const describeReorder = (moves: readonly NewPosition[]) =>
  ({
    action: "reorder",
    object: { kind: "book", id: "*", name: "All books" },
    before: { sortOrder: Object.fromEntries(moves.map(({ id, before }) => [id, before])) },
    after: { sortOrder: Object.fromEntries(moves.map(({ id, sortOrder }) => [id, sortOrder])) },
  }) as const;
