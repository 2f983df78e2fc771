/** Cells of the grid: where the keyboard is, what is selected, and what a switch changes. Nothing here knows the page. */
import { writeCsv } from "../lib/csv.ts";
import {
  type Change,
  type Grid,
  type GridBook,
  isInherited,
  isOn,
  NOTHING_WANTED,
  type Wanted,
} from "./changes.ts";

/** Row -1 is the names of the channels, column -1 the titles of the books. */
export interface Cell {
  row: number;
  column: number;
}

/** A rectangle between two cells. The name of a channel stands for its column, a title for its row. */
export interface Selection {
  anchor: Cell;
  active: Cell;
}

export interface Size {
  rows: number;
  columns: number;
}

/** First and last of each, both included. */
interface Range {
  rows: [number, number];
  columns: [number, number];
}

export const selectCell = (cell: Cell): Selection => ({ anchor: cell, active: cell });

export function findRange({ anchor, active }: Selection, size: Size): Range {
  const span = (a: number, b: number, count: number): [number, number] =>
    a === -1 || b === -1 ? [0, count - 1] : [Math.min(a, b), Math.max(a, b)];
  return {
    rows: span(anchor.row, active.row, size.rows),
    columns: span(anchor.column, active.column, size.columns),
  };
}

export const countCells = ({ rows, columns }: Range): number =>
  Math.max(rows[1] - rows[0] + 1, 0) * Math.max(columns[1] - columns[0] + 1, 0);

interface Key {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
}

interface Layout extends Size {
  /** Rows that are seen at once. */
  page: number;
  isRtl: boolean;
}

/** The selection after a key; undefined if the key doesn't move it. With Shift, the anchor stays. */
export function moveSelection(selection: Selection, key: Key, layout: Layout): Selection | undefined {
  if (key.ctrlKey && key.key.toLowerCase() === "a") return selectAll;
  if (key.key === " " && key.shiftKey) return selectLine(selection, "row");
  if (key.key === " " && key.ctrlKey) return selectLine(selection, "column");
  if (key.key === "Escape") return selectCell(selection.active);
  const active = moveCell(selection.active, key, layout);
  if (!active) return undefined;
  return key.shiftKey ? { anchor: selection.anchor, active } : selectCell(active);
}

const selectAll: Selection = selectCell({ row: -1, column: -1 });

const selectLine = ({ active }: Selection, line: "row" | "column"): Selection =>
  selectCell(line === "row" ? { ...active, column: -1 } : { ...active, row: -1 });

function moveCell({ row, column }: Cell, { key, ctrlKey }: Key, layout: Layout): Cell | undefined {
  const { rows, columns, page, isRtl } = layout;
  const to = (nextRow: number, nextColumn: number): Cell => ({
    row: Math.min(Math.max(nextRow, -1), rows - 1),
    column: Math.min(Math.max(nextColumn, -1), columns - 1),
  });
  const forward = isRtl ? -1 : 1;
  switch (key) {
    case "ArrowUp":
      return to(row - 1, column);
    case "ArrowDown":
      return to(row + 1, column);
    case "ArrowRight":
      return to(row, column + forward);
    case "ArrowLeft":
      return to(row, column - forward);
    case "PageUp":
      return to(Math.max(row - page, 0), column);
    case "PageDown":
      return to(row + page, column);
    case "Home":
      return to(ctrlKey ? 0 : row, 0);
    case "End":
      return to(ctrlKey ? rows - 1 : row, columns - 1);
    default:
      return undefined;
  }
}

/** What switching the selection changes: everything on, or off if everything is on. Inherited publications stay. */
export function switchSelection(grid: Grid, wanted: Wanted, selection: Selection): Change[] {
  const isAllOn = setSelection(grid, wanted, selection, true).length === 0;
  return setSelection(grid, wanted, selection, !isAllOn);
}

/** What changes if the selection is published, or withdrawn. */
export function setSelection(
  { books, channels }: Grid,
  wanted: Wanted,
  selection: Selection,
  isPublished: boolean,
): Change[] {
  const { rows, columns } = findRange(selection, { rows: books.length, columns: channels.length });
  const changes: Change[] = [];
  for (const book of books.slice(rows[0], rows[1] + 1)) {
    const ofBook = wanted.get(book.bookId);
    for (let channel = columns[0]; channel <= columns[1]; channel++) {
      const channelId = channels[channel]?.id;
      if (channelId === undefined || isInherited(book, channel)) continue;
      if (isOn(book, channels, channel, ofBook) !== isPublished)
        changes.push({ bookId: book.bookId, channelId, isPublished });
    }
  }
  return changes;
}

/** What gives the changed publications their former state. */
/** Gives the cells of a selection the state of its anchor. */
export function repeatAnchor(grid: Grid, wanted: Wanted, selection: Selection): Change[] {
  const { row, column } = selection.anchor;
  const book = grid.books[row];
  if (!book || column < 0) return [];
  return setSelection(grid, wanted, selection, isOn(book, grid.channels, column, wanted.get(book.bookId)));
}

export const SHOWN = ["all", "gaps", "withoutFile"] as const;
export type Shown = (typeof SHOWN)[number];

/** The form in which texts are compared: without accents and capital letters. */
const fold = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/**
 * The books whose titles, in the language or in English, contain every word. Gaps are judged by what is saved: a book that is being published
 * stays where it is.
 * @param shown `gaps`: with a file, and on no channel; `withoutFile`: on a channel, and without a file
 */
export function filterBooks(books: readonly GridBook[], search: string, shown: Shown): readonly GridBook[] {
  const words = fold(search).split(/\s+/).filter(Boolean);
  if (words.length === 0 && shown === "all") return books;
  return books.filter((book) => {
    const isPublished = book.published.includes("1");
    if (shown === "gaps" && (isPublished || book.available !== 1)) return false;
    if (shown === "withoutFile" && (!isPublished || book.available === 1)) return false;
    const titles = fold(`${book.title ?? ""}\n${book.titleEn}`);
    return words.every((word) => titles.includes(word));
  });
}

/** The shown books as CSV, as they are on the page. */
export function writeGrid({ books, channels }: Grid, wanted: Wanted = NOTHING_WANTED): string {
  const lines = [["bookId", "titleEn", "title", "available", ...channels.map(({ slug }) => slug)]];
  for (const book of books) {
    const ofBook = wanted.get(book.bookId);
    const flags = channels.map((_, channel) => (isOn(book, channels, channel, ofBook) ? "1" : "0"));
    lines.push([book.bookId, book.titleEn, book.title ?? "", String(book.available), ...flags]);
  }
  return writeCsv(lines);
}
