/** Books on channels as a grid of which only what is in sight is in the document. By mouse and by keyboard. */
import { useDirection } from "@mantine/core";
import { useElementSize, useMergedRef } from "@mantine/hooks";
import { type Range, useVirtualizer } from "@tanstack/react-virtual";
import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useRef,
} from "react";
import { useNavigate } from "react-router";
import { readKey } from "../lib/shortcut.ts";
import { useTexts } from "../messages/index.tsx";
import type { Grid, Wanted } from "./changes.ts";
import classes from "./grid.module.css";
import { GridRow, PART } from "./grid-row.tsx";
import { type Cell, findRange, moveSelection, type Selection, selectCell } from "./selection.ts";
import { type ShownLine, showLines } from "./shown-lines.ts";

const ROW_HEIGHT = 36;
const HEAD_HEIGHT = 52;
const COLUMN_WIDTH = 88;
const TITLE_WIDTH = 320;
const NARROW_TITLE_WIDTH = 144;
const WIDEST_TITLE = 480;
/** The lines around the grid, and a bar for scrolling. */
const FRAME = 18;

interface PublicationGridProps {
  label: string;
  grid: Grid;
  wanted: Wanted;
  canEdit: boolean;
  selection: Selection;
  select(selection: Selection): void;
  /** Publishes the cells of a selection, or withdraws them if they all are published. */
  toggle(selection: Selection): void;
  /** Gives the cells of a selection the state of its anchor. */
  repeat(selection: Selection): void;
}

/** Rows or columns beyond those in sight, on each side. */
const OVERSCAN = 1;

interface Lines {
  count: number;
  size: number;
  /** What stays in sight before the first: the names of the channels, or the titles. */
  before: number;
  /** Of the window, with what stays in sight. */
  length: number;
  /** It is shown out of sight, too: without it, the focus would be lost. */
  active: number;
  getScrollElement(): HTMLElement | null;
}

/** Their number stays the same while the grid is scrolled, so that no element is made. */
function useShownLines({ count, size, before, length, active, getScrollElement }: Lines, isRtl?: boolean) {
  const shown = Math.max(Math.ceil((length - before) / size), 0) + 1 + 2 * OVERSCAN;
  const virtualizer = useVirtualizer({
    count,
    getScrollElement,
    horizontal: isRtl !== undefined,
    isRtl: isRtl === true,
    estimateSize: useCallback(() => size, [size]),
    paddingEnd: before,
    scrollPaddingEnd: before,
    rangeExtractor: useCallback(
      ({ startIndex }: Range) => {
        const first = Math.max(Math.min(startIndex - OVERSCAN, count - shown), 0);
        return Array.from({ length: Math.min(shown, count) }, (_, line) => first + line);
      },
      [count, shown],
    ),
  });
  const former = useRef<readonly ShownLine[]>([]);
  const inSight = virtualizer.getVirtualIndexes();
  const far = active < 0 || inSight.includes(active) ? undefined : active;
  const indexes = far === undefined ? inSight : [...inSight, far];
  former.current = showLines(former.current, indexes, !virtualizer.isScrolling);
  return { virtualizer, shown: former.current, far };
}

/** Titles take the room that few channels leave. @param width that is there; 0 before it is known */
function findTitleWidth(width: number, channels: number): number {
  const isNarrow = width > 0 && width < 640;
  const room = width - FRAME - channels * COLUMN_WIDTH;
  return Math.max(isNarrow ? NARROW_TITLE_WIDTH : TITLE_WIDTH, Math.min(room, WIDEST_TITLE));
}

function useWindow({ grid, selection }: Pick<PublicationGridProps, "grid" | "selection">) {
  const scroller = useRef<HTMLDivElement>(null);
  const { ref: around, width: room } = useElementSize();
  const { ref, width, height } = useElementSize();
  const { dir } = useDirection();
  const isRtl = dir === "rtl";
  const titleWidth = findTitleWidth(room, grid.channels.length);
  const getScrollElement = useCallback(() => scroller.current, []);
  const { active } = selection;
  const rows = useShownLines({
    count: grid.books.length,
    size: ROW_HEIGHT,
    before: HEAD_HEIGHT,
    length: height,
    active: active.row,
    getScrollElement,
  });
  const columns = useShownLines(
    {
      count: grid.channels.length,
      size: COLUMN_WIDTH,
      before: titleWidth,
      length: width,
      active: active.column,
      getScrollElement,
    },
    isRtl,
  );
  return { around, scroller, ref: useMergedRef(scroller, ref), rows, columns, titleWidth, isRtl };
}

type GridWindow = ReturnType<typeof useWindow>;

/** On a title, Enter opens the book. */
function decideAction(
  { key, shiftKey, ctrlKey }: { key: string; shiftKey: boolean; ctrlKey: boolean },
  active: Cell,
): "toggle" | "open" | undefined {
  if (shiftKey || ctrlKey) return undefined;
  if (key === "Enter" && active.column < 0) return "open";
  return key === " " || key === "Enter" ? "toggle" : undefined;
}

const findCell = (target: EventTarget): Cell | undefined => {
  const cell = target instanceof Element ? target.closest<HTMLElement>("[data-column]") : null;
  const row = cell?.closest<HTMLElement>("[data-row]");
  if (!cell || !row) return undefined;
  return { row: Number(row.dataset.row), column: Number(cell.dataset.column) };
};

/** What keys and clicks do; the cell to which they move gets the focus. */
function useHandlers(props: PublicationGridProps, { scroller, rows, columns, isRtl }: GridWindow) {
  const { grid, canEdit, selection, select, toggle, repeat } = props;
  const { active } = selection;
  const go = useNavigate();
  const takesFocus = useFocusOn(active, scroller);
  const move = (next: Selection) => {
    takesFocus.current = true;
    if (next.active.row >= 0) rows.virtualizer.scrollToIndex(next.active.row);
    if (next.active.column >= 0) columns.virtualizer.scrollToIndex(next.active.column);
    select(next);
  };
  const press = (event: KeyboardEvent) => {
    const { shiftKey, altKey } = event;
    if (altKey) return;
    const keys = { key: readKey(event), shiftKey, ctrlKey: event.ctrlKey || event.metaKey };
    const book = grid.books[active.row];
    const action = decideAction(keys, active);
    const page = Math.max(Math.floor((rows.virtualizer.scrollRect?.height ?? 0) / ROW_HEIGHT) - 2, 1);
    const next = moveSelection(selection, keys, { ...sizeOf(grid), page, isRtl });
    if (action === "open" && book) go(`/books/${book.bookId}`);
    else if (action === "toggle" && canEdit) toggle(selection);
    else if (next) move(next);
    else return;
    event.preventDefault();
  };
  const click = (event: MouseEvent) => {
    const cell = findCell(event.target);
    if (!cell || (event.target instanceof Element && event.target.closest("a"))) return;
    const isSwitch = canEdit && cell.row >= 0 && cell.column >= 0;
    const next = event.shiftKey ? { anchor: selection.anchor, active: cell } : selectCell(cell);
    takesFocus.current = true;
    select(next);
    if (isSwitch && event.shiftKey) repeat(next);
    else if (isSwitch) toggle(next);
  };
  return { press, click };
}

/** Once it is set, the active cell gets the focus as soon as it is shown. */
function useFocusOn(active: Cell, scroller: RefObject<HTMLDivElement | null>) {
  const takesFocus = useRef(false);
  useLayoutEffect(() => {
    if (!takesFocus.current) return;
    takesFocus.current = false;
    scroller.current
      ?.querySelector<HTMLElement>(`[data-row="${active.row}"] > [data-column="${active.column}"]`)
      ?.focus({ preventScroll: true });
  }, [active, scroller]);
  return takesFocus;
}

const sizeOf = ({ books, channels }: Grid) => ({ rows: books.length, columns: channels.length });

const isLine = (line: readonly [number, number], index: number) => index >= line[0] && index <= line[1];

export function PublicationGrid(props: PublicationGridProps) {
  const { label, grid, canEdit } = props;
  const { books, channels } = grid;
  const view = useWindow(props);
  const { press, click } = useHandlers(props, view);
  const height = view.rows.virtualizer.getTotalSize();
  const width = view.columns.virtualizer.getTotalSize();
  return (
    <PART ref={view.around}>
      <PART
        ref={view.ref}
        role="grid"
        aria-label={label}
        aria-rowcount={books.length + 1}
        aria-colcount={channels.length + 1}
        aria-multiselectable
        aria-readonly={!canEdit}
        className={classes.grid}
        // No empty frame beside few channels, or below few books.
        style={{ maxWidth: width + FRAME, maxHeight: height + FRAME }}
        data-editable={canEdit || undefined}
        onKeyDown={press}
        onClick={click}
        // A click with Shift would select text.
        onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      >
        <PART role="rowgroup" className={classes.body} style={{ height, width, minWidth: "100%" }}>
          <HeadRow {...props} view={view} />
          <Rows {...props} view={view} />
        </PART>
      </PART>
    </PART>
  );
}

type PartProps = PublicationGridProps & { view: GridWindow };

function HeadRow({ grid, selection, view: { columns, titleWidth } }: PartProps) {
  const { t } = useTexts("publications");
  const { active } = selection;
  const range = findRange(selection, sizeOf(grid));
  const coversRows = range.rows[0] === 0 && range.rows[1] === grid.books.length - 1;
  const tabIndexOf = (column: number) => (active.row === -1 && active.column === column ? 0 : -1);
  return (
    <PART role="row" aria-rowindex={1} className={classes.head} style={{ height: HEAD_HEIGHT }} data-row={-1}>
      <PART
        role="columnheader"
        aria-colindex={1}
        tabIndex={tabIndexOf(-1)}
        className={classes.title}
        style={{ width: titleWidth }}
        data-column={-1}
      >
        {t("words.book")}
      </PART>
      {columns.shown.map(({ index, slot }) => (
        <PART
          key={slot}
          role="columnheader"
          aria-colindex={index + 2}
          tabIndex={tabIndexOf(index)}
          className={classes.channel}
          style={{ insetInlineStart: titleWidth + index * COLUMN_WIDTH, width: COLUMN_WIDTH }}
          title={grid.channels[index]?.name}
          data-column={index}
          data-selected={(coversRows && isLine(range.columns, index)) || undefined}
        >
          <span>
            <bdi>{grid.channels[index]?.name}</bdi>
          </span>
        </PART>
      ))}
    </PART>
  );
}

function Rows({ grid, wanted, selection, view: { rows, columns, titleWidth } }: PartProps) {
  const { t } = useTexts("publications");
  const { active } = selection;
  const range = findRange(selection, sizeOf(grid));
  return rows.shown.map(({ index, slot }) => {
    const book = grid.books[index];
    const isIn = isLine(range.rows, index);
    return (
      book && (
        <GridRow
          key={slot}
          row={index}
          start={HEAD_HEIGHT + index * ROW_HEIGHT}
          height={ROW_HEIGHT}
          titleWidth={titleWidth}
          book={book}
          channels={grid.channels}
          columns={columns.shown}
          columnWidth={COLUMN_WIDTH}
          farColumn={columns.far}
          wanted={wanted.get(book.bookId)}
          activeColumn={active.row === index ? active.column : undefined}
          from={isIn ? range.columns[0] : undefined}
          to={isIn ? range.columns[1] : undefined}
          t={t}
        />
      )
    );
  });
}
