/** Books on channels as a grid of which only what is in sight is in the document. By mouse and by keyboard. */
import { useDirection } from "@mantine/core";
import { useElementSize, useMergedRef } from "@mantine/hooks";
import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type MouseEvent, useCallback, useLayoutEffect, useRef } from "react";
import { useNavigate } from "react-router";
import { useTexts } from "../messages/index.tsx";
import type { Grid, Wanted } from "./changes.ts";
import classes from "./grid.module.css";
import { GridRow, Part } from "./grid-row.tsx";
import { publicationsMessages } from "./messages.ts";
import { type Cell, findRange, moveSelection, type Selection, selectCell } from "./selection.ts";

const ROW_HEIGHT = 36;
const HEAD_HEIGHT = 52;
const COLUMN_WIDTH = 88;

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

/**
 * What is in sight, and the cell with the focus: without it, the focus would be lost. The function stays the same
 * while the cell does: with another one, every row would be drawn again.
 */
const useExtractor = (active: number) =>
  useCallback(
    (range: Range) => {
      const indexes = defaultRangeExtractor(range);
      return active < 0 || indexes.includes(active) ? indexes : [...indexes, active].sort((a, b) => a - b);
    },
    [active],
  );

const estimateRow = () => ROW_HEIGHT;
const estimateColumn = () => COLUMN_WIDTH;

function useWindow({ grid, selection }: Pick<PublicationGridProps, "grid" | "selection">) {
  const scroller = useRef<HTMLDivElement>(null);
  const { ref, width } = useElementSize();
  const { dir } = useDirection();
  const titleWidth = width > 0 && width < 640 ? 144 : 320;
  const getScrollElement = useCallback(() => scroller.current, []);
  const extractRows = useExtractor(selection.active.row);
  const extractColumns = useExtractor(selection.active.column);
  const rows = useVirtualizer({
    count: grid.books.length,
    getScrollElement,
    estimateSize: estimateRow,
    paddingStart: HEAD_HEIGHT,
    scrollPaddingStart: HEAD_HEIGHT,
    overscan: 4,
    rangeExtractor: extractRows,
  });
  const columns = useVirtualizer({
    horizontal: true,
    isRtl: dir === "rtl",
    count: grid.channels.length,
    getScrollElement,
    estimateSize: estimateColumn,
    paddingStart: titleWidth,
    scrollPaddingStart: titleWidth,
    overscan: 2,
    rangeExtractor: extractColumns,
  });
  return { scroller, ref: useMergedRef(scroller, ref), rows, columns, titleWidth, isRtl: dir === "rtl" };
}

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
  const element = target instanceof Element ? target.closest<HTMLElement>("[data-row]") : null;
  if (!element) return undefined;
  return { row: Number(element.dataset.row), column: Number(element.dataset.column) };
};

export function PublicationGrid(props: PublicationGridProps) {
  const { label, grid, wanted, canEdit, selection, select, toggle, repeat } = props;
  const { books, channels } = grid;
  const { active } = selection;
  const { t } = useTexts(publicationsMessages);
  const go = useNavigate();
  const { scroller, ref, rows, columns, titleWidth, isRtl } = useWindow(props);
  const takesFocus = useRef(false);
  useLayoutEffect(() => {
    if (!takesFocus.current) return;
    takesFocus.current = false;
    scroller.current
      ?.querySelector<HTMLElement>(`[data-row="${active.row}"][data-column="${active.column}"]`)
      ?.focus({ preventScroll: true });
  }, [active, scroller]);
  const size = { rows: books.length, columns: channels.length };
  const move = (next: Selection) => {
    takesFocus.current = true;
    if (next.active.row >= 0) rows.scrollToIndex(next.active.row);
    if (next.active.column >= 0) columns.scrollToIndex(next.active.column);
    select(next);
  };
  const press = (event: KeyboardEvent) => {
    const { key, shiftKey, altKey } = event;
    const ctrlKey = event.ctrlKey || event.metaKey;
    if (altKey) return;
    const book = books[active.row];
    const action = decideAction({ key, shiftKey, ctrlKey }, active);
    const page = Math.max(Math.floor((rows.scrollRect?.height ?? 0) / ROW_HEIGHT) - 2, 1);
    const next = moveSelection(selection, { key, shiftKey, ctrlKey }, { ...size, page, isRtl });
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
  const range = findRange(selection, size);
  const isLine = (line: readonly [number, number], index: number) => index >= line[0] && index <= line[1];
  const coversRows = range.rows[0] === 0 && range.rows[1] === books.length - 1;
  return (
    <Part
      ref={ref}
      role="grid"
      aria-label={label}
      aria-rowcount={books.length + 1}
      aria-colcount={channels.length + 1}
      aria-multiselectable
      aria-readonly={!canEdit}
      className={classes.grid}
      data-editable={canEdit || undefined}
      onKeyDown={press}
      onClick={click}
      // A click with Shift would select text.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
    >
      <Part
        role="rowgroup"
        className={classes.body}
        style={{ height: rows.getTotalSize(), width: columns.getTotalSize() }}
      >
        <Part role="row" aria-rowindex={1} className={classes.head} style={{ height: HEAD_HEIGHT }}>
          <Part
            role="columnheader"
            aria-colindex={1}
            tabIndex={active.row === -1 && active.column === -1 ? 0 : -1}
            className={classes.title}
            style={{ width: titleWidth }}
            data-row={-1}
            data-column={-1}
          >
            {t.publications.book}
          </Part>
          {columns.getVirtualItems().map(({ index, start, size: width }) => (
            <Part
              key={index}
              role="columnheader"
              aria-colindex={index + 2}
              tabIndex={active.row === -1 && active.column === index ? 0 : -1}
              className={classes.channel}
              style={{ insetInlineStart: start, width }}
              title={channels[index]?.name}
              data-row={-1}
              data-column={index}
              data-selected={(coversRows && isLine(range.columns, index)) || undefined}
            >
              <span>
                <bdi>{channels[index]?.name}</bdi>
              </span>
            </Part>
          ))}
        </Part>
        {rows.getVirtualItems().map(({ index, start }) => {
          const book = books[index];
          const isIn = isLine(range.rows, index);
          return (
            book && (
              <GridRow
                key={book.bookId}
                row={index}
                start={start}
                height={ROW_HEIGHT}
                titleWidth={titleWidth}
                book={book}
                channels={channels}
                columns={columns.getVirtualItems()}
                wanted={wanted.get(book.bookId)}
                activeColumn={active.row === index ? active.column : undefined}
                from={isIn ? range.columns[0] : undefined}
                to={isIn ? range.columns[1] : undefined}
                texts={t.publications}
              />
            )
          );
        })}
      </Part>
    </Part>
  );
}
