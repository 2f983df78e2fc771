/** The books of one page of the list as rows that can be selected. */
import { Badge, Checkbox, Group, Table, Text } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { usePageKeys } from "../shell/keys.ts";
import { RecordLink } from "../shell/list-links.tsx";
import numbers from "../shell/numbers.module.css";
import { isControl } from "../shell/shortcut.ts";
import { Cover } from "./cover.tsx";
import { DateBadge } from "./date-badge.tsx";
import { type RowPart, takeLastBook } from "./last-book.ts";
import { type ListOrder, MOVE_HANDLE, type RowLook, useOrderedRows } from "./ordered-rows.tsx";
import type { SelectedBooks } from "./use-bulk-action.ts";

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
  const { t: bulk } = useTexts("books");
  const [last] = useState(takeLastBook);
  const selectRow = useRowSelection(books, selection);
  const rows = useOrderedRows(books, order);
  return (
    <Table.ScrollContainer minWidth={0} type="native">
      <Table verticalSpacing="xs" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {selection && (
              <Table.Th w={40}>
                <PageSelector books={books} {...selection} />
              </Table.Th>
            )}
            <Table.Th>{t("books.book")}</Table.Th>
            <Table.Th visibleFrom="sm" className={numbers.number}>
              {t("books.languages")}
            </Table.Th>
            <Table.Th visibleFrom="sm" className={numbers.number}>
              {t("books.files")}
            </Table.Th>
            <Table.Th visibleFrom="sm" className={numbers.number}>
              {t("books.downloads")}
            </Table.Th>
            <Table.Th visibleFrom="md">{t("books.changed")}</Table.Th>
            {order && <Table.Th ta="end">{t("books.order")}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {books.map((book, index) => (
            <BookRow
              key={book.id}
              book={book}
              look={rows.lookOf(index)}
              handle={order && rows.handleOf(book, index)}
              focused={book.id === last?.bookId ? last.part : undefined}
              selector={
                selection && (
                  <Checkbox
                    aria-label={bulk("bulk.select", { title: book.titleEn })}
                    checked={selection.selected.has(book.id)}
                    onChange={({ nativeEvent }) => selectRow(book.id, isShifted(nativeEvent))}
                  />
                )
              }
            />
          ))}
        </Table.Tbody>
      </Table>
      {rows.dialog}
    </Table.ScrollContainer>
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

interface RowProps {
  book: Book;
  /** The part that gets the focus at first. */
  focused: RowPart | undefined;
  selector: ReactNode;
  /** What moves the book. */
  handle: ReactNode;
  look: RowLook;
}

function BookRow({ book, focused, selector, handle, look }: RowProps) {
  const { t, formatNumber, formatTime } = useTexts("books");
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (!focused) return;
    const part = row.current?.querySelector<HTMLElement>(focused === "link" ? "a" : MOVE_HANDLE);
    part?.focus({ preventScroll: true });
    part?.scrollIntoView({ block: "center" });
  }, [focused]);
  return (
    <Table.Tr ref={row} {...look}>
      {selector && <Table.Td>{selector}</Table.Td>}
      <Table.Td>
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
            <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
              <bdi dir="ltr">{book.slug}</bdi>
            </Text>
          </div>
        </Group>
      </Table.Td>
      <Table.Td visibleFrom="sm" className={numbers.number}>
        {formatNumber(book.languages.length)}
      </Table.Td>
      <Table.Td visibleFrom="sm" className={numbers.number}>
        {formatNumber(book.filesCount)}
      </Table.Td>
      <Table.Td visibleFrom="sm" className={numbers.number}>
        {formatNumber(book.totalDownloads)}
      </Table.Td>
      <Table.Td visibleFrom="md" style={{ whiteSpace: "nowrap" }}>
        {formatTime(book.updatedAt)}
      </Table.Td>
      {handle && <Table.Td>{handle}</Table.Td>}
    </Table.Tr>
  );
}
