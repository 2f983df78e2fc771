/** The books of one page of the list as rows that can be selected. */
import { Badge, Checkbox, Group } from "@mantine/core";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { Schemas } from "../api/client.ts";
import { isControl } from "../lib/shortcut.ts";
import { useTexts } from "../messages/index.tsx";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { usePageKeys } from "../ui/keys.ts";
import { RecordLink } from "../ui/list-links.tsx";
import { Note } from "../ui/note.tsx";
import { Cover } from "./cover.tsx";
import { takeLastBook } from "./last-book.ts";
import { type ListOrder, MOVE_HANDLE, useOrderedRows } from "./ordered-rows.tsx";
import type { SelectedBooks } from "./undo-books.ts";

type Book = Schemas["AdminBook"];

export interface Selection {
  selected: SelectedBooks;
  select(books: SelectedBooks): void;
}

interface TableProps {
  books: Book[];
  selection: Selection | undefined;
  /** Undefined: the order of the list isn't that of readers. */
  order: ListOrder | undefined;
}

export function BookTable({ books, selection, order }: TableProps) {
  const { t } = useTexts("books");
  const rows = useOrderedRows(books, order);
  const columns = useColumns();
  const selector = useSelector(books, selection);
  const table = useRef<HTMLTableElement>(null);
  const [last] = useState(takeLastBook);
  const focusLast = useEffectEvent(() => {
    if (!last) return;
    const line = table.current?.tBodies[0]?.rows[books.findIndex(({ id }) => id === last.bookId)];
    const part = line?.querySelector<HTMLElement>(last.part === "link" ? "a" : MOVE_HANDLE);
    part?.focus({ preventScroll: true });
    part?.scrollIntoView({ block: "center" });
  });
  useEffect(() => focusLast(), []);
  return (
    <>
      <DataTable
        ref={table}
        verticalSpacing="xs"
        highlightOnHover
        rows={books}
        keyOf={({ id }) => id}
        rowProps={(_, index) => rows.lookOf(index)}
        columns={[
          selector,
          ...columns,
          order && {
            head: t("books.order"),
            align: "end",
            cell: (book, index) => rows.handleOf(book, index),
          },
        ]}
      />
      {rows.dialog}
    </>
  );
}

function useSelector(books: Book[], selection: Selection | undefined): Column<Book> | undefined {
  const { t } = useTexts("books");
  const selectRow = useRowSelection(books, selection);
  return (
    selection && {
      key: "selector",
      head: <PageSelector books={books} {...selection} />,
      width: 40,
      cell: ({ id, titleEn: title }) => (
        <Checkbox
          aria-label={t("bulk.select", { title })}
          checked={selection.selected.has(id)}
          onChange={({ nativeEvent }) => selectRow(id, isShifted(nativeEvent))}
        />
      ),
    }
  );
}

/** Selects all books of the page, also by Ctrl+A. Those of other pages stay selected. */
function PageSelector({ books, selected, select }: Selection & { books: Book[] }) {
  const { t } = useTexts("books");
  const count = books.filter(({ id }) => selected.has(id)).length;
  const all = count === books.length;
  const selectPage = (isSelected: boolean) => {
    const next = new Map(selected);
    for (const { id, titleEn } of books)
      if (isSelected) next.set(id, titleEn);
      else next.delete(id);
    select(next);
  };
  usePageKeys((event) => {
    if (!isControl(event, "a")) return;
    event.preventDefault();
    selectPage(true);
  });
  return (
    <Checkbox
      aria-label={t("bulk.selectAll")}
      checked={all}
      indeterminate={!all && count > 0}
      onChange={() => selectPage(!all)}
    />
  );
}

const isShifted = (event: Event): boolean => "shiftKey" in event && event.shiftKey === true;

/** A function that changes the selection of a row; with Shift, that of all rows since the last one. */
function useRowSelection(books: Book[], selection: Selection | undefined) {
  const last = useRef<string>(undefined);
  return (bookId: string, withRange: boolean) => {
    if (!selection) return;
    const { selected, select } = selection;
    const ends = [last.current ?? bookId, bookId].map((id) => books.findIndex((book) => book.id === id));
    const [from = -1, to = -1] = ends.sort((a, b) => a - b);
    const range =
      withRange && from >= 0 ? books.slice(from, to + 1) : books.filter(({ id }) => id === bookId);
    const next = new Map(selected);
    for (const { id, titleEn } of range)
      if (selected.has(bookId)) next.delete(id);
      else next.set(id, titleEn);
    last.current = bookId;
    select(next);
  };
}

function useColumns(): Column<Book>[] {
  const { t, formatNumber, formatTime } = useTexts("books");
  const number = (head: string, read: (book: Book) => number): Column<Book> => ({
    head,
    from: "sm",
    isNumber: true,
    cell: (book) => formatNumber(read(book)),
  });
  return [
    { head: t("words.book"), cell: (book) => <BookCell book={book} /> },
    number(t("books.languages"), ({ languages }) => languages.length),
    number(t("words.files"), ({ filesCount }) => filesCount),
    number(t("words.downloads"), ({ totalDownloads }) => totalDownloads),
    { head: t("books.changed"), from: "md", isShort: true, cell: ({ updatedAt }) => formatTime(updatedAt) },
  ];
}

function BookCell({ book }: { book: Book }) {
  const { t } = useTexts("books");
  return (
    <Group wrap="nowrap" align="center">
      <Cover book={book} width={40} alt="" version={book.updatedAt} />
      <div>
        <RecordLink to={`/books/${book.id}`}>{book.titleEn}</RecordLink>
        {!book.isActive && (
          <Badge variant="default" size="sm" ms="xs">
            {t("books.archived")}
          </Badge>
        )}
        <DateBadge book={book} />
        <Note style={{ overflowWrap: "anywhere" }}>
          <bdi dir="ltr">{book.slug}</bdi>
        </Note>
      </div>
    </Group>
  );
}

type Dates = Pick<Schemas["Book"], "publishAt" | "unpublishAt">;

/** The next date, or the end that has passed. */
function DateBadge({ book: { publishAt, unpublishAt } }: { book: Dates }) {
  const { t, formatTime } = useTexts("books");
  const now = Date.now();
  const sayEnd = (end: string) => {
    const time = formatTime(end);
    return now < Date.parse(end) ? t("bookDates.until", { time }) : t("bookDates.over", { time });
  };
  const isBefore = publishAt && now < Date.parse(publishAt);
  const said = isBefore
    ? t("bookDates.from", { time: formatTime(publishAt) })
    : unpublishAt && sayEnd(unpublishAt);
  if (!said) return null;
  return (
    <Badge variant="default" size="sm" ms="xs" tt="none" miw="max-content">
      {said}
    </Badge>
  );
}
