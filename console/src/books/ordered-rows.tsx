/** Rows of the list of books that can be moved: by dragging, by keys, and to a place that is typed. */
import { Group, UnstyledButton } from "@mantine/core";
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from "react";
import type { Schemas } from "../api/client.ts";
import { PAGE_SIZE } from "../api/list-request.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { useTexts } from "../messages/index.tsx";
import { Note } from "../ui/note.tsx";
import type { BookFilter } from "./book-filter.ts";
import { rememberBook } from "./last-book.ts";
import { MoveForm } from "./move-form.tsx";
import { positionOf, useMoves } from "./moves.ts";
import classes from "./ordered-rows.module.css";
import { type RowDrag, useRowDrag } from "./row-drag.ts";

type Book = Schemas["AdminBook"];

/** A list in the order of readers. */
export interface ListOrder {
  filter: BookFilter;
  total: number;
  /** Whether another list is being read and the rows are still those of the former one. */
  isRefreshing: boolean;
  goToPage(page: number): void;
}

/** The properties of a row that show what is dragged, and where to. */
interface RowLook {
  className?: string | undefined;
  "data-dragged"?: true | undefined;
  "data-drop"?: "before" | "after" | undefined;
}

/** Selects the handle of a row. */
export const MOVE_HANDLE = "[data-move-handle]";

interface OrderedRows {
  lookOf(index: number): RowLook;
  handleOf(book: Book, index: number): ReactNode;
  dialog: ReactNode;
}

/** @param order undefined: nothing can be moved */
export function useOrderedRows(books: readonly Book[], order: ListOrder | undefined): OrderedRows {
  const { t } = useTexts("books");
  const [chosen, choose] = useState<Book>();
  const moveAndStay = useMoves({ books, order });
  const keepFocus = useFocusAtPlace(books);
  const page = order?.filter.page ?? 1;
  const placeOf = (book: Book) => positionOf(books.indexOf(book), page);
  const step = createStep(order, moveAndStay);
  const { drag, start, isEndOfDrag } = useRowDrag(({ from, to }) => {
    const book = books[from];
    if (book) void moveAndStay(book, positionOf(to, page));
  });
  return {
    lookOf: (index) => lookOf(index, drag),
    handleOf: (book, index) => (
      <Handle
        title={book.titleEn}
        position={positionOf(index, page)}
        start={start}
        click={(event) => isEndOfDrag(event) || choose(book)}
        press={(event) => step(book, placeOf(book), event)}
      />
    ),
    dialog: order && (
      <FormDialog title={t("books.moveTitle")} isOpen={chosen !== undefined} close={() => choose(undefined)}>
        {chosen && (
          <MoveForm
            title={chosen.titleEn}
            position={placeOf(chosen)}
            last={order.total}
            close={() => choose(undefined)}
            move={(position) => {
              keepFocus(books.indexOf(chosen));
              void moveAndStay(chosen, position);
            }}
          />
        )}
      </FormDialog>
    ),
  };
}

/** What the keys do: they go on from where the book is then. */
function createStep(order: ListOrder | undefined, move: ReturnType<typeof useMoves>) {
  return async (book: Book, place: number, event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const newPage = Math.ceil((place + by) / PAGE_SIZE);
    if (!(await move(book, place + by)) || newPage === order?.filter.page) return;
    rememberBook(book.id, "handle");
    order?.goToPage(newPage);
  };
}

interface HandleProps {
  title: string;
  position: number;
  start(event: PointerEvent): void;
  click(event: MouseEvent): void;
  press(event: KeyboardEvent): void;
}

function Handle({ title, position, start, click, press }: HandleProps) {
  const { t, formatNumber } = useTexts("books");
  return (
    <Group gap={4} wrap="nowrap" justify="end">
      <Note visibleFrom="sm" className={classes.position}>
        {formatNumber(position)}
      </Note>
      <UnstyledButton
        className={classes.handle}
        aria-label={t("books.move", { title })}
        title={t("books.moveHint")}
        data-move-handle
        onPointerDown={start}
        onClick={click}
        onKeyDown={press}
      >
        ⠿
      </UnstyledButton>
    </Group>
  );
}

const lookOf = (index: number, drag: RowDrag | undefined): RowLook => ({
  className: classes.row,
  "data-dragged": drag?.from === index || undefined,
  "data-drop": drag?.to === index && drag.from !== index ? sideOf(drag.from, index) : undefined,
});

/** A row that is moved down takes the place behind the one it is dropped on. */
const sideOf = (from: number, to: number) => (to > from ? ("after" as const) : ("before" as const));

/** A row that leaves the page takes the focus with it: then the one in its place gets it. */
function useFocusAtPlace(books: readonly Book[]) {
  const place = useRef<number>(undefined);
  useEffect(() => {
    if (books.length === 0 || place.current === undefined) return;
    if (document.activeElement === document.body)
      [...document.querySelectorAll<HTMLElement>(MOVE_HANDLE)][place.current]?.focus();
    place.current = undefined;
  }, [books]);
  return (index: number) => {
    place.current = index;
  };
}
